// The browsers of the tests, each in the states that visitors have them in.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { chromium, firefox } from "./places.mjs";

const QUIET = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How each browser is started. */
const LAUNCH = {
  /** Chromium with WebGPU on SwiftShader: subgroups, timestamps. */
  "Chromium, SwiftShader": {
    executablePath: chromium,
    args: [...QUIET, "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
  },
  /** Chromium whose `navigator.gpu` finds no adapter: many real visitors. */
  "Chromium without an adapter": { executablePath: chromium, args: QUIET },
  /** Firefox with WebGPU on lavapipe: no subgroups, and of the adapter only that it is a fallback. */
  "Firefox, lavapipe": {
    browser: "firefox",
    executablePath: firefox,
    extraPrefsFirefox: { "dom.webgpu.enabled": true, "gfx.webgpu.ignore-blocklist": true },
  },
  /** Firefox without WebGPU: no `navigator.gpu`. */
  "Firefox without WebGPU": {
    browser: "firefox",
    executablePath: firefox,
    extraPrefsFirefox: { "dom.webgpu.enabled": false },
  },
};

/** The most that one call into a page may take, in milliseconds. */
const PROTOCOL_TIMEOUT = 1_500_000;

/**
 * Starts a browser.
 *
 * @param {keyof typeof LAUNCH} name
 */
export async function launch(name) {
  const options = LAUNCH[name];
  const userDataDir = mkdtempSync(join(tmpdir(), "rownorm-browser-"));
  const browser = await puppeteer.launch({ ...options, headless: true, userDataDir, protocolTimeout: PROTOCOL_TIMEOUT });
  return {
    /** Opens a page; `page.complaints` collects what its console and its errors say against it. */
    async open(address) {
      const page = await browser.newPage();
      page.complaints = [];
      page.on("console", (message) => {
        if (message.type() === "error") page.complaints.push(message.text());
      });
      page.on("pageerror", (error) => page.complaints.push(String(error)));
      await page.goto(address);
      return page;
    },
    async close() {
      await browser.close();
      rmSync(userDataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
