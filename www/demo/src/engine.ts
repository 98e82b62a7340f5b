// The library's module, and its arithmetic in float64.
import { type Reference, type RunOptions, init, reference } from "rownorm";

/** The module, loading since the page opened. Nothing works before. */
export const ready: Promise<void> = init();

/** The truth in float64, at once. Call when {@link ready}. */
export function truth(x: Float32Array, options: RunOptions): Reference {
  return reference(x, options);
}

/** The text of an error. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
