// What a consumer does with the package: on the GPU where there is one, on the CPU where there is none.
import { NoAdapterError, RowNorm, WebGpuMissingError, runCpu } from "rownorm";

/** The first element of a normalized row, and what computed it. */
export async function norm() {
  const x = new Float32Array([2, 1]);
  const options = { norm: "rms-plain", dim: 2 };
  try {
    const engine = await RowNorm.request();
    const { y } = await engine.run(x, options);
    return `${y[0].toFixed(6)} on the GPU`;
  } catch (error) {
    if (!(error instanceof WebGpuMissingError || error instanceof NoAdapterError)) return String(error);
    return `${runCpu(x, options).y[0].toFixed(6)} on the CPU`;
  }
}
