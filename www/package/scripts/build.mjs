// dist = the façade, compiled, beside the module and its glue (`cargo xtask wasm` makes those). The licences come
// from the repository's root.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const glue = ["rownorm.js", "rownorm_bg.wasm"];

for (const file of glue) {
  if (!existsSync(join(root, "pkg", file))) {
    console.error(`pkg/${file} is missing: run \`cargo xtask wasm\` first`);
    process.exit(1);
  }
}
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "--project", root], { stdio: "inherit" });
for (const file of glue) copyFileSync(join(root, "pkg", file), join(root, "dist", file));
for (const file of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, "..", "..", file), join(root, file));
