// The JavaScript examples of the READMEs, as they stand, in real browsers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./support/browsers.mjs";
import { serveSite } from "./support/site.mjs";

const root = join(import.meta.dirname, "..", "..");

/** The fenced `js` blocks of a file. */
const examples = (...path) =>
  [...readFileSync(join(root, ...path), "utf8").matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

/** The numbers a line's comment promises to be logged. */
const promised = (code) =>
  [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text.split(", ").map(Number));

let site;
before(async () => {
  site = await serveSite();
});
after(() => site.close());

/** Runs an example as a module and answers what it logged, each entry as an array of numbers. */
async function run(page, code) {
  return page.evaluate(
    async (source) => {
      const logged = [];
      globalThis.exampleLog = (value) => logged.push([...value]);
      globalThis.device = await (await navigator.gpu.requestAdapter()).requestDevice();
      const text = source.replaceAll('"rownorm"', `"${location.origin}/package/index.js"`);
      const url = URL.createObjectURL(
        new Blob([text.replaceAll("console.log", "exampleLog")], { type: "text/javascript" }),
      );
      await import(url);
      return logged;
    },
    code,
  );
}

for (const name of ["Chromium, SwiftShader", "Firefox, lavapipe"]) {
  for (const path of [["README.md"], ["www", "package", "README.md"]]) {
    test(`the examples of ${path.join("/")} run (${name})`, async () => {
      const codes = examples(...path);
      assert.ok(codes.length > 0, "there is an example");
      const browser = await launch(name);
      try {
        for (const code of codes) {
          const page = await browser.open(site.origin);
          const logged = await run(page, code);
          const expected = promised(code);
          assert.equal(logged.length, expected.length);
          for (const [entry, numbers] of expected.entries()) {
            assert.equal(logged[entry].length, numbers.length);
            for (const [i, number] of numbers.entries()) {
              assert.ok(Math.abs(logged[entry][i] - number) <= 5e-4, `${logged[entry][i]} for ${number}`);
            }
          }
          assert.deepEqual(page.complaints, []);
          await page.close();
        }
      } finally {
        await browser.close();
      }
    });
  }
}
