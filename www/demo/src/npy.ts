// NumPy's file format, as far as the shipped activations need it.

/** A matrix of float32 in C order; one row where the array has one dimension. */
export interface Matrix {
  rows: number;
  dim: number;
  values: Float32Array;
}

/** Reads a .npy file of little-endian float32 in C order. */
export function readNpy(buffer: ArrayBuffer): Matrix {
  const bytes = new Uint8Array(buffer);
  const magic = String.fromCharCode(...bytes.subarray(1, 6));
  if (bytes[0] !== 0x93 || magic !== "NUMPY") throw new Error("this is no .npy file");
  const view = new DataView(buffer);
  const [start, length] = bytes[6] === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  const header = new TextDecoder("latin1").decode(bytes.subarray(start, start + length));
  if (!header.includes("'<f4'") || !header.includes("'fortran_order': False")) {
    throw new Error(`accepted is little-endian float32 in C order; the header says ${header.trim()}`);
  }
  const shape = /'shape': \(([^)]*)\)/.exec(header)?.[1]?.split(",").map((n) => n.trim()).filter(Boolean).map(Number) ?? [];
  const dim = shape.at(-1) ?? NaN;
  const rows = shape.slice(0, -1).reduce((product, n) => product * n, 1);
  const values = new Float32Array(buffer.slice(start + length));
  if (values.length !== rows * dim) throw new Error(`${rows * dim} values were announced, ${values.length} are there`);
  return { rows, dim, values };
}
