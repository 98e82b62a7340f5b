// The JavaScript examples of the READMEs, as they stand, in real browsers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./support/browsers.mjs";
import { examples, kept, promised } from "./support/readme.mjs";
import { serveSite } from "./support/site.mjs";

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
  for (const path of ["README.md", "www/package/README.md"]) {
    test(`the examples of ${path} run (${name})`, async () => {
      const codes = examples(path, "js");
      assert.ok(codes.length > 0, "there is an example");
      const browser = await launch(name);
      try {
        for (const code of codes) {
          const page = await browser.open(site.origin);
          const logged = await run(page, code);
          const expected = promised(code);
          assert.equal(logged.length, expected.length);
          for (const [entry, numbers] of expected.entries()) {
            assert.ok(kept(logged[entry], numbers), `${logged[entry]} for ${numbers}`);
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
