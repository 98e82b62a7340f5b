// The teaching page, opened and used in real browsers, with WebGPU and without.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { launch } from "./support/browsers.mjs";
import { pageFolder } from "./support/places.mjs";
import { serve } from "./support/server.mjs";

/** What the page must say of each browser's device. */
const BROWSERS = {
  "Chromium, SwiftShader": { runsOn: "WebGPU", describesCpu: true },
  "Chromium without an adapter": { runsOn: "WebAssembly", describesCpu: true, reason: /offers no adapter/ },
  "Firefox, lavapipe": { runsOn: "WebGPU", describesCpu: true },
  "Firefox without WebGPU": { runsOn: "WebAssembly", describesCpu: true, reason: /has no WebGPU/ },
};

/** The figure calls an output unchanged up to this change, relative to its largest value. */
const UNCHANGED = 1e-4;
const IGNORES_SHIFT = ["layer", "layer-simple", "centered"];
const IGNORES_SCALE = ["layer", "layer-simple", "rms", "rms-plain", "prms", "std-scaled"];
const NORMS = [...new Set([...IGNORES_SHIFT, ...IGNORES_SCALE])];

let site;
before(async () => {
  site = await serve({ "": pageFolder });
});
after(() => site.close());

for (const [name, expected] of Object.entries(BROWSERS)) {
  describe(`page in ${name}`, () => {
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    /** A test on a fresh page: it must not complain, nor ask another host for anything. */
    function inPage(title, work, width = 1280) {
      test(`${title} (${name})`, async () => {
        const page = await browser.open("about:blank");
        const foreign = [];
        page.on("request", (request) => {
          const url = request.url();
          if (!url.startsWith(site.origin) && !/^(about|data|blob):/.test(url)) foreign.push(url);
        });
        await page.setViewport({ width, height: 900 });
        await page.goto(site.origin);
        await work(page);
        assert.deepEqual(page.complaints, []);
        assert.deepEqual(foreign, []);
        assert.deepEqual(await failed(page), []);
        await page.close();
      });
    }

    inPage("two features: LayerNorm has two answers, RMSNorm a circle", async (page) => {
      await page.waitForSelector("rn-two .handle");
      await claimed(page, { "two.layer.0": 1, "two.layer.1": -1, "two.distinct": 2 });
      // √(8/5), √(2/5): (2, 1) on the circle of radius √2; a few roundings of float64.
      await claimed(page, { "two.rms.0": Math.sqrt(1.6), "two.rms.1": Math.sqrt(0.4), "two.rms.radius": Math.SQRT2 }, 1e-14);
      // By keyboard to (2, 2), where LayerNorm has no answer, and across the diagonal to (2, 3).
      await page.$eval("rn-two .handle", (handle) => handle.focus());
      for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowUp");
      await claimed(page, { "two.layer.0": 0, "two.layer.1": 0 });
      await claimed(page, { "two.rms.0": 1, "two.rms.1": 1 }, 1e-14);
      for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowUp");
      await claimed(page, { "two.layer.0": -1, "two.layer.1": 1 });
      await claimed(page, { "two.rms.radius": Math.SQRT2 }, 1e-14);
      const spoken = await page.$eval("rn-two .handle", (handle) => handle.getAttribute("aria-valuetext"));
      assert.match(spoken, /x = \(2, 3\), LayerNorm \(−1, 1\)/);
    });

    inPage("two features: ε smooths the jump", async (page) => {
      await page.waitForSelector("#two-eps");
      await page.focus("#two-eps");
      await page.keyboard.press("End");
      // ε = 1: (x₁ − x₂)/2 = ½ over √(¼ + 1), x over √(5/2 + 1).
      await claimed(page, { "two.layer.0": 0.5 / Math.sqrt(1.25), "two.rms.0": 2 / Math.sqrt(3.5) }, 1e-14);
      await page.focus("#two-1");
      await page.keyboard.press("End");
      await claimed(page, { "two.layer.0": -0.5 / Math.sqrt(1.25) }, 1e-14);
    });

    inPage("two features: the point follows the pointer", async (page) => {
      await page.waitForSelector("rn-two .handle");
      const [from, to] = await page.$eval("rn-two .plane", (plane) => {
        plane.scrollIntoView({ block: "center", behavior: "instant" });
        const box = plane.getBoundingClientRect();
        const point = plane.querySelector(".handle circle:last-of-type").getBoundingClientRect();
        return [
          [point.x + point.width / 2, point.y + point.height / 2],
          [box.x + box.width / 4, box.y + box.height / 4],
        ];
      });
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 5 });
      await page.mouse.up();
      await claimed(page, { "two.layer.0": -1, "two.layer.1": 1 });
      const rms = await values(page, ["two.rms.0", "two.rms.1"]);
      assert.ok(Math.abs(rms[0] + 1) < 0.05 && Math.abs(rms[1] - 1) < 0.05, `${rms}`);
    });

    inPage("the device is named, and why there is none", async (page) => {
      await page.waitForSelector("rn-device dl");
      const text = await page.$eval("rn-device", (card) => card.innerText);
      assert.match(text, new RegExp(`Runs on\\s+${expected.runsOn}`));
      assert.match(text, expected.reason ?? /Clock/);
    });

    inPage("real activations: who ignores a shift, who a factor", async (page) => {
      await openComparison(page);
      await moved(page, IGNORES_SHIFT);
      // Shift 0, then s = 2 by keyboard.
      await page.click(".compare-buttons button");
      await page.focus("#real-scale");
      for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
      await moved(page, IGNORES_SCALE);
      // Twice the row moves the centred output by all of itself.
      await claimed(page, { "real.centered.moved": 1 }, UNCHANGED);
    });

    inPage("real activations: every layer is right on this device", async (page) => {
      await openComparison(page);
      const layers = await page.$$eval("#real-layer option", (options) => options.map((option) => option.value));
      assert.equal(layers.length, 6);
      for (const layer of layers) {
        await page.select("#real-layer", layer);
        await page.waitForFunction((layer) => document.querySelector(`rn-compare table[data-layer="${layer}"]`), {}, layer);
        await moved(page, IGNORES_SHIFT);
        assert.deepEqual(await failed(page), [], `layer ${layer}`);
      }
    });

    inPage("the norm shown is chosen by keyboard", async (page) => {
      await openComparison(page);
      await page.focus('rn-compare input[type="radio"]');
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(() => document.querySelectorAll(".compare-plots h3")[1]?.innerText === "RMSNorm");
      const spoken = await page.$eval(".compare-plots + [role=status]", (status) => status.textContent);
      assert.match(spoken, /RMSNorm: its output moved by/);
    });

    inPage("the benchmark runs when asked, checks first and names its clock", async (page) => {
      await page.waitForSelector("rn-bench .quick:not([disabled])");
      assert.equal(await page.$("rn-bench .times"), null);
      assert.equal((await page.$("rn-bench [data-software]")) !== null, expected.describesCpu);
      await page.select("#bench-shape", "1");
      await page.click("rn-bench .quick");
      await page.waitForSelector('rn-bench [data-done="true"]', { timeout: 300_000 });
      const kernels = ["copy", "layer", "rms"];
      const numbers = await values(page, kernels.flatMap((k) => [`bench.${k}.median`, `bench.${k}.ofCopy`, `bench.${k}.error`]));
      for (const [i, number] of numbers.entries()) assert.ok(i % 3 === 2 ? number >= 0 : number > 0, `${numbers}`);
      assert.equal(numbers[1], 1);
      assert.equal(numbers[2], 0);
      const [ratio, quantum] = await values(page, ["bench.ratio", "bench.quantum"]);
      assert.ok(ratio > 0 && quantum > 0);
      const headline = await page.$eval("rn-bench .headline", (line) => line.innerText);
      assert.match(headline, /On this device (RMSNorm takes .+ % of LayerNorm’s time|there is no measurable difference)/);
    });

    inPage("the benchmark stops when told", async (page) => {
      await page.waitForSelector("rn-bench .quick:not([disabled])");
      await page.select("#bench-shape", "2");
      await page.click("rn-bench .quick");
      await page.waitForSelector("rn-bench .stop");
      await page.click("rn-bench .stop");
      await page.waitForFunction(() => /Stopped/.test(document.querySelector("rn-bench [role=status]").innerText), {
        timeout: 300_000,
      });
      await page.waitForSelector("rn-bench .quick:not([disabled])");
    });

    for (const width of [1280, 390]) {
      for (const theme of ["light", "dark"]) {
        inPage(
          `axe finds nothing in ${theme} at ${width} px`,
          async (page) => {
            await page.select("rn-theme select", theme);
            await openComparison(page);
            await page.waitForSelector("rn-device dl");
            await page.evaluate(`${axe.source}; 0`);
            const violations = await page.evaluate(async () => {
              const { violations } = await globalThis.axe.run(document);
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
            });
            assert.deepEqual(violations, []);
          },
          width,
        );
      }
    }

    inPage(
      "nothing is wider than 320 px",
      async (page) => {
        await openComparison(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 320, `${wide}`);
      },
      320,
    );
  });
}

