// What the figures compute on. It is the GPU where there is an adapter, the CPU where there is none; what was begun on
// the GPU never goes on with the CPU by itself.
import { type AdapterInfo, type DeviceCaps, RowNorm, RowNormError, type RunOptions, runCpu } from "rownorm";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { message, ready } from "./engine.ts";

/** The visitor's GPU, with the library's engine on it. */
export interface Gpu {
  kind: "gpu";
  /** Empty where the browser tells none. */
  name: string;
  adapter: AdapterInfo;
  caps: DeviceCaps;
  engine: RowNorm;
}

/** The CPU: there is no adapter, or the visitor chose it after a fault. */
export interface Cpu {
  kind: "cpu";
  cause: "no-webgpu" | "no-adapter" | "chosen";
  reason: string;
  advice: string;
}

/** Nothing to compute on: the GPU failed (`fault`), or the library itself is not there (`none`). */
export interface Trouble {
  kind: "fault" | "none";
  reason: string;
  advice: string;
}

export type Device = Gpu | Cpu | Trouble;

/** Whether there is something to compute on. */
export function works(on: Device | undefined): on is Gpu | Cpu {
  return on?.kind === "gpu" || on?.kind === "cpu";
}

let current: Promise<Device> | undefined;

/** The device, asked for once. */
export function device(): Promise<Device> {
  current ??= ask();
  return current;
}

function become(next: Promise<Device>): void {
  current = next;
  window.dispatchEvent(new Event("devicechange"));
}

/** After a fault: asks for a GPU again. */
export function tryAgain(): void {
  become(ask());
}

/** After a fault, on the visitor's word. */
export async function goOnWithCpu(fault: string): Promise<void> {
  const before = await device();
  if (before.kind === "gpu") before.engine.free();
  const reason = `You chose the CPU. ${fault}`;
  become(Promise.resolve({ kind: "cpu", cause: "chosen", reason, advice: "Reload the page to go back to the GPU." }));
}

async function ask(): Promise<Device> {
  try {
    await ready;
  } catch (error) {
    return none(error);
  }
  try {
    const engine = await RowNorm.request();
    const { adapter, caps } = engine;
    return { kind: "gpu", name: adapter.name || (await nameOfAdapter()), adapter, caps, engine };
  } catch (error) {
    return withoutGpu(error);
  }
}

/** Vendor and architecture, where the browser tells no name; empty where it tells nothing. It is for people alone. */
async function nameOfAdapter(): Promise<string> {
  type Info = { description?: string; vendor?: string; architecture?: string };
  type Gpu = { requestAdapter(options: object): Promise<{ info?: Info } | null> };
  const gpu = (navigator as unknown as { gpu?: Gpu }).gpu;
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  const { description, vendor, architecture } = adapter?.info ?? {};
  return description || [vendor, architecture].filter(Boolean).join(" ");
}

/** What there is where no engine could be had: the CPU, but only if there is no adapter. */
function withoutGpu(error: unknown): Cpu | Trouble {
  const code = codeOf(error);
  if (code === "no-webgpu") {
    return {
      kind: "cpu",
      cause: code,
      ...(isSecureContext
        ? {
            reason: "This browser has no WebGPU.",
            advice: "Recent versions of Chrome, Edge, Firefox and Safari have it.",
          }
        : {
            reason: "This page was not loaded securely, so the browser keeps WebGPU from it.",
            advice: "Open it by https or on localhost.",
          }),
    };
  }
  if (code === "no-adapter") {
    return {
      kind: "cpu",
      cause: code,
      reason: "This browser has WebGPU, but offers no adapter.",
      advice:
        "Chrome: turn on graphics acceleration in the settings; on Linux chrome://flags/#enable-unsafe-webgpu. Firefox: dom.webgpu.enabled in about:config.",
    };
  }
  return code === "internal" || code === "load" ? none(error) : fault(error);
}

function fault(error: unknown): Trouble {
  return { kind: "fault", reason: `The GPU failed: ${message(error)}.`, advice: "" };
}

function none(error: unknown): Trouble {
  return { kind: "none", reason: `The library does not run: ${message(error)}.`, advice: "Reload the page to try again." };
}

function codeOf(error: unknown): string {
  return error instanceof RowNormError ? error.code : "unknown";
}

/** Errors after which the device is not used any more; the others are about one call. */
const FATAL = ["no-device", "compile", "device", "device-lost", "readback", "internal", "unknown"];

/** Normalizes rows in f32. A fault of the GPU rejects, and the device becomes a {@link Trouble}. */
export async function normalize(on: Gpu | Cpu, x: Float32Array, options: RunOptions): Promise<Float32Array> {
  if (on.kind === "cpu") return runCpu(x, options).y;
  try {
    return (await on.engine.run(x, options)).y;
  } catch (error) {
    if (FATAL.includes(codeOf(error))) await giveUp(on, error);
    throw error;
  }
}

/** Of calls that fail together the first one speaks. */
async function giveUp(on: Gpu, error: unknown): Promise<void> {
  if ((await device()) !== on) return;
  on.engine.free();
  become(Promise.resolve(codeOf(error) === "internal" ? none(error) : fault(error)));
}

/** Keeps a figure told of the device. */
export class DeviceController implements ReactiveController {
  /** Undefined while it is being asked for. */
  on: Device | undefined;
  #host: ReactiveControllerHost;
  #changed: (() => void) | undefined;
  #listener = () => void this.#ask();

  /** `changed` is called when there is another device than before. */
  constructor(host: ReactiveControllerHost, changed?: () => void) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener("devicechange", this.#listener);
    void this.#ask();
  }

  hostDisconnected(): void {
    window.removeEventListener("devicechange", this.#listener);
  }

  async #ask(): Promise<void> {
    const asked = device();
    const before = this.on;
    this.on = undefined;
    this.#host.requestUpdate();
    const on = await asked;
    if (asked !== current) return;
    this.on = on;
    this.#host.requestUpdate();
    if (before !== undefined && before !== on) this.#changed?.();
  }
}
