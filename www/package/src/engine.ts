/// <reference lib="esnext.disposable" preserve="true" />
import { Engine } from "./rownorm.js";
import { errorOf } from "./errors.js";
import { init, waiting } from "./module.js";
import type { AdapterInfo, DeviceCaps, Forward, RunOptions, Timing } from "./types.js";

/** What to ask the browser for. */
export interface RequestOptions {
  /** Leave optional features off and limits at WebGPU's defaults, as the most modest device has them. */
  baseline?: boolean;
}

/**
 * The built-in engine: arrays in, arrays out, on a GPU device of its own. Calls may overlap (`Promise.all`).
 *
 * ```js
 * using engine = await RowNorm.request();
 * const { y } = await engine.run(x, { norm: "rms", dim: 576, weight });
 * ```
 */
export class RowNorm {
  /** The adapter, for people. */
  readonly adapter: AdapterInfo;
  /** What the device can do. */
  readonly caps: DeviceCaps;
  #engine: Engine | undefined;

  private constructor(engine: Engine) {
    this.#engine = engine;
    this.adapter = engine.adapter() as AdapterInfo;
    this.caps = engine.caps() as DeviceCaps;
  }

  /**
   * Asks the browser for a GPU device; loads the module first where {@link init} was not called.
   *
   * @throws {WebGpuMissingError} The browser has no `navigator.gpu`.
   * @throws {NoAdapterError} It has, but offers no adapter. `runCpu` works in both cases.
   */
  static async request(options: RequestOptions = {}): Promise<RowNorm> {
    await init();
    return new RowNorm(await waiting(() => Engine.request(options.baseline ?? false)));
  }

  /**
   * Normalizes the rows of x on the GPU and reads the result back.
   *
   * @param x [rows, dim], row after row. Copied before this returns: it may be changed at once.
   * @throws {RowNormError} (rejects) Input errors by `code`; {@link DeviceLostError}; the driver's text otherwise.
   */
  run(x: Float32Array, options: RunOptions): Promise<Forward> {
    return this.#call((engine) => engine.run(x, options) as Promise<Forward>);
  }

  /**
   * Times the forward pass alone, without upload, compilation and readback.
   *
   * @param repeats Dispatches in one span, 1 to 10,000. Browsers coarsen clocks: aim at spans of several milliseconds.
   */
  time(x: Float32Array, options: RunOptions, repeats = 1): Promise<Timing> {
    return this.#call((engine) => engine.time(x, options, repeats) as Promise<Timing>);
  }

  /** Destroys the device: calls in flight and later ones reject with {@link DeviceLostError}. */
  destroy(): void {
    this.#engine?.destroy();
  }

  /** Destroys the device and releases the memory; every later call rejects with code `freed`. */
  free(): void {
    this.#engine?.destroy();
    this.#engine?.free();
    this.#engine = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #call<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = this.#engine;
    if (!engine) return Promise.reject(errorOf("freed", "this engine was freed; ask for a new one"));
    return waiting(() => work(engine));
  }
}