describe("page, built", () => {
  const files = () => readdirSync(join(pageFolder, "assets"));
  const gzipped = (file) => gzipSync(readFileSync(join(pageFolder, file)), { level: 9 }).length;
  const sum = (names) => names.reduce((total, name) => total + gzipped(name), 0);
  const html = () => readFileSync(join(pageFolder, "index.html"), "utf8");
  const loaded = (extension) => [...html().matchAll(new RegExp(`(?:src|href)="\\./(assets/[^"]+\\.${extension})"`, "g"))].map((match) => match[1]);

  test("first load keeps its budgets", () => {
    assert.ok(sum(loaded("js")) <= 60_000, `JavaScript: ${sum(loaded("js"))}`);
    assert.ok(sum(["index.html", ...loaded("css")]) <= 60_000, "HTML and CSS");
    const wasm = files().filter((file) => file.startsWith("rownorm_bg"));
    assert.equal(wasm.length, 1);
    assert.ok(gzipped(`assets/${wasm[0]}`) <= 96_000, "wasm");
    assert.ok(sum(files().filter((file) => file.endsWith(".woff2")).map((file) => `assets/${file}`)) <= 90_000, "fonts");
  });

  test("text and formulas stand without script", () => {
    assert.match(html(), /<noscript>/);
    assert.match(html(), /class="katex"/);
    assert.doesNotMatch(html(), /<tex/);
  });
});

