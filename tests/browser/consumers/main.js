// What a page does with the package: it prints one number.
import { RowNorm } from "rownorm";

const output = document.querySelector("output");
try {
  const engine = await RowNorm.request();
  const { y } = await engine.run(new Float32Array([2, 1]), { norm: "rms-plain", dim: 2 });
  output.value = y[0].toFixed(6);
} catch (error) {
  output.value = String(error);
}
