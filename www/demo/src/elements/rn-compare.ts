import { axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { type TemplateResult, html, nothing, svg } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { axis } from "../chart.ts";
import { claim, judged, mark } from "../claim.ts";
import { type Cpu, DeviceController, type Gpu, device, works } from "../device.ts";
import { message } from "../engine.ts";
import { Figure, latest } from "../figure.ts";
import { fixed, power, significant } from "../format.ts";
import { type Measurement, P, UNCHANGED, measure, moved } from "../invariance.ts";
import { LAYERS, type Layer, type LayerData, load } from "../real.ts";
import { swatch } from "../variants.ts";
import { deviceWithin } from "./rn-device.ts";
import { trouble } from "./trouble.ts";

/** What the controls say. */
interface Choice {
  layer: number;
  row: number;
  /** In units of the row's root mean square. */
  shift: number;
  /** The scale's binary logarithm. */
  exponent: number;
  zeroEps: boolean;
}

/** What was computed, and of what: all that is drawn comes from here. */
interface Result {
  choice: Choice;
  layer: Layer;
  on: Gpu | Cpu;
  /** The row, and s·x + c. */
  before: Float32Array;
  after: Float32Array;
  measurements: Measurement[];
}

const DEFAULTS: Choice = { layer: 2, row: 1, shift: 1, exponent: 0, zeroEps: false };

/** All norms on real activations: what a shift and a factor of the input do to their outputs. */
class RnCompare extends Figure {
  static override properties = {
    ...Figure.properties,
    choice: { state: true },
    shown: { state: true },
    data: { state: true },
    result: { state: true },
    error: { state: true },
  };
  declare choice: Choice;
  /** The norm in the plot. */
  declare shown: string;
  /** The numbers of a layer, once they are there. */
  declare data: { layer: number; data: LayerData } | undefined;
  declare result: Result | undefined;
  declare error: string | undefined;
  #visible = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      this.#visible.disconnect();
      this.#update();
    },
    { rootMargin: "600px" },
  );
  #update = latest(() => this.#compute());
  #device = new DeviceController(this, () => this.#update());

  constructor() {
    super();
    this.choice = DEFAULTS;
    this.shown = "layer";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#visible.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#visible.disconnect();
  }

  #choose(change: Partial<Choice>): void {
    const choice = { ...this.choice, ...change };
    // Layers come with texts of different lengths.
    const last = LAYERS[choice.layer]!.tokens.length - 1;
    this.choice = { ...choice, row: Math.min(choice.row, last) };
    this.#update();
  }

  async #compute(): Promise<void> {
    const choice = this.choice;
    const layer = LAYERS[choice.layer]!;
    try {
      const [on, data] = await Promise.all([device(), load(layer)]);
      this.data = { layer: choice.layer, data };
      if (!works(on)) {
        this.result = undefined;
        this.error = undefined;
        return;
      }
      const before = rowOf(data, choice.row);
      const shift = shiftOf(before, choice);
      const scale = 2 ** choice.exponent;
      const eps = choice.zeroEps ? 0 : layer.eps;
      const { weight, bias } = data;
      const measurements = await measure(on, { x: before, shift, scale, eps, weight, bias });
      this.result = { choice, layer, on, before, after: moved(before, scale, shift), measurements };
      this.error = undefined;
    } catch (error) {
      this.result = undefined;
      this.error = message(error);
    }
  }

  override render() {
    // What is drawn belongs to the choice before, until the new one is computed.
    const busy = this.result !== undefined && this.result.choice !== this.choice;
    return html`<div class="panel compare" aria-busy=${String(busy)}>
      ${this.#controls()}
      ${trouble(this.#device.on) ??
      (this.error === undefined ? null : html`<p class="notice" role="alert">This could not be computed: ${this.error}</p>`)}
      ${this.#plots()} ${this.#table()}
    </div>`;
  }

  #controls(): TemplateResult {
    const { layer, row, shift, exponent, zeroEps } = this.choice;
    const models = [...new Set(LAYERS.map((l) => l.model))];
    const { tokens, eps } = LAYERS[layer]!;
    const data = this.data?.layer === layer ? this.data.data : undefined;
    const c = data && row < data.x.rows ? significant(shiftOf(rowOf(data, row), this.choice)) : "…";
    const s = significant(2 ** exponent);
    const value = (event: Event) => Number((event.target as HTMLInputElement | HTMLSelectElement).value);
    return html`<div class="compare-controls">
      <div class="field">
        <label for="real-layer">Layer</label>
        <select id="real-layer" @change=${(e: Event) => this.#choose({ layer: value(e), row: DEFAULTS.row })}>
          ${models.map(
            (model) => html`<optgroup label=${model}>
              ${LAYERS.map((l, i) =>
                l.model === model ? html`<option value=${i} .selected=${i === layer}>${l.label}</option>` : null,
              )}
            </optgroup>`,
          )}
        </select>
      </div>
      <div class="field">
        <label for="real-row">Row: one token of a text</label>
        <select id="real-row" @change=${(e: Event) => this.#choose({ row: value(e) })}>
          ${tokens.map((token, i) => html`<option value=${i} .selected=${i === row}>${i + 1}: ${token.trim()}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for="real-shift"
          ><span>Shift c = ${c}</span><output for="real-shift">${fixed(shift, 1)} × RMS</output></label
        >
        <input id="real-shift" type="range" min="-4" max="4" step="0.1" .value=${String(shift)}
          aria-valuetext="${fixed(shift, 1)} times the row's root mean square"
          @input=${(e: Event) => this.#choose({ shift: value(e) })} />
      </div>
      <div class="field">
        <label for="real-scale"><span>Scale s = ${s}</span><output for="real-scale">${exponentText(exponent)}</output></label>
        <input id="real-scale" type="range" min="-8" max="8" step="0.25" .value=${String(exponent)}
          aria-valuetext="${s}" @input=${(e: Event) => this.#choose({ exponent: value(e) })} />
      </div>
      <div class="compare-buttons">
        <label class="check"
          ><input type="checkbox" .checked=${zeroEps} @change=${(e: Event) => this.#choose({ zeroEps: (e.target as HTMLInputElement).checked })} />
          ε = 0 instead of ${significant(eps, 1)}</label
        >
        <button type="button" @click=${() => this.#choose({ shift: 0, exponent: 0 })}>c = 0, s = 1</button>
      </div>
    </div>`;
  }

  #plots(): TemplateResult {
    const { result } = this;
    const shown = result?.measurements.find((m) => m.variant.norm === this.shown);
    if (!shown || !result || this.width === 0) {
      const { on } = this.#device;
      const waiting = this.error === undefined && (on === undefined || works(on));
      return html`<div class="compare-waiting" role="status">${waiting ? "Computing …" : ""}</div>`;
    }
    const { before: row, after: input } = result;
    const { norm, label } = shown.variant;
    const verdict = shown.moved <= UNCHANGED ? "its output is unchanged" : `its output moved by ${significant(shown.moved)}`;
    return html`<div class="compare-plots">
        <h3><span class="sym-x">Input</span></h3>
        <p class="key">
          <span>${plainSwatch("var(--reference)", 4)} x</span> <span class="sym-x">${plainSwatch("var(--x)", 2)} s·x + c</span>
          <span class="sym-mean">${plainSwatch("var(--mean)", 2, "6 4")} its mean</span>
        </p>
        ${this.#plot(row, input, "x", `Input row before and after: ${row.length} features`, mean(input))}
        <h3><span class="sym-${norm}">${label}</span></h3>
        <p class="key">
          <span>${plainSwatch("var(--reference)", 4)} of x</span>
          <span class="sym-${norm}">${plainSwatch("currentColor", 2)} of s·x + c</span>
        </p>
        ${this.#plot(shown.before, shown.after, norm, `${label}: ${verdict}`, undefined)}
      </div>
      <p class="visually-hidden" role="status">${label}: ${verdict}</p>`;
  }

  /** A row as a line over its features: the reference wide and grey, what it became above it. */
  #plot(before: Float32Array, after: Float32Array, name: string, words: string, level: number | undefined): TemplateResult {
    const width = this.inner;
    const height = width < 600 ? 130 : 150;
    const left = 52;
    const values = [...before, ...after];
    const v = scaleLinear([Math.min(...values), Math.max(...values)], [height - 8, 8]).nice(4);
    const h = scaleLinear([0, before.length - 1], [left, width - 4]);
    const path = (row: Float32Array) =>
      line<number>()
        .x((_, i) => h(i))
        .y((y) => v(y))(Array.from(row)) ?? "";
    const ticks = v.ticks(4);
    return html`<svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${words}>
      ${ticks.map((t) => svg`<line class="grid" x1=${left} x2=${width} y1=${v(t)} y2=${v(t)} />`)}
      ${axis(axisLeft(v).tickValues(ticks).tickSize(0).tickPadding(8).tickFormat((t) => significant(Number(t), 4)), left, 0)}
      <path class="reference" d=${path(before)} stroke-width="4" stroke-linejoin="round" opacity="0.45" />
      <path class="thin sym-${name}" d=${path(after)} />
      ${level === undefined
        ? null
        : svg`<line class="line sym-mean" x1=${left} x2=${width} y1=${v(level)} y2=${v(level)} stroke-dasharray="6 5" />`}
    </svg>`;
  }

  #table(): TemplateResult {
    const { result } = this;
    const { layer, row, shift, exponent } = result?.choice ?? {};
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of the norms">
        <table
          class="norms"
          data-on=${result?.on.kind ?? nothing}
          data-layer=${layer ?? nothing}
          data-row=${row ?? nothing}
          data-shift=${shift ?? nothing}
          data-exponent=${exponent ?? nothing}
        >
          <thead>
            <tr>
              <th scope="col">Norm, shown above</th>
              <th scope="col" class="formula">y</th>
              <th scope="col" class="number moved">moved by</th>
              <th scope="col" class="number">off float64</th>
            </tr>
          </thead>
          <tbody>
            ${result?.measurements.map((m) => this.#tableRow(m, result.choice))}
          </tbody>
        </table>
      </div>
      <p class="caption">
        ${result ? `Computed in float32 on ${deviceWithin(result.on)}. ` : ""}Moved by: largest
        change of the output over its largest value; below ${power(Math.log10(UNCHANGED))} counts as unchanged, since s·x + c is
        rounded itself. Off float64: largest error over the largest output, with a mark where it keeps the documented
        bound. pRMSNorm reads the first ${P * 100} % of the row. ${result?.layer.norm === "rms"
          ? "This layer has no bias; LayerNorm runs without."
          : ""} ${result ? `The layer: ${result.layer.note}.` : ""}
      </p>`;
  }

  #tableRow(m: Measurement, choice: Choice): TemplateResult {
    const { norm, label, formula, dash } = m.variant;
    const same = m.moved <= UNCHANGED;
    const idle = choice.shift === 0 && choice.exponent === 0;
    return html`<tr>
      <th scope="row">
        <label class="check sym-${norm}"
          ><input type="radio" name="shown" value=${norm} .checked=${this.shown === norm} @change=${() => (this.shown = norm)} />
          ${swatch({ norm, dash })}<span>${label}</span></label
        >
      </th>
      <td class="formula">${unsafeHTML(formula)}</td>
      <td class="number moved">
        ${claim(`real.${norm}.moved`, m.moved, judged(m.movedAsTrue), m.moved === 0 ? "0" : significant(m.moved, 2))}
        <span class="verdict ${same ? "same" : "moves"}">${idle ? "" : same ? "= unchanged" : "≠ moves"}</span>
      </td>
      <td class="number">
        ${claim(`real.${norm}.error`, m.error, judged(m.ofBound <= 1), significant(m.error, 2))}
        ${mark(judged(m.ofBound <= 1), { pass: "within the bound", fail: "beyond the bound" })}
      </td>
    </tr>`;
  }
}

/** A row of a layer. */
function rowOf({ x: { dim, rows, values } }: LayerData, row: number): Float32Array {
  if (row >= rows) throw new Error(`the layer has ${rows} rows; there is no row ${row + 1}`);
  return values.subarray(row * dim, (row + 1) * dim);
}

/** The shift in the row's own unit, rounded to f32 as the device gets it. */
function shiftOf(x: Float32Array, { shift }: Choice): number {
  return Math.fround(shift * rms(x));
}

function mean(values: Float32Array): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}

function rms(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
}

function exponentText(exponent: number): string {
  return Number.isInteger(exponent) ? power(exponent, 2) : `2^${fixed(exponent, 2)}`;
}

function plainSwatch(colour: string, width: number, dash = ""): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 28 12" aria-hidden="true">
    <line x1="1" x2="27" y1="6" y2="6" style="stroke: ${colour}" stroke-width=${width} stroke-dasharray=${dash} />
  </svg>`;
}

customElements.define("rn-compare", RnCompare);
