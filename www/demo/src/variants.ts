// The seven normalizations, as the figures name and draw them.
import type { NormName } from "rownorm";
import { type TemplateResult, html } from "lit";
import formulas from "./variants.tex.json";

/** One of them. */
export interface Variant {
  norm: NormName;
  label: string;
  /** What it subtracts and divides by, typeset. */
  formula: string;
  /** Dashes of its line: colour never stands alone. */
  dash: string;
  weight: boolean;
  bias: boolean;
  /** Whether its output ignores a constant that is added to the row. */
  ignoresShift: boolean;
  /** Whether its output ignores a factor, up to ε. */
  ignoresScale: boolean;
}

const variant = (norm: NormName, label: string, dash: string, weight: boolean, bias: boolean, ignores: string) => ({
  norm,
  label,
  formula: (formulas as Record<string, string>)[norm] ?? "",
  dash,
  weight,
  bias,
  ignoresShift: ignores.includes("shift"),
  ignoresScale: ignores.includes("scale"),
});

/** In the order of the table. */
export const VARIANTS: readonly Variant[] = [
  variant("layer", "LayerNorm", "", true, true, "shift scale"),
  variant("layer-simple", "LayerNorm, simple", "2 4", false, false, "shift scale"),
  variant("rms", "RMSNorm", "", true, false, "scale"),
  variant("rms-plain", "RMSNorm, plain", "2 4", false, false, "scale"),
  variant("prms", "pRMSNorm", "8 4", true, false, "scale"),
  variant("std-scaled", "Std-scaled", "10 3 2 3", true, false, "scale"),
  variant("centered", "Centred only", "5 3", false, false, "shift"),
];

/** A short piece of the variant's line. */
export function swatch(variant: Pick<Variant, "norm" | "dash">): TemplateResult {
  return html`<svg class="swatch sym-${variant.norm}" viewBox="0 0 28 12" aria-hidden="true">
    <line x1="1" x2="27" y1="6" y2="6" stroke="currentColor" stroke-width="3" stroke-dasharray=${variant.dash} />
  </svg>`;
}
