/**
 * Row normalization for WebGPU: RMSNorm, LayerNorm and their relatives.
 *
 * @packageDocumentation
 */

export { capsOf } from "./caps.js";
export { reference, runCpu } from "./cpu.js";
export { type RequestOptions, RowNorm } from "./engine.js";
export { DeviceLostError, type ErrorCode, NoAdapterError, RowNormError, WebGpuMissingError } from "./errors.js";
export { init, type ModuleSource } from "./module.js";
export { type Norm, norms, presets, strategies } from "./names.js";
export { type Plan, plan } from "./plan.js";
export type * from "./types.js";
