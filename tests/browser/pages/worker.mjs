// Normalizes one row in a worker.
import { RowNorm } from "/package/index.js";

const engine = await RowNorm.request();
const { y } = await engine.run(new Float32Array([2, 1]), { norm: "rms-plain", dim: 2 });
postMessage([...y]);
