// The npm package's façade in real browsers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch } from "./support/browsers.mjs";
import { serveSite } from "./support/site.mjs";

let site;
before(async () => {
  site = await serveSite();
});
after(() => site.close());

/** Defines tests in one browser; each gets a fresh page, and no page may complain. */
function inBrowser(name, define) {
  describe(`façade in ${name}`, () => {
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());
    define((title, work, { complains = false } = {}) => {
      test(`${title} (${name})`, async () => {
        const page = await browser.open(site.origin);
        await work(page);
        if (!complains) assert.deepEqual(page.complaints, []);
        await page.close();
      });
    });
  });
}

for (const name of ["Chromium, SwiftShader", "Firefox, lavapipe"]) {
  inBrowser(name, (inPage) => {
    inPage("calls on one engine may overlap", async (page) => {
      const worst = await page.evaluate(async () => {
        const { RowNorm, reference } = await import("/package/index.js");
        const engine = await RowNorm.request();
        const calls = Array.from({ length: 12 }, (_, call) => {
          const dim = 5 + 16 * call;
          const x = Float32Array.from({ length: dim * 7 }, (_, i) => Math.sin(i * (call + 1)) * 3 + call);
          const weight = Float32Array.from({ length: dim }, (_, i) => 1 + i / dim);
          const options = call % 2 ? { norm: "rms", dim, weight } : { norm: "layer", dim, stats: true };
          return { x, options };
        });
        const results = await Promise.all(calls.map(({ x, options }) => engine.run(x, options)));
        return Math.max(
          ...results.map(({ y }, call) => {
            const { x, options } = calls[call];
            const truth = reference(x, options);
            const off = truth.y.map((v, i) => Math.abs(y[i] - v) / truth.tolerance[Math.floor(i / options.dim)]);
            return y.length === x.length ? Math.max(...off) : Infinity;
          }),
        );
      });
      assert.ok(worst <= 1, `worst deviation is ${worst} tolerances`);
    });

    inPage("results stay valid while the module's memory grows", async (page) => {
      const result = await page.evaluate(async () => {
        const { RowNorm, runCpu } = await import("/package/index.js");
        const engine = await RowNorm.request();
        const options = { norm: "rms-plain", dim: 4, stats: true };
        const gpu = await engine.run(new Float32Array([3, 3, 3, 3]), options);
        const cpu = runCpu(new Float32Array([3, 3, 3, 3]), options);
        const large = runCpu(new Float32Array(1 << 25).fill(2), { ...options, dim: 1 << 20 });
        return { gpu: [...gpu.y, ...gpu.stats], cpu: [...cpu.y, ...cpu.stats], large: large.y.length };
      });
      assert.equal(result.large, 1 << 25);
      for (const values of [result.gpu, result.cpu]) {
        assert.equal(values.length, 6);
        assert.deepEqual(
          values.map((v) => Number(v.toFixed(4))),
          [1, 1, 1, 1, 0, 0.3333],
        );
      }
    });

    inPage("a destroyed device rejects with its own error, and a new engine works", async (page) => {
      const result = await page.evaluate(async () => {
        const { DeviceLostError, RowNorm, RowNormError } = await import("/package/index.js");
        const options = { norm: "layer-simple", dim: 2 };
        const x = new Float32Array([1, 3]);
        const engine = await RowNorm.request();
        await engine.run(x, options);
        engine.destroy();
        const caught = (promise) => promise.then(() => "no error").catch((error) => error);
        const lost = await caught(engine.run(x, options));
        engine.free();
        engine.free();
        const freed = await caught(engine.run(x, options));
        const again = await RowNorm.request();
        const { y } = await again.run(x, options);
        return {
          lost: [lost instanceof DeviceLostError, lost instanceof RowNormError, lost.code, lost.name, lost.message],
          freed: freed.code,
          y: [...y],
        };
      });
      assert.deepEqual(result.lost.slice(0, 4), [true, true, "device-lost", "DeviceLostError"]);
      assert.match(result.lost[4], /device is lost/);
      assert.equal(result.freed, "freed");
      assert.ok(Math.abs(result.y[1] - 1) < 1e-4 && Math.abs(result.y[0] + 1) < 1e-4, String(result.y));
    });

    inPage("a call in flight when the device is destroyed settles", async (page) => {
      const outcomes = await page.evaluate(async () => {
        const { RowNorm } = await import("/package/index.js");
        const engine = await RowNorm.request();
        const x = new Float32Array(1 << 20).fill(1);
        const calls = [1, 2, 3].map(() => engine.run(x, { norm: "rms-plain", dim: 1024 }));
        engine.destroy();
        const settled = await Promise.allSettled(calls);
        return settled.map(({ status, value, reason }) => (status === "fulfilled" ? value.y.length : reason.code));
      });
      for (const outcome of outcomes) assert.equal(outcome, "device-lost");
    });

    inPage("every buffer of a call is destroyed, whether it goes well or not", async (page) => {
      const counts = await page.evaluate(async () => {
        const { RowNorm } = await import("/package/index.js");
        const engine = await RowNorm.request();
        const living = new Set();
        const { createBuffer } = GPUDevice.prototype;
        const { destroy } = GPUBuffer.prototype;
        GPUDevice.prototype.createBuffer = function (descriptor) {
          const buffer = createBuffer.call(this, descriptor);
          living.add(buffer);
          return buffer;
        };
        GPUBuffer.prototype.destroy = function () {
          living.delete(this);
          destroy.call(this);
        };
        const options = { norm: "layer", dim: 1024, weight: new Float32Array(1024), stats: true };
        const x = new Float32Array(64 * 1024).fill(1.5);
        const counts = {};
        await engine.run(x, options);
        counts.run = living.size;
        await engine.time(x, options, 3);
        counts.time = living.size;
        const call = engine.run(x, options);
        engine.destroy();
        counts.lost = await call.then(() => "no error").catch(({ code }) => `${code} ${living.size}`);
        return counts;
      });
      assert.deepEqual(counts, { run: 0, time: 0, lost: "device-lost 0" });
    });

    inPage("an array that the module's memory cannot hold rejects", async (page) => {
      const code = await page.evaluate(async () => {
        const { RowNorm } = await import("/package/index.js");
        const engine = await RowNorm.request();
        // 2 GiB of zeros, which no page touches.
        const x = new Float32Array(2 ** 29);
        return engine.run(x, { norm: "rms-plain", dim: 1024 }).then(() => "accepted", (error) => error.code);
      });
      assert.equal(code, "memory");
    });

    inPage("runs in a worker", async (page) => {
      const y = await page.evaluate(() => {
        return new Promise((resolve, reject) => {
          const worker = new Worker("/tests/pages/worker.mjs", { type: "module" });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
      });
      assert.deepEqual(
        y.map((v) => Number(v.toFixed(3))),
        [1.265, 0.632],
      );
    });

    inPage("times a pass", async (page) => {
      const timing = await page.evaluate(async () => {
        const { RowNorm } = await import("/package/index.js");
        const engine = await RowNorm.request();
        const x = new Float32Array(64 * 1024).fill(1.5);
        const timing = await engine.time(x, { norm: "layer", dim: 1024 }, 20);
        const none = await engine.time(new Float32Array(0), { norm: "layer", dim: 1024 });
        const refused = await engine.time(x, { norm: "layer", dim: 1024 }, 0).catch((error) => error.code);
        return { timing, none, refused, has: engine.caps.timestampQuery };
      });
      assert.equal(timing.timing.clock, timing.has ? "timestamp-query" : "wall clock");
      assert.equal(timing.timing.repeats, 20);
      assert.ok(timing.timing.wallMs > 0, JSON.stringify(timing));
      assert.ok(Number.isFinite(timing.timing.ms) && Number.isFinite(timing.none.ms), JSON.stringify(timing));
      assert.equal(timing.refused, "option");
    });

    inPage("says of the adapter what the browser tells", async (page) => {
      const { adapter, caps } = await page.evaluate(async () => {
        const { RowNorm } = await import("/package/index.js");
        const { adapter, caps } = await RowNorm.request();
        return { adapter, caps };
      });
      // Both run on the CPU here, and both browsers say so, whatever else they hide.
      assert.equal(adapter.software, true);
      assert.equal(caps.adapter, "cpu");
      assert.equal(caps.dialect, "browser");
      assert.equal(caps.subgroups, null);
    });

    inPage("refuses in one sentence what it cannot do", async (page) => {
      const errors = await page.evaluate(async () => {
        const { RowNorm, init, plan, runCpu } = await import("/package/index.js");
        const early = (() => {
          try {
            runCpu(new Float32Array(2), { norm: "rms", dim: 2 });
          } catch (error) {
            return error.code;
          }
        })();
        await Promise.all([init(), init()]);
        const engine = await RowNorm.request();
        const x = new Float32Array(6);
        const attempts = {
          dim: { norm: "rms", dim: 0 },
          length: { norm: "rms", dim: 4 },
          eps: { norm: "rms", dim: 3, eps: -1 },
          fraction: { norm: "prms", dim: 3, p: 2 },
          extent: { norm: "prms", dim: 3, p: 0.1 },
          spec: { norm: "rms-plain", dim: 3, weight: new Float32Array(3) },
          option: { norm: "rms", dim: 3, epsilon: 1 },
          strategy: { norm: "rms", dim: 3, strategy: "row_per_subgroup" },
        };
        const codes = {};
        for (const [name, options] of Object.entries(attempts)) {
          codes[name] = await engine.run(x, options).then(() => "accepted", (error) => error.code);
        }
        const wrong = await engine.run([1, 2, 3], { norm: "rms", dim: 3 }).catch((error) => error.message);
        const unknown = await engine.run(x, { norm: "rmsnorm", dim: 3 }).catch((error) => error.message);
        const caps = (() => {
          try {
            plan({ norm: "rms", dim: 3 }, { limits: {} });
          } catch (error) {
            return error.message;
          }
        })();
        const planned = plan({ norm: "rms-plain", dim: 4 }, engine.caps);
        const view = (buffer) => ({ buffer, bufferSize: 16 });
        const call = (() => {
          try {
            planned.dispatches({ rows: 1, eps: 1e-50, tensors: { x: view(0), y: view(1) } });
          } catch (error) {
            return error.code;
          }
        })();
        return { early, codes, wrong, unknown, caps, call };
      });
      assert.equal(errors.early, "not-initialized");
      for (const [name, code] of Object.entries(errors.codes)) assert.equal(code, name);
      assert.equal(errors.wrong, "x is of type Array; a Float32Array is needed");
      assert.match(errors.unknown, /no norm is called "rmsnorm"; there are layer, /);
      assert.equal(errors.call, "eps");
      assert.match(errors.caps, /lacks maxComputeInvocationsPerWorkgroup/);
    });

    inPage("a call of a plan may have an ε of its own", async (page) => {
      const { worst, refused } = await page.evaluate(async () => {
        const { capsOf, init, plan, reference } = await import("/package/index.js");
        const { Executor, requestDevice } = await import("/tests/executor.mjs");
        await init();
        const { device, info } = await requestDevice();
        const executor = new Executor(device);
        const [rows, dim] = [3, 4];
        const planned = plan({ norm: "layer-simple", dim, eps: 1e-5 }, capsOf({ limits: device.limits, features: device.features, info }));
        const x = Float32Array.from({ length: rows * dim }, (_, i) => Math.sin(i));
        const view = (buffer) => ({ buffer, bufferSize: x.byteLength });
        const call = { rows, tensors: { x: view(0), y: view(1) } };
        const off = async (eps) => {
          const [words] = await executor.run({
            kernels: planned.kernels,
            dispatches: planned.dispatches(eps === undefined ? call : { ...call, eps }),
            buffers: [new Uint32Array(x.buffer), new Uint32Array(x.length)],
            bufferOf: { x: 0, y: 1 },
            written: [1],
          });
          const y = new Float32Array(words.buffer, words.byteOffset, words.length);
          const truth = reference(x, { norm: "layer-simple", dim, eps: eps ?? 1e-5 });
          return Math.max(...Array.from(y, (v, i) => Math.abs(v - truth.y[i]) / truth.tolerance[Math.floor(i / dim)]));
        };
        const worst = [await off(), await off(1), await off(0)];
        const code = (work) => {
          try {
            work();
            return "accepted";
          } catch (error) {
            return error.code;
          }
        };
        const refused = code(() => planned.dispatches({ ...call, eps: -1 }));
        return { worst, refused };
      });
      assert.ok(worst.every((off) => off <= 1), `deviations are ${worst} tolerances`);
      assert.equal(refused, "eps");
    });

    inPage("no rows are no error", async (page) => {
      const lengths = await page.evaluate(async () => {
        const { RowNorm, reference, runCpu } = await import("/package/index.js");
        const engine = await RowNorm.request();
        const options = { norm: "layer", dim: 8, stats: true };
        const x = new Float32Array(0);
        const outputs = [await engine.run(x, options), runCpu(x, options), reference(x, options)];
        return outputs.map(({ y, stats, rms }) => [y.length, (stats ?? rms).length]);
      });
      assert.deepEqual(lengths, [
        [0, 0],
        [0, 0],
        [0, 0],
      ]);
    });

    for (const [what, fail] of [
      ["a panic", 'import("/panicking/rownorm.js").then((module) => module.conformancePanic())'],
      // Memory that cannot be had traps without a panic.
      ["a trap", 'setTimeout(() => { throw new WebAssembly.RuntimeError("asked for"); })'],
    ]) {
      inPage(
        `${what} rejects the calls in flight and every later one`,
        async (page) => {
          const settled = await page.evaluate(async (fail) => {
            const { RowNorm, RowNormError, init, reference, runCpu } = await import("/panicking/index.js");
            // Results are held back, so that calls are in flight.
            const { mapAsync } = GPUBuffer.prototype;
            let held = 0;
            GPUBuffer.prototype.mapAsync = () => (held++, new Promise(() => {}));
            const engine = await RowNorm.request();
            const x = new Float32Array([2, 1]);
            const options = { norm: "rms-plain", dim: 2 };
            const late = () => new Promise((_, reject) => setTimeout(reject, 5000, new Error("still pending")));
            const calls = [1, 2].map(() => Promise.race([engine.run(x, options), late()]));
            while (held < calls.length) await new Promise((resolve) => setTimeout(resolve, 10));
            GPUBuffer.prototype.mapAsync = mapAsync;
            // In a script of the page: the page hears nothing of errors in what the tests evaluate.
            document.head.append(Object.assign(document.createElement("script"), { textContent: fail }));
            await Promise.allSettled(calls);
            const later = [
              () => engine.run(x, options),
              () => RowNorm.request(),
              async () => runCpu(x, options),
              async () => reference(x, options),
            ];
            const results = await Promise.allSettled([...calls, ...later.map((call) => call())]);
            await init();
            return results.map(({ status, reason }) => [status, reason instanceof RowNormError, reason?.code, reason?.message]);
          }, fail);
          assert.equal(settled.length, 6);
          for (const [status, own, code, message] of settled) {
            assert.deepEqual([status, own, code], ["rejected", true, "internal"]);
            assert.match(message, /reload the page[^]*asked for/);
          }
        },
        { complains: true },
      );
    }

    inPage("nothing listens to the page's errors while no call is in flight", async (page) => {
      const listening = await page.evaluate(async () => {
        const { RowNorm } = await import("/package/index.js");
        let listening = 0;
        const { addEventListener, removeEventListener } = globalThis;
        globalThis.addEventListener = (type, ...rest) => {
          if (type === "error") listening++;
          addEventListener.call(globalThis, type, ...rest);
        };
        globalThis.removeEventListener = (type, ...rest) => {
          if (type === "error") listening--;
          removeEventListener.call(globalThis, type, ...rest);
        };
        const engine = await RowNorm.request();
        const calls = [1, 2, 3].map(() => engine.run(new Float32Array([2, 1]), { norm: "rms-plain", dim: 2 }));
        const during = listening;
        await Promise.all(calls);
        return [during, listening];
      });
      assert.deepEqual(listening, [1, 0]);
    });
  });
}

for (const [name, code, error] of [
  ["Firefox without WebGPU", "no-webgpu", "WebGpuMissingError"],
  ["Chromium without an adapter", "no-adapter", "NoAdapterError"],
]) {
  inBrowser(name, (inPage) => {
    inPage(`${error}, and the CPU path works`, async (page) => {
      const warnings = [];
      page.on("console", (message) => message.type() === "warn" && warnings.push(message.text()));
      const result = await page.evaluate(async () => {
        const { RowNorm, RowNormError, init, norms, plan, presets, reference, runCpu } = await import(
          "/package/index.js"
        );
        const error = await RowNorm.request().catch((error) => error);
        await init();
        const x = new Float32Array([2, 1]);
        const options = { norm: "rms-plain", dim: 2 };
        return {
          error: [error.code, error.name, error instanceof RowNormError],
          y: [...runCpu(x, options).y],
          truth: [...reference(x, options).y],
          norms: norms().map(({ name, eps }) => `${name} ${eps}`),
          presets: presets().length,
        };
      });
      assert.deepEqual(result.error, [code, error, true]);
      // The browser is asked once, and says so at most once.
      assert.ok(warnings.length <= 1, warnings.join("\n"));
      for (const y of [result.y, result.truth]) {
        assert.deepEqual(
          y.map((v) => Number(v.toFixed(3))),
          [1.265, 0.632],
        );
      }
      assert.deepEqual(result.norms.slice(0, 3), ["layer 0.00001", "layer-simple 0.00001", "rms 0.00001"]);
      assert.ok(result.presets > 10);
    });
  });
}

inBrowser("Chromium without an adapter", (inPage) => {
  inPage(
    "a load that failed can be tried again",
    async (page) => {
      const result = await page.evaluate(async () => {
        const { init, norms } = await import("/package/index.js");
        const failed = await init("/nowhere.wasm").catch((error) => error.code);
        await init();
        return { failed, norms: norms().length };
      });
      assert.deepEqual(result, { failed: "load", norms: 7 });
    },
    { complains: true },
  );
});
