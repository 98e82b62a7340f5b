/**
 * What went wrong, for programs. Input errors (`dim` to `strategy`) arise before any GPU object exists.
 */
export type ErrorCode =
  | "dim"
  | "eps"
  | "extent"
  | "fraction"
  | "spec"
  | "missing-tensor"
  | "unused-tensor"
  | "length"
  | "buffer-too-small"
  | "usage"
  | "stride"
  | "alignment"
  | "layout"
  | "overlap"
  | "sharing"
  | "read-write-conflict"
  | "aliasing"
  | "row-exceeds-binding"
  | "limit"
  | "caps"
  | "overflow"
  | "memory"
  | "strategy"
  | "option"
  | "no-webgpu"
  | "no-adapter"
  | "no-device"
  | "compile"
  | "device"
  | "device-lost"
  | "readback"
  | "load"
  | "not-initialized"
  | "freed"
  | "internal";

/** Every error of this package: one sentence that names the value and what would be accepted. */
export class RowNormError extends Error {
  override readonly name: string = "RowNormError";

  constructor(
    /** What went wrong, for programs. */
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `navigator.gpu` does not exist: an old browser, or a page that is neither https nor localhost. */
export class WebGpuMissingError extends RowNormError {
  override readonly name = "WebGpuMissingError";
}

/** WebGPU exists, but the browser offers no adapter: switched off, on a block list, or no driver. */
export class NoAdapterError extends RowNormError {
  override readonly name = "NoAdapterError";
}

/** The device is lost; ask for a new engine. */
export class DeviceLostError extends RowNormError {
  override readonly name = "DeviceLostError";
}

/** Errors by code, where they have a class of their own. */
const CLASSES: { [code in ErrorCode]?: typeof RowNormError } = {
  "no-webgpu": WebGpuMissingError,
  "no-adapter": NoAdapterError,
  "device-lost": DeviceLostError,
};

/** The error with a code, in its class. */
export function errorOf(code: ErrorCode, message: string, cause?: unknown): RowNormError {
  const Class = CLASSES[code] ?? RowNormError;
  return new Class(code, message, cause === undefined ? undefined : { cause });
}

/** What the module threw, as an error of this package. */
export function translated(thrown: unknown): unknown {
  if (thrown instanceof RowNormError || !(thrown instanceof Error)) return thrown;
  if ("code" in thrown && typeof thrown.code === "string") return errorOf(thrown.code as ErrorCode, thrown.message);
  if (thrown instanceof WebAssembly.RuntimeError) return errorOf("internal", thrown.message, thrown);
  return thrown;
}
