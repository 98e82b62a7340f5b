import { axisBottom, axisLeft } from "d3-axis";
import { type ScaleLinear, scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { type TemplateResult, html, svg } from "lit";
import { axis } from "../chart.ts";
import { claim, judged } from "../claim.ts";
import { message, ready, truth } from "../engine.ts";
import { Figure, panelPadding } from "../figure.ts";
import { coordinate, pair, power } from "../format.ts";
import { swatch } from "../variants.ts";

type Point = readonly [number, number];

const RANGE = 3;
const STEP = 0.1;
/** The ε slider: zero, then a power of ten for each step. */
const EPS_EXPONENTS = [-Infinity, -4, -3, -2, -1, 0];
const GRID = 121;

/** What one norm makes of points of two features; float64, by the library. */
function map(norm: "layer-simple" | "rms-plain", eps: number, points: Float32Array): Float64Array {
  return truth(points, { norm, eps, dim: 2 }).y;
}

/** Two features: what LayerNorm and RMSNorm make of a point that can be dragged. */
class RnTwo extends Figure {
  static override properties = { ...Figure.properties, x: { state: true }, eps: { state: true }, state: { state: true } };
  declare x: Point;
  declare eps: number;
  declare state: "loading" | "ready" | string;
  /** Distinct outputs of LayerNorm over a grid of points, at ε = 0. */
  #distinct = NaN;

  constructor() {
    super();
    this.x = [2, 1];
    this.eps = 0;
    this.state = "loading";
    ready.then(
      () => {
        this.#distinct = countOutputs();
        this.state = "ready";
      },
      (error: unknown) => (this.state = message(error)),
    );
  }

  #move(x: Point): void {
    const clamp = (v: number) => Math.min(RANGE, Math.max(-RANGE, Math.round(v * 100) / 100));
    this.x = [clamp(x[0]), clamp(x[1])];
  }

  #key(event: KeyboardEvent): void {
    const step = event.shiftKey ? STEP * 10 : STEP;
    const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowDown: [0, -step], ArrowUp: [0, step] }[
      event.key
    ] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    this.#move([this.x[0] + dx!, this.x[1] + dy!]);
  }

  override render() {
    if (this.width === 0) return html`<div class="panel"></div>`;
    if (this.state !== "ready") {
      const text = this.state === "loading" ? "Loading …" : `The figure could not be loaded: ${this.state}`;
      return html`<div class="panel two-waiting" role="status">${text}</div>`;
    }
    const points = Float32Array.of(...this.x);
    const layer = map("layer-simple", this.eps, points);
    const rms = map("rms-plain", this.eps, points);
    return html`<div class="panel two-grid">
      ${this.#plane(layer, rms)}
      <div class="two-side">
        ${this.#controls()} ${this.#readout(layer, rms)} ${this.#walk()}
      </div>
    </div>`;
  }

  /** The inner width of the panel and whether both halves stand side by side, as in the style sheet. */
  #sizes(): { plane: number; walk: number } {
    const { em } = panelPadding();
    const side = matchMedia("(min-width: 56rem)").matches;
    const inner = this.inner;
    const gap = Math.min(3 * em, Math.max(1.5 * em, innerWidth * 0.04));
    const plane = side ? 27 * em : Math.min(inner, 30 * em);
    return { plane, walk: side ? inner - plane - gap : inner };
  }

  #plane(layer: Float64Array, rms: Float64Array): TemplateResult {
    const size = Math.floor(this.#sizes().plane);
    const edge = 14;
    const h = scaleLinear([-RANGE, RANGE], [edge, size - edge]);
    const v = scaleLinear([-RANGE, RANGE], [size - edge, edge]);
    const at = (p: ArrayLike<number>): [number, number] => [h(p[0]!), v(p[1]!)];
    const [px, py] = at(this.x);
    const mean = (this.x[0] + this.x[1]) / 2;
    const [cx, cy] = at([this.x[0] - mean, this.x[1] - mean]);
    const [lx, ly] = at(layer);
    const [rx, ry] = at(rms);
    const unit = h(1) - h(0);
    const drag = (event: PointerEvent) => {
      const target = event.currentTarget as SVGSVGElement;
      if (event.type === "pointerdown") {
        target.setPointerCapture(event.pointerId);
        target.querySelector<SVGElement>(".handle")?.focus({ preventScroll: true });
      } else if (!target.hasPointerCapture(event.pointerId)) return;
      // The screen's pixels, in the drawing's own units: the style sheet may scale it.
      const matrix = target.getScreenCTM()?.inverse();
      if (!matrix) return;
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      this.#move([h.invert(x), v.invert(y)]);
    };
    const spoken = `x = ${pair(this.x)}, LayerNorm ${pair(layer)}, RMSNorm ${pair(rms)}`;
    return html`<svg
      class="chart plane"
      width=${size}
      height=${size}
      viewBox="0 0 ${size} ${size}"
      role="group"
      aria-label="The plane of two features with a point x that can be moved, the line of equal features and the line of sum zero"
      @pointerdown=${drag}
      @pointermove=${drag}
    >
      ${grid(h, v, size, edge)}
      <g aria-hidden="true">
        <line class="reference" x1=${h(-RANGE)} y1=${v(-RANGE)} x2=${h(RANGE)} y2=${v(RANGE)} stroke-dasharray="2 5" />
        <line class="reference" x1=${h(-RANGE)} y1=${v(RANGE)} x2=${h(RANGE)} y2=${v(-RANGE)} />
        <text class="paper-halo" x=${h(2.4)} y=${v(2.62)} text-anchor="end">x₁ = x₂</text>
        <text class="paper-halo" x=${h(2.35)} y=${v(-2.72)} text-anchor="end">x₁ + x₂ = 0</text>
        <circle class="reference sym-rms" style="stroke: currentColor" cx=${h(0)} cy=${v(0)} r=${Math.SQRT2 * unit} stroke-width="1.5" />

        <line class="line sym-mean" x1=${px} y1=${py} x2=${cx} y2=${cy} stroke-dasharray="5 5" />
        <line class="line sym-layer" x1=${cx} y1=${cy} x2=${lx} y2=${ly} />
        <line class="line sym-rms" x1=${h(0)} y1=${v(0)} x2=${rx} y2=${ry} />
        <line class="line sym-x" x1=${rx} y1=${ry} x2=${px} y2=${py} stroke-width="1.5" stroke-dasharray="1 5" />
        ${[1, -1].map((sign) => diamond(h(sign), v(-sign), 7, "sym-layer", "var(--panel)"))}
        ${diamond(lx, ly, 8, "sym-layer", "currentColor")}
        <circle class="sym-rms" cx=${rx} cy=${ry} r="7" fill="currentColor" stroke="var(--panel)" stroke-width="2" />
        ${label(lx, ly, "LayerNorm(x)", "sym-layer", size, 22)} ${label(rx, ry, "RMSNorm(x)", "sym-rms", size, -16)}
      </g>
      <g
        class="handle sym-x"
        role="slider"
        tabindex="0"
        aria-label="Point x, moved with the arrow keys"
        aria-valuemin=${-RANGE}
        aria-valuemax=${RANGE}
        aria-valuenow=${this.x[0]}
        aria-valuetext=${spoken}
        @keydown=${this.#key}
      >
        <circle class="ring" cx=${px} cy=${py} r="16" />
        <circle cx=${px} cy=${py} r="22" fill="transparent" />
        <circle cx=${px} cy=${py} r="9" fill="currentColor" stroke="var(--panel)" stroke-width="2" />
      </g>
      <g class="sym-x" aria-hidden="true">${label(px, py, "x", "sym-x", size, -16)}</g>
    </svg>`;
  }

  #controls(): TemplateResult {
    const slider = (index: 0 | 1) => {
      const set = (event: Event) => {
        const value = Number((event.target as HTMLInputElement).value);
        this.#move(index === 0 ? [value, this.x[1]] : [this.x[0], value]);
      };
      const name = index === 0 ? "x₁" : "x₂";
      return html`<div class="field">
        <label for="two-${index}"><span>${name}</span><output for="two-${index}">${coordinate(this.x[index])}</output></label>
        <input id="two-${index}" type="range" min=${-RANGE} max=${RANGE} step=${STEP} .value=${String(this.x[index])} @input=${set} />
      </div>`;
    };
    const exponent = EPS_EXPONENTS.findIndex((e) => (e === -Infinity ? 0 : 10 ** e) === this.eps);
    const eps = this.eps === 0 ? "0" : power(EPS_EXPONENTS[exponent] ?? 0);
    const setEps = (event: Event) => {
      const e = EPS_EXPONENTS[Number((event.target as HTMLInputElement).value)] ?? -Infinity;
      this.eps = e === -Infinity ? 0 : 10 ** e;
    };
    return html`<div class="sliders">
      ${slider(0)} ${slider(1)}
      <div class="field">
        <label for="two-eps"><span>ε</span><output for="two-eps">${eps}</output></label>
        <input
          id="two-eps"
          type="range"
          min="0"
          max=${EPS_EXPONENTS.length - 1}
          step="1"
          .value=${String(exponent)}
          aria-valuetext=${this.eps === 0 ? "zero" : String(this.eps)}
          @input=${setEps}
        />
      </div>
    </div>`;
  }

  #readout(layer: Float64Array, rms: Float64Array): TemplateResult {
    const exact = this.eps === 0;
    const order = Math.sign(this.x[0] - this.x[1]);
    const radius = Math.hypot(rms[0]!, rms[1]!);
    const close = (a: number, b: number) => Math.abs(a - b) <= 1e-12;
    const direction = this.x[0] * rms[1]! - this.x[1] * rms[0]!;
    const status = (good: boolean) => (exact ? judged(good) : "pending");
    const zero = this.x[0] === 0 && this.x[1] === 0;
    return html`<dl class="results">
        <dt class="sym-layer">${swatch({ norm: "layer", dash: "" })}LayerNorm(x)</dt>
        <dd>
          (${claim("two.layer.0", layer[0]!, status(close(layer[0]!, order)), coordinate(layer[0]!))},
          ${claim("two.layer.1", layer[1]!, status(close(layer[1]!, -order)), coordinate(layer[1]!))})
        </dd>
        <dt class="sym-rms">${swatch({ norm: "rms", dash: "" })}RMSNorm(x)</dt>
        <dd>
          (${claim("two.rms.0", rms[0]!, judged(Math.abs(direction) <= 1e-6), coordinate(rms[0]!))},
          ${claim("two.rms.1", rms[1]!, judged(Math.abs(direction) <= 1e-6), coordinate(rms[1]!))})
        </dd>
        <dt>its distance from 0</dt>
        <dd>
          ${claim("two.rms.radius", radius, status(close(radius, zero ? 0 : Math.SQRT2)), coordinate(radius))}
          ${exact && !zero ? "= √2" : ""}
        </dd>
        <dt>different answers of LayerNorm</dt>
        <dd>${claim("two.distinct", this.#distinct, judged(this.#distinct === 2), String(this.#distinct))}</dd>
      </dl>
      <p class="caption">
        Different answers: counted at ε = 0 over ${(GRID * GRID - GRID).toLocaleString("en")} points of a grid, its diagonal
        left out.
      </p>`;
  }

  /** The first output while x₂ moves across the diagonal. */
  #walk(): TemplateResult {
    const width = Math.floor(this.#sizes().walk);
    const height = 200;
    const box = { left: 30, right: 8, top: 18, bottom: 46 };
    const h = scaleLinear([-RANGE, RANGE], [box.left, width - box.right]);
    const v = scaleLinear([-1.5, 1.5], [height - box.bottom, box.top]);
    const x1 = this.x[0];
    // Dense around the diagonal, where the slope is, and a sample on it.
    const near = Array.from({ length: 41 }, (_, i) => x1 + ((i - 20) / 20) ** 3 * 0.6).filter((t) => Math.abs(t) <= RANGE);
    const far = Array.from({ length: 121 }, (_, i) => -RANGE + (2 * RANGE * i) / 120);
    const ts = [...near, ...far].sort((a, b) => a - b);
    const points = Float32Array.from(ts.flatMap((t) => [x1, t]));
    const layer = map("layer-simple", this.eps, points);
    const rms = map("rms-plain", this.eps, points);
    const path = (values: Float64Array, jumps: boolean) =>
      line<number>()
        // At ε = 0 the line is broken where it jumps.
        .defined((_, i) => !(jumps && this.eps === 0 && ts[i] === x1))
        .x((_, i) => h(ts[i]!))
        .y((_, i) => v(values[2 * i]!))(ts) ?? "";
    const words = `First output of LayerNorm and RMSNorm while x₂ goes from −3 to 3 at x₁ = ${coordinate(x1)}`;
    return html`<div>
    <h3 class="chart-title">Across the diagonal: the first output</h3>
    <p class="key">
      <span class="sym-layer"><svg class="shape" viewBox="0 0 14 14" aria-hidden="true">${diamond(7, 7, 6, "sym-layer", "currentColor")}</svg> LayerNorm</span>
      <span class="sym-rms"><svg class="shape" viewBox="0 0 14 14" aria-hidden="true"><circle cx="7" cy="7" r="5" fill="currentColor" /></svg> RMSNorm</span>
    </p>
    <svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${words}>
      ${[-1, 0, 1].map((tick) => svg`<line class="grid" x1=${box.left} x2=${width - box.right} y1=${v(tick)} y2=${v(tick)} />`)}
      ${axis(axisLeft(v).tickValues([-1, 0, 1]).tickSize(0).tickPadding(8).tickFormat((t) => coordinate(Number(t))), box.left, 0)}
      ${axis(axisBottom(h).ticks(7).tickSizeOuter(0).tickFormat((t) => coordinate(Number(t))), 0, height - box.bottom)}
      <line class="reference" x1=${h(this.x[1])} x2=${h(this.x[1])} y1=${box.top - 6} y2=${height - box.bottom} stroke-dasharray="2 4" />
      <path class="line sym-rms" d=${path(rms, false)} />
      <path class="line sym-layer" d=${path(layer, true)} />
      ${this.#walkMarks(h, v)}
      <text x=${(box.left + width - box.right) / 2} y=${height - 4} text-anchor="middle">x₂, while x₁ stays</text>
      <text x="0" y=${box.top - 4}>y₁</text>
    </svg></div>`;
  }

  #walkMarks(h: ScaleLinear<number, number>, v: ScaleLinear<number, number>): TemplateResult {
    const points = Float32Array.of(...this.x);
    const layer = map("layer-simple", this.eps, points);
    const rms = map("rms-plain", this.eps, points);
    return svg`<circle class="sym-rms" cx=${h(this.x[1])} cy=${v(rms[0]!)} r="5" fill="currentColor" stroke="var(--panel)" stroke-width="1.5" />
      ${diamond(h(this.x[1]), v(layer[0]!), 6, "sym-layer", "currentColor")}`;
  }
}