/** Scrolls to the comparison and waits for its first results. */
async function openComparison(page) {
  await page.waitForSelector("rn-compare");
  await page.$eval("#real", (section) => section.scrollIntoView({ behavior: "instant" }));
  await page.waitForFunction(() => document.querySelectorAll("rn-compare tbody tr").length === 7, { timeout: 120_000 });
}

/** Waits until exactly these norms call their output unchanged, and the others moved. */
async function moved(page, unchanged) {
  await page.waitForFunction(
    (norms, unchanged, limit) => {
      const value = (norm) => Number(document.querySelector(`[data-claim="real.${norm}.moved"]`)?.dataset.value ?? NaN);
      return norms.every((norm) => (unchanged.includes(norm) ? value(norm) <= limit : value(norm) > limit));
    },
    { timeout: 60_000 },
    NORMS,
    unchanged,
    UNCHANGED,
  );
}

/** The values of claims, unrounded; NaN where one is not on the page. */
function values(page, ids) {
  return page.evaluate((ids) => ids.map((id) => Number(document.querySelector(`[data-claim="${id}"]`)?.dataset.value ?? NaN)), ids);
}

/** Waits for the claims to have these values. */
async function claimed(page, expected, tolerance = 0) {
  const wait = page.waitForFunction(
    (expected, tolerance) =>
      Object.entries(expected).every(([id, value]) => {
        const found = document.querySelector(`[data-claim="${id}"]`)?.dataset.value;
        return found !== undefined && Math.abs(Number(found) - value) <= tolerance;
      }),
    { timeout: 20_000 },
    expected,
    tolerance,
  );
  try {
    await wait;
  } catch {
    assert.deepEqual(await values(page, Object.keys(expected)), Object.values(expected), Object.keys(expected).join(", "));
  }
}

/** The claims that do not hold. */
function failed(page) {
  return page.$$eval('[data-claim][data-status="fail"]', (claims) => claims.map(({ dataset }) => `${dataset.claim} = ${dataset.value}`));
}
