import { norms as rawNorms, presets as rawPresets, strategies as rawStrategies } from "./rownorm.js";
import { sync } from "./module.js";
import type { NormName, StrategyName } from "./types.js";

/** A normalization that can be asked for by name, and what it consists of. */
export interface Norm {
  /** `norm` or `preset` in the options. */
  name: string;
  /** First half: whether the row's mean is subtracted. */
  shift: "none" | "mean";
  /** Second half: what a row is divided by. */
  scale: "none" | "rms" | "std";
  /** ε by default. */
  eps: number;
  /** Whether ε is added outside the root. */
  epsOutside: boolean;
  /** Whether and how a weight is applied. */
  weight: "none" | "direct" | "one-plus";
  /** Whether a bias is added. */
  bias: boolean;
}

/** The norms that `norm` takes. Call {@link init} first. */
export function norms(): (Norm & { name: NormName })[] {
  return sync(rawNorms).map(readable);
}

/** The models and frameworks that `preset` takes. Call {@link init} first. */
export function presets(): Norm[] {
  return sync(rawPresets).map(readable);
}

/** The strategies that `strategy` takes. Call {@link init} first. */
export function strategies(): StrategyName[] {
  return sync(() => rawStrategies() as StrategyName[]);
}

/** 1e-5 as people write it rather than 0.000009999999747378752, its f32. */
function readable<T extends Norm>(norm: T): T {
  return { ...norm, eps: Number(norm.eps.toPrecision(7)) };
}
