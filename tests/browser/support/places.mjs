// Where things are; `cargo xtask test` names them, and a plain `node --test` finds them.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** The npm package, built. */
export const packageFolder = process.env.ROWNORM_PACKAGE ?? join(root, "www", "package");

/** The module with the conformance run. */
export const conformanceFolder = process.env.ROWNORM_CONFORMANCE ?? join(root, "target", "wasm-pkg", "conformance");

/** The teaching page, built. */
export const pageFolder = process.env.ROWNORM_PAGE ?? join(root, "www", "demo", "dist");

/** The browser tests. */
export const testsFolder = join(root, "tests", "browser");

export const chromium = process.env.CHROMIUM ?? found("chromium", "chromium-browser", "google-chrome");
export const firefox = process.env.FIREFOX ?? found("firefox-esr", "firefox");

function found(...programs) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const files = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  const file = files.find((candidate) => existsSync(candidate));
  if (!file) throw new Error(`none of ${programs.join(", ")} is in PATH; name the browser with CHROMIUM or FIREFOX`);
  return file;
}
