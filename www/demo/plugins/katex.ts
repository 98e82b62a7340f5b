// Formulas are typeset at build time: the browser gets markup, a few fonts and no KaTeX.
import katex from "katex";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const require = createRequire(import.meta.url);
const styles = require.resolve("katex/dist/katex.min.css");
/** The fonts our formulas use; KaTeX ships twenty. */
const FONTS = ["KaTeX_Main-Regular", "KaTeX_Math-Italic", "KaTeX_Size1-Regular"];
const MODULE = "virtual:katex.css";
/** It gets the address of a file beside KaTeX's own, so that Vite takes it for an ordinary style sheet. */
const RESOLVED = join(dirname(styles), "katex.subset.css");

/** One colour per symbol, in formulas as in charts: `\x` and the like carry a class. */
const symbol = (name: string, text: string) => [`\\${name}`, `\\htmlClass{sym-${name}}{${text}}`] as const;
const macros = Object.fromEntries([
  symbol("x", "x"),
  symbol("mean", "\\mu"),
  symbol("layer", "\\sqrt{\\tfrac1n\\sum(x_i-\\mu)^2+\\varepsilon}"),
  symbol("rms", "\\sqrt{\\tfrac1n\\sum x_i^2+\\varepsilon}"),
]);

function typeset(tex: string, displayMode: boolean): string {
  return katex.renderToString(tex, {
    displayMode,
    macros: { ...macros },
    throwOnError: true,
    strict: (code: string) => (code === "htmlExtension" ? "ignore" : "error"),
    trust: ({ command }: { command: string }) => command === "\\htmlClass",
  });
}

const unescape = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** `<tex>…</tex>` in HTML, `*.tex.json` (name → TeX) in modules, and `virtual:katex.css`. */
export function katexAtBuild(): Plugin {
  return {
    name: "katex-at-build",
    enforce: "pre",
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        html.replace(/<tex( display)?>([^]*?)<\/tex>/g, (_, display, tex) => typeset(unescape(tex.trim()), !!display)),
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      return readFileSync(styles, "utf8").replace(/@font-face\{[^}]*\}/g, (face) => {
        const font = FONTS.find((name) => face.includes(`/${name}.woff2`));
        return font === undefined ? "" : face.replace(/src:[^}]*/, `src:url(./fonts/${font}.woff2) format("woff2")`);
      });
    },
    transform(code, id) {
      if (!id.endsWith(".tex.json")) return undefined;
      const formulas = Object.entries<string>(JSON.parse(code)).map(([name, tex]) => [name, typeset(tex, false)]);
      return { code: `export default ${JSON.stringify(Object.fromEntries(formulas))}`, map: null, moduleType: "js" };
    },
  };
}
