// Everything the figures know of the library: the module, the device, and the CPU where there is none.
import { type AdapterInfo, type DeviceCaps, type Reference, RowNorm, RowNormError, type RunOptions, init, reference, runCpu } from "rownorm";

/** The module, loading since the page opened. Nothing below works before. */
export const ready: Promise<void> = init();

/** What the figures compute on. */
export type Device =
  | { kind: "gpu"; name: string; adapter: AdapterInfo; caps: DeviceCaps; engine: RowNorm }
  | { kind: "cpu"; reason: string; advice: string };

let asked: Promise<Device> | undefined;

/** The visitor's GPU, asked for once; the CPU, with the reason, where there is none. */
export function device(): Promise<Device> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<Device> {
  try {
    const engine = await RowNorm.request();
    return { kind: "gpu", name: engine.adapter.name || (await nameOfAdapter()), adapter: engine.adapter, caps: engine.caps, engine };
  } catch (error) {
    return { kind: "cpu", ...explain(error) };
  }
}

/** Vendor and architecture, where the browser tells no name; empty where it tells nothing. */
async function nameOfAdapter(): Promise<string> {
  type Info = { description?: string; vendor?: string; architecture?: string };
  type Gpu = { requestAdapter(options: object): Promise<{ info?: Info } | null> };
  const gpu = (navigator as unknown as { gpu?: Gpu }).gpu;
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" });
  const { description, vendor, architecture } = adapter?.info ?? {};
  return description || [vendor, architecture].filter(Boolean).join(" ");
}

function explain(error: unknown): { reason: string; advice: string } {
  const code = error instanceof RowNormError ? error.code : "internal";
  if (code === "no-webgpu" && !isSecureContext) {
    return {
      reason: "This page was not loaded securely, so the browser keeps WebGPU from it.",
      advice: "Open it by https or on localhost.",
    };
  }
  if (code === "no-webgpu") {
    return {
      reason: "This browser has no WebGPU.",
      advice: "Recent versions of Chrome, Edge, Firefox and Safari have it.",
    };
  }
  if (code === "no-adapter") {
    return {
      reason: "This browser has WebGPU, but offers no adapter.",
      advice:
        "Chrome: turn on graphics acceleration in the settings; on Linux chrome://flags/#enable-unsafe-webgpu. Firefox: dom.webgpu.enabled in about:config.",
    };
  }
  return { reason: `No GPU device could be had: ${message(error)}`, advice: "Reload the page to try again." };
}

/** After a fault of the device: the figures go on with the CPU and say why. */
function giveUp(error: unknown): Device {
  const lost: Device = {
    kind: "cpu",
    reason: `The GPU device failed: ${message(error)}`,
    advice: "Reload the page to try again.",
  };
  asked = Promise.resolve(lost);
  window.dispatchEvent(new Event("devicechange"));
  return lost;
}

/** Normalizes rows on the device, in f32; says what it ran on. */
export async function normalize(x: Float32Array, options: RunOptions): Promise<{ y: Float32Array; on: Device }> {
  const on = await device();
  if (on.kind === "gpu") {
    try {
      return { y: (await on.engine.run(x, options)).y, on };
    } catch (error) {
      return { y: runCpu(x, options).y, on: giveUp(error) };
    }
  }
  return { y: runCpu(x, options).y, on };
}

/** The truth in float64, at once. Call when {@link ready}. */
export function truth(x: Float32Array, options: RunOptions): Reference {
  return reference(x, options);
}

/** The text of an error. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
