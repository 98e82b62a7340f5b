// The npm package as others get it: packed, unpacked into a project, built or served, opened, and judged by a number.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build, createServer } from "vite";
import { launch } from "./support/browsers.mjs";
import { packageFolder, testsFolder } from "./support/places.mjs";
import { serve } from "./support/server.mjs";

/** 2/√((2² + 1²)/2 + 1e-5). */
const EXPECTED = 1.264909;

let folder;
let tarball;
let browser;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rownorm-consumers-"));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: packageFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  tarball = join(folder, JSON.parse(packed)[0].filename);
  browser = await launch("Chromium, SwiftShader");
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A project with the tarball unpacked under a path, and files of consumers/. */
function project(name, path, files) {
  const root = join(folder, name);
  const unpacked = join(root, ...path.split("/"));
  mkdirSync(unpacked, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
  for (const [from, to] of Object.entries(files)) copyFileSync(join(testsFolder, "consumers", from), join(root, to));
  return root;
}

/** What the page prints; its console must stay silent. */
async function printed(address) {
  const page = await browser.open(address);
  await page.waitForFunction(() => document.querySelector("output")?.value, { timeout: 60_000 });
  const value = await page.evaluate(() => document.querySelector("output").value);
  assert.deepEqual(page.complaints, []);
  await page.close();
  return value;
}

async function assertPrints(address) {
  const value = await printed(address);
  assert.ok(Math.abs(Number(value) - EXPECTED) < 2e-6, `the page printed ${value}`);
}

test("a static page with <script type=module>", async () => {
  const root = project("static", "rownorm", { "index.html": "index.html", "main.js": "main.js" });
  const site = await serve({ "": root });
  await assertPrints(`${site.origin}/index.html`);
  await site.close();
});

test("Vite, built and served below a path", async () => {
  const root = project("vite", "node_modules/rownorm", { "vite.html": "index.html", "main.js": "main.js" });
  await build({ root, base: "./", logLevel: "error", build: { target: "esnext" } });
  const assets = readdirSync(join(root, "dist", "assets"));
  assert.equal(assets.filter((name) => name.endsWith(".wasm")).length, 1, assets.join(" "));
  const site = await serve({ below: join(root, "dist") });
  await assertPrints(`${site.origin}/below/index.html`);
  await site.close();
});

test("Vite's development server", async () => {
  const root = project("vite-dev", "node_modules/rownorm", { "vite.html": "index.html", "main.js": "main.js" });
  const server = await createServer({ root, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  await server.listen();
  await assertPrints(server.resolvedUrls.local[0]);
  await server.close();
});

test("Node, from bytes", async () => {
  const root = project("node", "node_modules/rownorm", {});
  const { init, runCpu } = await import(pathToFileURL(join(root, "node_modules/rownorm/dist/index.js")));
  await init(readFileSync(join(root, "node_modules/rownorm/dist/rownorm_bg.wasm")));
  const { y } = runCpu(new Float32Array([2, 1]), { norm: "rms-plain", dim: 2 });
  assert.ok(Math.abs(y[0] - EXPECTED) < 2e-6, String(y));
});
