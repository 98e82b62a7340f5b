/// <reference lib="esnext.disposable" preserve="true" />
import { type Plan as RawPlan, plan as rawPlan } from "./rownorm.js";
import { errorOf } from "./errors.js";
import { sync } from "./module.js";
import type { Call, Choice, DeviceCaps, Dispatch, Kernel, PlanOptions, StrategyName } from "./types.js";

/**
 * Plans a normalization for a device: which programs, which bindings, and why. Pure: needs no GPU, creates no GPU
 * object. Call {@link init} first.
 *
 * @throws {RowNormError} Input errors by `code`.
 */
export function plan(options: PlanOptions, caps: DeviceCaps): Plan {
  return sync(() => Plan.of(rawPlan(options, caps)));
}

/** Programs for one normalization on one device; {@link Plan.dispatches} turns a call into what has to be run. */
export class Plan {
  /** The strategy chosen. */
  readonly strategy: StrategyName;
  /** The programs, in the order a call runs them. */
  readonly kernels: readonly Kernel[];
  /** Each decision: what, which value, why. */
  readonly choices: readonly Choice[];
  #plan: RawPlan | undefined;

  private constructor(raw: RawPlan) {
    this.#plan = raw;
    this.strategy = raw.strategy() as StrategyName;
    this.kernels = raw.kernels() as Kernel[];
    this.choices = raw.choices() as Choice[];
  }

  /** @internal */
  static of(raw: RawPlan): Plan {
    return new Plan(raw);
  }

  /**
   * What has to be dispatched for a call, in order; checks everything about it first.
   *
   * @throws {RowNormError} Input errors by `code`; `freed`.
   */
  dispatches(call: Call): Dispatch[] {
    const raw = this.#plan;
    if (!raw) throw errorOf("freed", "this plan was freed; make a new one");
    return sync(() => raw.dispatches(call) as Dispatch[]);
  }

  /** Releases the memory. What was returned stays valid. */
  free(): void {
    this.#plan?.free();
    this.#plan = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
