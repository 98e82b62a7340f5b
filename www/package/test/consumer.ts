// What a consumer writes; compiled, not run. The lines marked as errors must be errors.
import {
  type Dispatch,
  type Forward,
  NoAdapterError,
  RowNorm,
  RowNormError,
  WebGpuMissingError,
  capsOf,
  init,
  plan,
  reference,
  runCpu,
} from "rownorm";

export async function forward(x: Float32Array, weight: Float32Array): Promise<Forward> {
  await init();
  try {
    using engine = await RowNorm.request({ baseline: true });
    return await engine.run(x, { norm: "rms", dim: weight.length, weight, weightOffset: 1, stats: true });
  } catch (error) {
    if (error instanceof WebGpuMissingError || error instanceof NoAdapterError) {
      return runCpu(x, { preset: "llama", dim: weight.length, weight });
    }
    if (error instanceof RowNormError && error.code === "device-lost") console.warn(error.message);
    throw error;
  }
}

export function dispatches(device: Parameters<typeof capsOf>[0], rows: number): Dispatch[] {
  using layer = plan({ norm: "layer", dim: 768, strategy: "row_per_workgroup" }, capsOf(device));
  const bufferSize = rows * 768 * 4;
  return layer.dispatches({ rows, tensors: { x: { buffer: 0, bufferSize }, y: { buffer: 1, bufferSize } } });
}

export const truth: Float64Array = reference(new Float32Array(4), { norm: "centered", dim: 2 }).y;

// @ts-expect-error There is no such norm.
runCpu(new Float32Array(4), { norm: "rmsnorm", dim: 2 });
// @ts-expect-error A row length is needed.
runCpu(new Float32Array(4), { norm: "rms" });
// @ts-expect-error Arrays of numbers are no typed arrays.
runCpu([1, 2], { norm: "rms", dim: 2 });
