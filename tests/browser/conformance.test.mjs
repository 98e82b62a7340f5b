// The conformance cases in real browsers: on the wgpu host compiled to wasm, and on a plan executor on a raw
// GPUDevice, which knows subgroups where the browser does. Both judged against float64.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch } from "./support/browsers.mjs";
import { serveSite } from "./support/site.mjs";

/** Compiling takes most of the time; the sweep over every short row length is left to the native adapters. */
const SELECTION = { except: "^dim_" };

/** Firefox' executor differs from its wgpu host in nothing but the host: the reported faults suffice. */
const FAULTS = { only: "^B" };

const RUNS = [
  { browser: "Firefox, lavapipe", engine: "wgpu", selection: SELECTION, least: 500 },
  { browser: "Firefox, lavapipe", engine: "executor", selection: FAULTS, least: 100 },
  { browser: "Chromium, SwiftShader", engine: "wgpu", selection: SELECTION, least: 500 },
  { browser: "Chromium, SwiftShader", engine: "executor", selection: SELECTION, least: 1000, subgroups: true },
];

const STRATEGIES_WITH_SUBGROUPS = ["row_per_workgroup_subgroup", "row_per_subgroup"];

/** What the name of a run with subgroups ends in. */
const WITH_SUBGROUPS = new RegExp(`::(${STRATEGIES_WITH_SUBGROUPS.join("|")})$`);

/** Narrows the runs while one works on something: a pattern of names. */
const NARROWED = process.env.ROWNORM_CASES;

/** Everything here waits for compilers. */
const timeout = 1_800_000;

let site;
before(async () => {
  site = await serveSite();
});
after(() => site.close());

async function inPage(name, work) {
  const browser = await launch(name);
  try {
    const page = await browser.open(site.origin);
    const log = (done, total) => console.log(`${name}: ${done} of ${total}`);
    await page.exposeFunction("progress", log);
    const result = await work(page);
    assert.deepEqual(page.complaints, []);
    return result;
  } finally {
    await browser.close();
  }
}

// The two browsers at once: each compiles on one core.
describe("conformance", { concurrency: true, timeout }, () => {
  for (const name of new Set(RUNS.map(({ browser }) => browser))) {
    describe(name, { concurrency: 1, timeout }, () => {
      for (const { browser, engine, selection, least, subgroups } of RUNS.filter(({ browser }) => browser === name)) {
        test(`cases against float64 (${engine}; ${browser})`, { timeout }, async (t) => {
          const report = await inPage(name, (page) => {
            return page.evaluate(
              async (engine, selection) => {
                const { run } = await import("/tests/support/suite.mjs");
                return run(engine, selection, window.progress);
              },
              engine,
              NARROWED ? { only: NARROWED } : selection,
            );
          });
          t.diagnostic(`${report.passed.length} passed, ${report.skipped.length} skipped`);
          // `cargo xtask test` counts these lines.
          const skip = (what, why) => t.diagnostic(`skipped ${what} (${engine}; ${browser}): ${why}`);
          if (!subgroups) STRATEGIES_WITH_SUBGROUPS.forEach((name) => skip(`*::${name}`, "no subgroups are offered"));
          for (const { case: skipped, reason } of report.skipped) skip(skipped, reason);
          assert.equal(report.failures.length, 0, described(report.failures));
          if (NARROWED) return;
          assert.ok(report.passed.length >= least, `${report.passed.length} passed; ${least} at least were expected`);
          const withSubgroups = report.passed.filter((passed) => WITH_SUBGROUPS.test(passed)).length;
          assert.equal(withSubgroups > 0, subgroups ?? false, `${withSubgroups} runs with subgroups`);
        });
      }

      test(`every program is accepted (${name})`, { timeout }, async (t) => {
        const { count, pipelines, subgroups, failures } = await inPage(name, (page) => {
          return page.evaluate(async () => {
            const { checkPrograms } = await import("/tests/support/suite.mjs");
            return checkPrograms(window.progress);
          });
        });
        t.diagnostic(`${count} programs, ${pipelines} pipelines, ${subgroups ? "with" : "without"} subgroups`);
        assert.equal(failures.length, 0, some(failures));
        assert.ok(count > 100, `${count} programs`);
        assert.equal(subgroups !== null, name.startsWith("Chromium"));
      });
    });
  }

  test("the comparisons can fail (Chromium, SwiftShader)", { timeout }, async () => {
    const { refused, reports } = await inPage("Chromium, SwiftShader", (page) => {
      return page.evaluate(async () => (await import("/tests/support/suite.mjs")).controls());
    });
    assert.match(refused, /^\d+:\d+ /);
    for (const [what, failures] of Object.entries(reports)) {
      assert.equal(failures.length > 0, what !== "nothing", `${what}: ${described(failures)}`);
    }
  });
});

function described(failures) {
  return some(failures.map(({ case: name, detail }) => `${name}: ${detail}`));
}

/** Enough of a long list to see what is wrong. */
function some(lines, most = 50) {
  const rest = lines.length > most ? [`… and ${lines.length - most} more`] : [];
  return [...lines.slice(0, most), ...rest].join("\n");
}
