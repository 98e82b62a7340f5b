import { reference as rawReference, runCpu as rawRunCpu } from "./rownorm.js";
import { sync } from "./module.js";
import type { Forward, Reference, RunOptions } from "./types.js";

/**
 * Normalizes the rows of x on the CPU in f32, in the kernels' order of summation. Works without WebGPU. Call
 * {@link init} first.
 *
 * @param x [rows, dim], row after row.
 * @throws {RowNormError} Input errors by `code`.
 */
export function runCpu(x: Float32Array, options: RunOptions): Forward {
  return sync(() => rawRunCpu(x, options) as Forward);
}

/**
 * The same in float64, written like the formula: the truth the kernels are tested against. Call {@link init} first.
 *
 * @param x [rows, dim], row after row.
 * @throws {RowNormError} Input errors by `code`.
 */
export function reference(x: Float32Array, options: RunOptions): Reference {
  return sync(() => rawReference(x, options) as Reference);
}
