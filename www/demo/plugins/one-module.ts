// The page loads one wasm module: its own, which carries the package's exports as well. The package
// is used as it is, but where it would load its module, it gets the page's.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const own = resolve(here, "../wasm/pkg");
const dist = resolve(here, "../../package/dist");

/** Makes `rownorm` run on `wasm/pkg/demo_bg.wasm`. */
export function oneModule(): Plugin {
  return {
    name: "one-module",
    enforce: "pre",
    config: () => ({
      // Bundling the package ahead of time would hide its imports from this plugin.
      optimizeDeps: { exclude: ["rownorm"] },
    }),
    resolveId(source, importer) {
      if (importer && inPackage(importer) && /(^|\/)rownorm\.js$/.test(source)) return join(own, "demo.js");
      return undefined;
    },
    load(id) {
      const file = id.split("?")[0] ?? id;
      if (!inPackage(file) || !file.endsWith(".js")) return undefined;
      const wasm = join(own, "demo_bg.wasm");
      return readFileSync(file, "utf8").replace(/(new URL\(["'])[^"']*rownorm_bg\.wasm/g, `$1${address(dirname(file), wasm)}`);
    },
  };
}

/** A relative address, with forward slashes on every system. */
const address = (from: string, to: string) => relative(from, to).replaceAll("\\", "/");
const inPackage = (file: string) => resolve(file).startsWith(dist);
