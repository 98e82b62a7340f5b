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

/** What the page must run on in each browser, and what it must say of it. Both adapters are software. */
const BROWSERS = {
  "Chromium, SwiftShader": { on: "gpu", card: /Runs on\s+WebGPU/ },
  "Chromium without an adapter": { on: "cpu", card: /Runs on\s+WebAssembly[^]*offers no adapter/ },
  "Firefox, lavapipe": { on: "gpu", card: /Runs on\s+WebGPU/ },
  "Firefox without WebGPU": { on: "cpu", card: /Runs on\s+WebAssembly[^]*has no WebGPU/ },
};

/**
 * The first figure is to be of use within a second of a visit. The servers that run these tests have two slow cores and
 * a browser that has just started: they get twice that.
 */
const FIRST_FIGURE_MS = 2000;

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

for (const [name, { on, card }] of Object.entries(BROWSERS)) {
  describe(`page in ${name}`, () => {
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    /**
     * A test on a fresh page: it must not complain, nor ask another host for anything. `before` is run in the page ahead
     * of its own scripts; `answer` is what the site answers otherwise meanwhile.
     */
    function inPage(title, work, { width = 1280, before, answer, complains = false } = {}) {
      test(`${title} (${name})`, async (t) => {
        if (answer) t.after(site.answer(...answer));
        const page = await browser.open("about:blank");
        const foreign = [];
        page.on("request", (request) => {
          const url = request.url();
          if (!url.startsWith(site.origin) && !/^(about|data|blob):/.test(url)) foreign.push(url);
        });
        await page.setViewport({ width, height: 900 });
        if (before) await page.evaluateOnNewDocument(before);
        await page.goto(site.origin);
        await work(page, t);
        if (!complains) assert.deepEqual(page.complaints, []);
        assert.deepEqual(foreign, []);
        assert.deepEqual(await failed(page), []);
        await page.close();
      });
    }
    const onGpu = on === "gpu" ? inPage : () => {};
    const onCpu = on === "cpu" ? inPage : () => {};

    inPage(
      "the first figure is soon of use",
      async (page, t) => {
        await page.waitForSelector("rn-two .handle");
        const ms = await page.evaluate(() => globalThis.firstFigure);
        t.diagnostic(`${Math.round(ms)} ms from navigation to a point that can be moved (${name})`);
        assert.ok(ms > 0 && ms < FIRST_FIGURE_MS, `${ms} ms`);
      },
      {
        before: () => {
          const observer = new MutationObserver(() => {
            if (!document.querySelector("rn-two .handle")) return;
            globalThis.firstFigure = performance.now();
            observer.disconnect();
          });
          observer.observe(document, { childList: true, subtree: true });
        },
      },
    );

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

    // Both layouts, and the width between where the style sheet decides how large the plane is.
    for (const width of [1280, 768, 390]) {
      inPage(
        `two features: the point is under the pointer at ${width} px`,
        async (page) => {
          await page.waitForSelector("rn-two .handle");
          await page.$eval("rn-two .plane", (plane) => plane.scrollIntoView({ block: "center", behavior: "instant" }));
          const place = () =>
            page.$eval("rn-two .handle circle:last-of-type", (point) => {
              const box = point.getBoundingClientRect();
              return [box.x + box.width / 2, box.y + box.height / 2];
            });
          const box = await page.$eval("rn-two .plane", (plane) => plane.getBoundingClientRect().toJSON());
          await page.mouse.move(...(await place()));
          await page.mouse.down();
          for (const [x, y] of [[0.3, 0.3], [0.8, 0.4], [0.25, 0.25]]) {
            const pointer = [box.x + box.width * x, box.y + box.height * y];
            await page.mouse.move(...pointer, { steps: 5 });
            await page.evaluate(() => new Promise(requestAnimationFrame));
            const point = await place();
            const off = Math.hypot(point[0] - pointer[0], point[1] - pointer[1]);
            // The point's coordinates are rounded to a hundredth, which is less than a pixel.
            assert.ok(off < 1.5, `${off} px: the pointer is at ${pointer}, the point at ${point}`);
          }
          await page.mouse.up();
          await claimed(page, { "two.layer.0": -1, "two.layer.1": 1 });
        },
        { width },
      );
    }

    inPage("the device is named, and why there is none", async (page) => {
      await page.waitForSelector("rn-device dl");
      assert.match(await page.$eval("rn-device", (element) => element.innerText), card);
      assert.equal(await page.$eval("rn-device [data-on]", (element) => element.dataset.on), on);
    });

    inPage(
      "a module that cannot be loaded is no CPU",
      async (page) => {
        await page.waitForFunction(() => /does not run/.test(document.querySelector("rn-device").innerText));
        assert.equal(await page.$eval("rn-device [data-on]", (element) => element.dataset.on), "none");
        await page.$eval("#real", (section) => section.scrollIntoView({ behavior: "instant" }));
        await page.waitForFunction(() => /could not be loaded/.test(document.querySelector("rn-compare").innerText));
        for (const figure of ["rn-device", "rn-compare", "rn-bench"]) {
          const text = await page.$eval(figure, (element) => element.innerText);
          assert.match(text, /could not be loaded[^]*Reload the page/, figure);
          assert.doesNotMatch(text, /works all the same|no WebGPU|your CPU|Computing|few seconds/, figure);
        }
        assert.match(await page.$eval("rn-two", (element) => element.innerText), /could not be loaded/);
        assert.notEqual(await page.$("rn-bench .quick[disabled]"), null);
      },
      { complains: true, answer: [/rownorm_bg/, { status: 503 }] },
    );

    onGpu(
      "a fault of the GPU is told, and only the visitor goes on with the CPU",
      async (page) => {
        await openComparison(page);
        await setGpuFault(page, true);
        await page.focus("#real-shift");
        await page.keyboard.press("ArrowRight");
        await page.waitForSelector("rn-compare [data-fault]");
        // Nothing old or computed elsewhere stands there, however long one waits.
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.equal(await page.$("rn-compare tbody tr"), null);
        assert.equal(await page.$('[data-on="cpu"]'), null);
        for (const figure of ["rn-device", "rn-compare", "rn-bench"]) {
          assert.match(await page.$eval(figure, (element) => element.innerText), /The GPU failed: .*reading results back failed/, figure);
        }
        assert.notEqual(await page.$("rn-bench .quick[disabled]"), null);
        // What the engine held is given back.
        assert.equal(await lostDevices(page), "all");
        // A fault may pass.
        await setGpuFault(page, false);
        await page.$$eval("rn-compare [data-fault] button", ([again]) => again.click());
        await page.waitForSelector('rn-compare table[data-on="gpu"] tbody tr');
        await moved(page, IGNORES_SHIFT);
        await setGpuFault(page, true);
        await page.focus("#real-shift");
        await page.keyboard.press("ArrowRight");
        await page.waitForSelector("rn-compare [data-fault]");
        await page.click("rn-compare .go-on-with-cpu");
        await page.waitForSelector('rn-compare table[data-on="cpu"] tbody tr');
        await moved(page, IGNORES_SHIFT);
        assert.equal(await page.$eval("rn-device [data-on]", (element) => element.dataset.on), "cpu");
        for (const figure of ["rn-device", "rn-bench"]) {
          const text = await page.$eval(figure, (element) => element.innerText);
          assert.match(text, /You chose the CPU/, figure);
          assert.doesNotMatch(text, /no WebGPU|no adapter/i, figure);
        }
        assert.equal(await lostDevices(page), "all");
      },
      { before: watchGpu },
    );

    inPage("real activations: who ignores a shift, who a factor", async (page) => {
      await openComparison(page);
      assert.equal(await page.$eval("rn-compare table", (table) => table.dataset.on), on);
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

    inPage(
      "real activations: what could not be loaded leaves nothing old behind",
      async (page) => {
        await openComparison(page);
        const undo = site.answer(/\.npy$/, { status: 503 });
        try {
          await page.select("#real-layer", "0");
          await page.waitForSelector("rn-compare [role=alert]");
          assert.match(await page.$eval("rn-compare [role=alert]", (notice) => notice.innerText), /could not be loaded \(503\)/);
          assert.equal(await page.$("rn-compare tbody tr, rn-compare .compare-plots"), null);
          assert.doesNotMatch(await page.$eval("rn-compare", (figure) => figure.innerText), /Computing|The layer:/);
        } finally {
          undo();
        }
        await page.select("#real-row", "2");
        await page.waitForSelector('rn-compare table[data-layer="0"][data-row="2"] tbody tr');
        assert.equal(await page.$("rn-compare [role=alert]"), null);
      },
      { complains: true },
    );

    onGpu(
      "real activations: what is drawn belongs to one choice",
      async (page) => {
        await openComparison(page);
        const drawn = () =>
          page.$eval("rn-compare", (figure) => ({
            ...figure.querySelector("table").dataset,
            paths: [...figure.querySelectorAll(".compare-plots path")].map((path) => path.getAttribute("d")).join(),
            moved: figure.querySelector('[data-claim="real.rms.moved"]').dataset.value,
          }));
        const before = await drawn();
        assert.deepEqual([before.shift, before.exponent], ["1", "0"]);
        await page.evaluate(() => void (globalThis.held = new Promise((resolve) => (globalThis.release = resolve))));
        await page.focus("#real-shift");
        await page.keyboard.press("End");
        await page.waitForSelector('rn-compare .compare[aria-busy="true"]');
        assert.equal(await page.$eval("#real-shift", (slider) => slider.value), "4");
        assert.deepEqual(await drawn(), before);
        await page.evaluate(() => globalThis.release());
        await page.waitForSelector('rn-compare .compare[aria-busy="false"] table[data-shift="4"]');
        const after = await drawn();
        assert.notEqual(after.paths, before.paths);
        assert.notEqual(after.moved, before.moved);
      },
      { before: watchGpu },
    );

    inPage("real activations: every row of a layer is there, and no other", async (page) => {
      await openComparison(page);
      for (const layer of ["0", "5"]) {
        await page.select("#real-layer", layer);
        const rows = await page.$$eval("#real-row option", (options) => options.map((option) => option.value));
        await page.select("#real-row", rows.at(-1));
        await page.waitForSelector(`rn-compare table[data-layer="${layer}"][data-row="${rows.length - 1}"]`);
        assert.equal(await page.$("rn-compare [role=alert]"), null);
      }
      // Another layer starts with a row it has.
      await page.select("#real-layer", "1");
      await page.waitForSelector('rn-compare table[data-layer="1"][data-row="1"]');
      assert.equal(await page.$eval("#real-row", (select) => select.value), "1");
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

    inPage("the benchmark runs when asked, checks first and tells what it did", async (page) => {
      await page.waitForSelector("rn-bench .quick:not([disabled])");
      assert.equal(await page.$("rn-bench .times"), null);
      assert.notEqual(await page.$("rn-bench [data-software]"), null);
      await page.select("#bench-shape", "1");
      await page.click("rn-bench .quick");
      await page.waitForSelector('rn-bench [data-done="true"]', { timeout: 300_000 });
      assert.equal(await page.$eval("rn-bench [data-done]", (results) => results.dataset.on), on);
      const kernels = ["copy", "layer", "rms"];
      const numbers = await values(page, kernels.flatMap((k) => [`bench.${k}.median`, `bench.${k}.ofCopy`, `bench.${k}.error`]));
      for (const [i, number] of numbers.entries()) assert.ok(i % 3 === 2 ? number >= 0 : number > 0, `${numbers}`);
      assert.equal(numbers[1], 1);
      assert.equal(numbers[2], 0);
      const [ratio, quantum, clock] = await values(page, ["bench.ratio", "bench.quantum", "bench.clockError"]);
      assert.ok(ratio > 0 && quantum > 0 && clock > 0, `${[ratio, quantum, clock]}`);
      // What nothing judges does not look as if it had been judged.
      const judged = await page.$$eval("rn-bench [data-status][data-claim]", (claims) => claims.map(({ dataset }) => dataset.claim));
      assert.deepEqual(judged, kernels.map((kernel) => `bench.${kernel}.error`));
      const compiled = await values(page, kernels.map((kernel) => `bench.${kernel}.compile`));
      assert.ok(compiled.every((ns) => ns > 0 === (on === "gpu")), `${compiled}`);
      const headline = await page.$eval("rn-bench .headline", (line) => line.innerText);
      assert.match(headline, /On this device (RMSNorm takes .+\s% of LayerNorm’s time|there is no measurable difference)/);
      // Spans may be dropped, and then that is told.
      const caption = await page.$eval("rn-bench .caption", (caption) => caption.innerText);
      const counts = await page.$eval("rn-bench [data-spans]", ({ dataset }) => dataset.spans.split(" ").map(Number));
      assert.ok(counts.length === 3 && counts.every((count) => count > 0 && count <= 21), `${counts}`);
      assert.equal(/Dropped/.test(caption), counts.some((count) => count < 21), caption);
      assert.match(caption, /after 3 rounds that are thrown away/);
      assert.equal(/\*/.test(caption), false);
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
      // What was not checked is not called right.
      const marks = await page.$$eval("rn-bench tbody tr", (rows) =>
        rows.map((row) => [row.querySelector("[data-claim$='.error']") !== null, row.querySelector(".mark").dataset.status]),
      );
      for (const [checked, status] of marks) assert.equal(status ?? null, checked ? "pass" : null, JSON.stringify(marks));
    });

    inPage(
      "the benchmark survives a fault of its module",
      async (page) => {
        const trap = 'setTimeout(() => { throw new WebAssembly.RuntimeError("asked for"); }, 50);';
        const undo = site.answer(/bench\.worker/, { text: (text) => `${trap}${text}` });
        try {
          await page.waitForSelector("rn-bench .quick:not([disabled])");
          await page.select("#bench-shape", "2");
          await page.click("rn-bench .quick");
          const failed = () => /The run failed: .*asked for/.test(document.querySelector("rn-bench [role=status]").innerText);
          await page.waitForFunction(failed, { timeout: 60_000 });
          assert.equal((await page.$("rn-bench .go-on-with-cpu")) !== null, on === "gpu");
        } finally {
          undo();
        }
        await page.select("#bench-shape", "0");
        await page.click("rn-bench .quick");
        await page.waitForSelector('rn-bench [data-done="true"]', { timeout: 300_000 });
        assert.equal(await page.$eval("rn-bench [data-done]", (results) => results.dataset.on), on);
      },
      { complains: true },
    );

    onCpu("the benchmark keeps its spans short under a coarse clock, and tells its error", async (page) => {
      const coarse = "{ const now = performance.now.bind(performance); performance.now = () => Math.floor(now() / 100) * 100; }";
      const undo = site.answer(/bench\.worker/, { text: (text) => `${coarse}${text}` });
      try {
        await page.waitForSelector("rn-bench .quick:not([disabled])");
        await page.select("#bench-shape", "1");
        await page.click("rn-bench .quick");
        // A hundred steps of this clock would make each span 10 s, and the run a quarter of an hour.
        await page.waitForSelector('rn-bench [data-done="true"]', { timeout: 60_000 });
      } finally {
        undo();
      }
      const [quantum, error] = await values(page, ["bench.quantum", "bench.clockError"]);
      assert.equal(quantum, 1e8);
      assert.ok(error > 0.3, `${error}`);
      assert.match(await page.$eval("rn-bench .caption", (caption) => caption.innerText), /smallest step 100 ms, up to/);
    });

    onGpu(
      "a matrix that is not offered any more is not chosen any more",
      async (page) => {
        await page.waitForSelector("rn-bench .quick:not([disabled])");
        await page.select("#bench-shape", "4");
        await openComparison(page);
        await setGpuFault(page, true);
        await page.focus("#real-shift");
        await page.keyboard.press("ArrowRight");
        await page.waitForSelector("rn-compare .go-on-with-cpu");
        await page.click("rn-compare .go-on-with-cpu");
        await page.waitForSelector("rn-bench .quick:not([disabled])");
        const shape = await page.$eval("#bench-shape", (select) => select.selectedOptions[0]?.innerText);
        assert.match(shape, /^\s*512 × 2048/);
        await page.click("rn-bench .quick");
        await page.waitForSelector("rn-bench progress");
        await page.click("rn-bench .stop");
        await page.waitForSelector("rn-bench [data-done]");
      },
      {
        before: `(${watchGpu})(); if ("gpu" in navigator) Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false });`,
      },
    );

    /** Only Chromium can be told to be a printer, or to have the visitor's colours. */
    const inChromium = name === "Chromium without an adapter" ? inPage : () => {};

    inChromium("what is printed from a dark screen is dark on light", async (page) => {
      await page.select("rn-theme select", "dark");
      await page.waitForSelector("rn-two .handle");
      const ink = () => page.evaluate(() => getComputedStyle(document.body).color.match(/[\d.]+/g).slice(0, 3).map(Number));
      assert.ok((await ink()).every((part) => part > 150), "the dark theme has light ink");
      await page.emulateMediaType("print");
      assert.ok((await ink()).every((part) => part < 100), `${await ink()}`);
      const hidden = await page.$$eval(".bar, .bench-controls", (parts) => parts.every((part) => part.checkVisibility() === false));
      assert.ok(hidden);
    });

    inChromium("in the visitor's own colours curves and sections can be told apart, and the button read", async (page) => {
      await openComparison(page);
      const client = await page.createCDPSession();
      const style = (selector, property) =>
        page.$eval(selector, (element, property) => getComputedStyle(element)[property], property);
      for (const scheme of ["light", "dark"]) {
        await client.send("Emulation.setEmulatedMedia", {
          features: [{ name: "forced-colors", value: "active" }, { name: "prefers-color-scheme", value: scheme }],
        });
        const [layer, rms] = ["sym-layer", "sym-rms"].map((name) => style(`.two-side svg.chart path.line.${name}`, "stroke"));
        assert.notEqual(await layer, await rms);
        const paper = await style("body", "backgroundColor");
        for (const line of [layer, rms]) assert.notEqual(await line, paper);
        // The text of a button whose background is set stands on a plate of its own, unless the button opts out.
        assert.equal(await style("rn-bench .quick", "forcedColorAdjust"), "none");
        assert.notEqual(await style("rn-bench .quick", "color"), await style("rn-bench .quick", "backgroundColor"));
        await page.waitForSelector(".bar nav a[aria-current]");
        const [current, other] = ["[aria-current]", ":not([aria-current])"].map((which) => style(`.bar nav a${which} span`, "borderBottomColor"));
        assert.notEqual(await current, await other);
      }
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
          { width },
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
      { width: 320 },
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

/** Runs in the page ahead of its scripts: remembers devices, and lets tests hold results back or fail them. */
function watchGpu() {
  // Not on the blank page before.
  if (!("gpu" in navigator)) return;
  globalThis.devices = [];
  globalThis.held = undefined;
  globalThis.faulty = false;
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...options) {
    const device = await requestDevice.apply(this, options);
    globalThis.devices.push(device);
    return device;
  };
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = async function (...range) {
    await globalThis.held;
    if (globalThis.faulty) throw new DOMException("asked for", "OperationError");
    return mapAsync.apply(this, range);
  };
}

/** Lets results of the GPU fail, or not any more. */
function setGpuFault(page, faulty) {
  return page.evaluate((faulty) => void (globalThis.faulty = faulty), faulty);
}

/** Whether the page gave all its devices back. */
function lostDevices(page) {
  return page.evaluate(async () => {
    const lost = Promise.all(globalThis.devices.map((device) => device.lost)).then(() => "all");
    return Promise.race([lost, new Promise((resolve) => setTimeout(resolve, 5000, "not all"))]);
  });
}

/** The claims that do not hold. */
function failed(page) {
  return page.$$eval('[data-claim][data-status="fail"]', (claims) => claims.map(({ dataset }) => `${dataset.claim} = ${dataset.value}`));
}
