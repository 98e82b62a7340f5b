// The packed tarball: what is in it, what it weighs, and whether tools and compilers understand it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = join(import.meta.dirname, "..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** Gzipped bytes, as a page receives them. */
const BUDGETS = { "dist/rownorm_bg.wasm": 96_000, "dist/rownorm.js": 12_000, "dist/index.js": 1_000 };

let folder;
let tarball;
let installed;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "rownorm-package-"));
  const [packed] = JSON.parse(npm("pack", "--json", "--pack-destination", folder));
  tarball = { file: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
  installed = join(folder, "node_modules", "rownorm");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball.file, "-C", installed, "--strip-components=1"]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function npm(...args) {
  return execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

test("the tarball holds what is needed and nothing else", () => {
  const modules = ["caps", "cpu", "engine", "errors", "index", "module", "names", "plan", "types"];
  const expected = [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    ...modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
    "dist/rownorm.js",
    "dist/rownorm_bg.wasm",
    "package.json",
  ];
  assert.deepEqual(tarball.files.toSorted(), expected.toSorted());
});

test("nothing in it depends on anything else", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined]);
  assert.equal(manifest.sideEffects, false);
});

for (const [file, budget] of Object.entries(BUDGETS)) {
  test(`${file} keeps to its budget`, (t) => {
    const size = gzipSync(readFileSync(join(installed, file)), { level: 9 }).length;
    t.diagnostic(`${size} bytes gzipped of ${budget}`);
    assert.ok(size <= budget, `${size} bytes gzipped; ${budget} are allowed`);
  });
}

test("publint has nothing to say", async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test("types resolve wherever ES modules do", async () => {
  const data = new Uint8Array(readFileSync(tarball.file));
  const { problems } = await checkPackage(createPackageFromTarballData(data), { entrypoints: ["."] });
  // ES modules only: what `require` and the resolution of old TypeScript cannot do is so by design.
  const accepted = ["CJSResolvesToESM"];
  const left = problems.filter(({ kind, resolutionKind }) => !accepted.includes(kind) && resolutionKind !== "node10");
  assert.deepEqual(left, []);
});

for (const [moduleResolution, module] of [
  ["bundler", "esnext"],
  ["nodenext", "nodenext"],
]) {
  test(`a consumer compiles with moduleResolution ${moduleResolution}`, () => {
    const consumer = join(folder, moduleResolution);
    mkdirSync(consumer);
    writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
    writeFileSync(join(consumer, "consumer.ts"), readFileSync(join(import.meta.dirname, "consumer.ts")));
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    try {
      execFileSync(process.execPath, [tsc, "--project", consumer], { encoding: "utf8" });
    } catch (error) {
      assert.fail(error.stdout);
    }
  });
}
