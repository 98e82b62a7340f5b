// The npm package as others get it: packed, unpacked into a project, built or served, opened, and judged by a number.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build, createServer } from "vite";
import { launch } from "./support/browsers.mjs";
import { examples, kept, promised } from "./support/readme.mjs";
import { packageFolder, testsFolder } from "./support/places.mjs";
import { serve } from "./support/server.mjs";

/** 2/√((2² + 1²)/2 + 1e-5). */
const EXPECTED = 1.264909;

/** What computes in each browser. */
const BROWSERS = {
  "Chromium, SwiftShader": "GPU",
  "Chromium without an adapter": "CPU",
  "Firefox, lavapipe": "GPU",
  "Firefox without WebGPU": "CPU",
};

/** The consumers: what serves each and answers its address, and how many numbers its page prints. */
const CONSUMERS = {
  'a static page with <script type="module">': { serving: staticPage, numbers: 1 },
  "Vite, built and served below a path, with a worker": { serving: viteBuilt, numbers: 2 },
  "Vite's development server, with a worker": { serving: viteServed, numbers: 2 },
};

let folder;
let tarball;
const addresses = {};
const closing = [];
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rownorm-consumers-"));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: packageFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  tarball = join(folder, JSON.parse(packed)[0].filename);
  for (const [consumer, { serving }] of Object.entries(CONSUMERS)) addresses[consumer] = await serving();
});
after(async () => {
  for (const close of closing) await close();
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

async function served(folders) {
  const site = await serve(folders);
  closing.push(() => site.close());
  return site.origin;
}

async function staticPage() {
  const root = project("static", "rownorm", { "index.html": "index.html", "main.js": "main.js", "norm.js": "norm.js" });
  return `${await served({ "": root })}/index.html`;
}

/** The page and its worker. */
const VITE = { "vite.html": "index.html", "with-worker.js": "main.js", "worker.js": "worker.js", "norm.js": "norm.js" };

async function viteBuilt() {
  const root = project("vite", "node_modules/rownorm", VITE);
  await build({ root, base: "./", logLevel: "error", build: { target: "esnext" }, worker: { format: "es" } });
  const assets = readdirSync(join(root, "dist", "assets"));
  assert.equal(assets.filter((name) => name.endsWith(".wasm")).length, 1, assets.join(" "));
  return `${await served({ below: join(root, "dist") })}/below/index.html`;
}

async function viteServed() {
  const root = project("vite-dev", "node_modules/rownorm", VITE);
  const server = await createServer({ root, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  await server.listen();
  closing.push(() => server.close());
  return server.resolvedUrls.local[0];
}

for (const [name, unit] of Object.entries(BROWSERS)) {
  describe(`tarball in ${name}`, () => {
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    for (const [consumer, { numbers }] of Object.entries(CONSUMERS)) {
      test(`${consumer} (${name})`, async () => {
        const page = await browser.open(addresses[consumer]);
        await page.waitForFunction(() => document.querySelector("output")?.value, { timeout: 60_000 });
        const text = await page.evaluate(() => document.querySelector("output").value);
        const printed = text.split(", ").map((part) => /^([\d.]+) on the (GPU|CPU)$/.exec(part)?.slice(1));
        assert.equal(printed.length, numbers, text);
        for (const [value, on] of printed.map((part) => part ?? [NaN, text])) {
          assert.equal(on, unit, text);
          assert.ok(Math.abs(Number(value) - EXPECTED) < 2e-6, text);
        }
        assert.deepEqual(page.complaints, []);
        await page.close();
      });
    }
  });
}

test("Node, as the package's README has it", () => {
  const root = project("node", "node_modules/rownorm", {});
  const codes = examples("www/package/README.md", "mjs");
  assert.equal(codes.length, 1);
  writeFileSync(join(root, "norm.mjs"), codes[0]);
  const printed = execFileSync(process.execPath, ["norm.mjs"], { cwd: root, encoding: "utf8" });
  const [, numbers] = /\[(.*)\]/s.exec(printed);
  assert.ok(kept(numbers.split(",").map(Number), promised(codes[0])[0]), printed);
});
