// d3's axes in lit's templates, and the lines that stand for the variants.
import { type Axis, type AxisDomain } from "d3-axis";
import { select } from "d3-selection";
import { type TemplateResult, svg } from "lit";
import { ref } from "lit/directives/ref.js";

/** An axis drawn by d3 into a group of its own. */
export function axis<Domain extends AxisDomain>(axis: Axis<Domain>, x: number, y: number): TemplateResult {
  const draw = (element: Element | undefined) => {
    if (element) select(element as SVGGElement).call(axis);
  };
  return svg`<g class="axis" aria-hidden="true" transform="translate(${x},${y})" ${ref(draw)}></g>`;
}
