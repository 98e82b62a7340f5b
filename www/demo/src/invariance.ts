// What a shift and a factor do to each norm's output, measured on the device and checked against float64.
import { type Cpu, type Gpu, normalize } from "./device.ts";
import { truth } from "./engine.ts";
import { VARIANTS, type Variant } from "./variants.ts";
import type { RunOptions } from "rownorm";

/** pRMSNorm's part of the row. */
export const P = 0.0625;
/** An output that moves by less, relative to its largest value, counts as unchanged: the input itself was rounded. */
export const UNCHANGED = 1e-4;

/** A row, what it becomes, and what the norms need beside it. */
export interface Experiment {
  x: Float32Array;
  shift: number;
  scale: number;
  eps: number;
  weight: Float32Array;
  bias: Float32Array | undefined;
}

/** What one norm did. */
export interface Measurement {
  variant: Variant;
  /** Its output for x and for s·x + c. */
  before: Float32Array;
  after: Float32Array;
  /** max |after − before| / max |before|. */
  moved: number;
  /** Whether float64 says the same, within what the outputs may be off. */
  movedAsTrue: boolean;
  /** max |y − y in float64| over both rows, in units of what the documented bound allows: at most 1 is good. */
  ofBound: number;
  /** The same relative to the largest output. */
  error: number;
}

/** `s·x + c` in f32, as the device gets it. */
export function moved(x: Float32Array, scale: number, shift: number): Float32Array {
  return x.map((v) => Math.fround(v * scale) + shift);
}

/** Runs all norms on x and on s·x + c, all on one device. */
export async function measure(on: Gpu | Cpu, experiment: Experiment): Promise<Measurement[]> {
  const dim = experiment.x.length;
  const rows = new Float32Array(2 * dim);
  rows.set(experiment.x);
  rows.set(moved(experiment.x, experiment.scale, experiment.shift), dim);
  return Promise.all(
    VARIANTS.map(async (variant) => {
      const options = optionsOf(variant, experiment, dim);
      return judge(variant, rows, await normalize(on, rows, options), options, dim);
    }),
  );
}

function optionsOf(variant: Variant, { eps, weight, bias }: Experiment, dim: number): RunOptions {
  return {
    norm: variant.norm,
    dim,
    ...(variant.norm === "centered" ? {} : { eps }),
    ...(variant.norm === "prms" ? { p: P } : {}),
    ...(variant.weight ? { weight } : {}),
    ...(variant.bias && bias ? { bias } : {}),
  };
}

function judge(variant: Variant, x: Float32Array, y: Float32Array, options: RunOptions, dim: number): Measurement {
  const t = truth(x, options);
  const before = y.subarray(0, dim);
  const after = y.subarray(dim);
  const largest = maxOf(before, (v) => Math.abs(v));
  const largestTrue = maxOf(t.y.subarray(0, dim), (v) => Math.abs(v));
  const change = (a: ArrayLike<number>, offset: number) => maxOf(before, (_, i) => Math.abs(a[offset + i]! - a[i]!));
  const moved = change(y, dim) / largest;
  const movedTrue = change(t.y, dim) / largestTrue;
  const slack = (t.tolerance[0]! * (1 + movedTrue) + t.tolerance[0]! + t.tolerance[1]!) / largestTrue;
  const errors = [0, 1].map((row) => maxOf(before, (_, i) => Math.abs(y[row * dim + i]! - t.y[row * dim + i]!)));
  return {
    variant,
    before,
    after,
    moved,
    movedAsTrue: Math.abs(moved - movedTrue) <= slack,
    ofBound: Math.max(errors[0]! / t.tolerance[0]!, errors[1]! / t.tolerance[1]!),
    error: Math.max(...errors) / Math.max(largestTrue, maxOf(t.y.subarray(dim), (v) => Math.abs(v))),
  };
}

/** NaN where any value is NaN, so that no comparison can pass by accident. */
function maxOf(values: ArrayLike<number>, of: (value: number, index: number) => number): number {
  let max = 0;
  for (let i = 0; i < values.length; i++) {
    const v = of(values[i]!, i);
    if (!(v <= max)) max = v;
    if (Number.isNaN(max)) return NaN;
  }
  return max;
}