/** How many different outputs LayerNorm has over a grid of points off the diagonal, to f32 precision. */
function countOutputs(): number {
  const ticks = Array.from({ length: GRID }, (_, i) => -RANGE + (2 * RANGE * i) / (GRID - 1));
  const points = Float32Array.from(ticks.flatMap((a) => ticks.filter((b) => b !== a).flatMap((b) => [a, b])));
  const y = map("layer-simple", 0, points);
  const outputs = new Set<string>();
  for (let i = 0; i < y.length; i += 2) outputs.add(`${Math.fround(y[i]!)} ${Math.fround(y[i + 1]!)}`);
  return outputs.size;
}

function grid(h: ScaleLinear<number, number>, v: ScaleLinear<number, number>, size: number, edge: number): TemplateResult {
  const ticks = [-3, -2, -1, 0, 1, 2, 3];
  return svg`<g aria-hidden="true">
    ${ticks.map((t) => svg`<line class="grid" x1=${h(t)} x2=${h(t)} y1=${edge} y2=${size - edge} />
      <line class="grid" y1=${v(t)} y2=${v(t)} x1=${edge} x2=${size - edge} />`)}
    <line x1=${h(0)} x2=${h(0)} y1=${edge} y2=${size - edge} stroke="var(--line-strong)" />
    <line y1=${v(0)} y2=${v(0)} x1=${edge} x2=${size - edge} stroke="var(--line-strong)" />
    ${[-2, 2].map((t) => svg`<text class="paper-halo" x=${h(t)} y=${v(0) + 16} text-anchor="middle">${coordinate(t)}</text>
      <text class="paper-halo" x=${h(0) - 6} y=${v(t) + 4} text-anchor="end">${coordinate(t)}</text>`)}
    <text class="paper-halo" x=${size - edge} y=${v(0) - 7} text-anchor="end">x₁</text>
    <text class="paper-halo" x=${h(0) + 8} y=${edge + 8}>x₂</text>
  </g>`;
}

function diamond(x: number, y: number, r: number, name: string, fill: string): TemplateResult {
  return svg`<path class=${name} d="M${x - r},${y}L${x},${y - r}L${x + r},${y}L${x},${y + r}Z" fill=${fill} stroke=${fill === "currentColor" ? "var(--panel)" : "currentColor"} stroke-width="2" />`;
}

/** A label beside a point, kept inside the figure. */
function label(x: number, y: number, text: string, name: string, size: number, dy: number): TemplateResult {
  const right = name === "sym-rms" ? x > size * 0.55 : x + 10 + 9 * text.length > size;
  return svg`<text class="label paper-halo ${name}" x=${right ? x - 10 : x + 10} y=${Math.min(size - 6, Math.max(14, y + dy))} text-anchor=${right ? "end" : "start"}>${text}</text>`;
}

customElements.define("rn-two", RnTwo);
