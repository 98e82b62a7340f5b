import { axisBottom } from "d3-axis";
import { scaleBand, scaleLinear } from "d3-scale";
import { type TemplateResult, html, svg } from "lit";
import { axis } from "../chart.ts";
import { BenchRun, type Entry, type Progress, type Report, type Shape } from "../bench.ts";
import { type Status, claim, mark, measured } from "../claim.ts";
import { type Cpu, DeviceController, type Gpu, works } from "../device.ts";
import { message } from "../engine.ts";
import { Figure } from "../figure.ts";
import { percent, significant, time } from "../format.ts";
import { swatch } from "../variants.ts";
import { chip } from "./rn-device.ts";
import { cpuButton, trouble } from "./trouble.ts";

/** Spans that count in a quick run. */
const SPANS = 21;

type Preset = Shape & { what: string };

const PRESETS: readonly Preset[] = [
  { rows: 1, dim: 4096, what: "one row, as in decoding" },
  { rows: 32, dim: 4096, what: "a small batch" },
  { rows: 512, dim: 2048, what: "8 MB in and out" },
  { rows: 2048, dim: 4096, what: "67 MB in and out" },
  { rows: 8192, dim: 4096, what: "268 MB in and out" },
];
/** What is chosen at first, where it is offered: software is slow. */
const DEFAULTS = { gpu: PRESETS[3]!, software: PRESETS[2]! };

const ENTRANTS = {
  copy: { label: "copy", line: { norm: "copy" as never, dash: "" } },
  layer: { label: "LayerNorm", line: { norm: "layer" as const, dash: "" } },
  rms: { label: "RMSNorm", line: { norm: "rms" as const, dash: "" } },
};

const STAGES = { check: "checking against float64", calibrate: "calibrating", time: "timing" };

/** Copy, LayerNorm and RMSNorm, timed on the visitor's device when asked to. */
class RnBench extends Figure {
  static override properties = {
    ...Figure.properties,
    chosen: { state: true },
    progress: { state: true },
    report: { state: true },
    error: { state: true },
  };
  /** The visitor's choice, which another device may not offer. */
  declare chosen: Preset | undefined;
  declare progress: Progress | undefined;
  declare report: { report: Report; shape: Shape; on: Gpu | Cpu } | undefined;
  declare error: string | undefined;
  #run: BenchRun | undefined;
  #device = new DeviceController(this, () => this.#forget());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget();
  }

  /** What was found on another device is not this one's. */
  #forget(): void {
    this.#run?.cancel();
    this.#run = undefined;
    this.progress = undefined;
    this.report = undefined;
    this.error = undefined;
  }

  /** The device, where it can be timed. */
  get #on(): Gpu | Cpu | undefined {
    const { on } = this.#device;
    return works(on) ? on : undefined;
  }

  get #software(): boolean {
    const on = this.#on;
    return on?.kind === "cpu" || on?.adapter.software === true;
  }

  /** What this device can be asked to do: phones have little memory, software adapters little speed. */
  get #presets(): readonly Preset[] {
    const phone = matchMedia("(pointer: coarse) and (max-width: 46rem)").matches;
    return PRESETS.filter(({ rows, dim }) => rows * dim <= (phone ? 2 ** 20 : this.#software ? 2 ** 23 : 2 ** 25));
  }

  get #preset(): Preset {
    const offered = this.#presets;
    const wanted = [this.chosen, this.#software ? DEFAULTS.software : DEFAULTS.gpu];
    return wanted.find((preset) => preset && offered.includes(preset)) ?? offered.at(-1)!;
  }

  async #start(): Promise<void> {
    const on = this.#on;
    const shape = this.#preset;
    if (!on || this.progress) return;
    this.report = undefined;
    this.error = undefined;
    this.progress = { kernel: "copy", stage: "check", done: 0, total: 1 };
    const run = new BenchRun({ on: on.kind, rows: shape.rows, dim: shape.dim, spans: SPANS }, (progress) => {
      if (run === this.#run) this.progress = progress;
    });
    this.#run = run;
    // The buttons change places.
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".stop")?.focus());
    try {
      const report = await run.report;
      if (run === this.#run) this.report = { report, shape, on };
    } catch (error) {
      if (run === this.#run) this.error = message(error);
    }
    if (run !== this.#run) return;
    this.#run = undefined;
    this.progress = undefined;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".quick")?.focus();
  }

  override render() {
    const on = this.#on;
    const preset = this.#preset;
    return html`<div class="panel bench">
      ${chip(this.#device.on)} ${trouble(this.#device.on)}
      ${on && this.#software
        ? html`<p class="notice" data-software>
            ${on.kind === "cpu"
              ? `${on.reason} The library’s CPU path is timed, in WebAssembly on one core. These numbers describe your CPU.`
              : "This is a software adapter: its shaders run on the CPU. These numbers describe your CPU."}
          </p>`
        : null}
      <div class="bench-controls">
        <div class="field">
          <label for="bench-shape">Matrix, float32</label>
          <select
            id="bench-shape"
            ?disabled=${this.progress !== undefined}
            @change=${(e: Event) => (this.chosen = PRESETS[Number((e.target as HTMLSelectElement).value)])}
          >
            ${this.#presets.map(
              (offered) => html`<option value=${PRESETS.indexOf(offered)} .selected=${offered === preset}>
                ${offered.rows} × ${offered.dim}: ${offered.what}
              </option>`,
            )}
          </select>
        </div>
        ${this.progress
          ? html`<button type="button" class="stop" @click=${() => this.#run?.stop()}>Stop</button>`
          : html`<button type="button" class="quick primary" ?disabled=${!on} @click=${() => void this.#start()}>
              Quick run
            </button>`}
      </div>
      ${this.#state()} ${this.report ? this.#results(this.report) : null}
    </div>`;
  }

  #state(): TemplateResult {
    const { progress, error } = this;
    const text = progress
      ? `${ENTRANTS[progress.kernel as keyof typeof ENTRANTS]?.label ?? progress.kernel}: ${STAGES[progress.stage]}`
      : error !== undefined
        ? `The run failed: ${error}.`
        : this.report
          ? this.report.report.stopped
            ? "Stopped. What had been measured by then:"
            : "Done."
          : this.#on
            ? "Takes a few seconds."
            : "";
    return html`<div class="bench-state">
      ${progress
        ? html`<progress aria-label="Progress of the run" max=${progress.total} value=${progress.done}></progress>`
        : null}
      <!-- While spans are timed the sentence names no entrant: it would change too fast to be spoken. -->
      <p role="status">${progress?.stage === "time" ? "Timing all three in turns …" : text}</p>
      ${error !== undefined && this.#on?.kind === "gpu" ? cpuButton(`The benchmark on the GPU failed: ${error}.`) : null}
    </div>`;
  }

  #results({ report, shape, on }: { report: Report; shape: Shape; on: Gpu | Cpu }): TemplateResult {
    return html`<div data-done=${String(!report.stopped)} data-on=${on.kind}>
      ${this.#headline(report)} ${this.#scatter(report)} ${this.#bars(report)} ${this.#table(report)}
      <p class="caption">
        ${shape.rows} × ${shape.dim}, float32, one pass reads and writes
        ${significant((shape.rows * shape.dim * 8) / 1e6)} MB. ${this.#clock(report)}
        ${on.kind === "cpu"
          ? "One pair of buffers, so that small matrices stay in the cache."
          : html`Buffers: ${report.residency}, ${report.pairs} ${report.pairs === 1 ? "pair" : "pairs"} in turns.`}
        ${this.#spans(report)}
      </p>
    </div>`;
  }

  /** The clock, and how far off reading it may put a span. */
  #clock({ clock, quantumNs, entries }: Report): TemplateResult {
    const error = Math.max(0, ...entries.map(({ times }) => times?.clockError ?? 0));
    const share = error < 0.001 ? "under 0.1\u00a0%" : `up to ${percent(error)}`;
    return html`Clock: ${clock}, smallest step ${measured("bench.quantum", quantumNs, time(quantumNs))},
    ${measured("bench.clockError", error, share)} of a span.`;
  }

  /** What was timed, as it was: entrants may have lost spans, or have been too slow for all. */
  #spans({ discarded, entries }: Report): TemplateResult {
    const timed = entries.flatMap(({ kernel, times }) => (times ? [{ label: ENTRANTS[kernel].label, times }] : []));
    if (timed.length === 0) return html``;
    const counts = timed.map(({ times }) => times.spansNs.length);
    const same = counts.every((count) => count === counts[0]);
    const each = same ? `${counts[0]} of each` : timed.map(({ label }, i) => `${counts[i]} of ${label}`).join(", ");
    const dropped = timed.filter(({ times }) => times.dropped > 0);
    return html`Spans, interleaved in a random order: <span data-spans=${counts.join(" ")}>${each}</span>, after ${discarded}
      rounds that are thrown away. Whiskers and ranges are the 10th and 90th percentile.
      ${timed.some(({ times }) => times.slow) ? "* One pass takes over 250 ms, so that it was timed in few spans." : ""}
      ${dropped.length > 0
        ? `Dropped, because the clock stood still or ran backwards: ${dropped.map(({ label, times }) => `${times.dropped} of ${label}`).join(", ")}.`
        : ""}`;
  }

  #headline({ ratio, fewestPairs, entries }: Report): TemplateResult | null {
    const timed = (kernel: string) => entries.some((entry) => entry.kernel === kernel && entry.times !== null);
    if (!timed("rms") || !timed("layer")) return null;
    if (!ratio) {
      return html`<p class="headline">
        <strong>No verdict:</strong> RMSNorm and LayerNorm have fewer than ${fewestPairs} rounds in common, too few to
        compare them.
      </p>`;
    }
    const { median, low, high, pairs, differs } = ratio;
    const interval = `95\u00a0% interval ${percent(low)} to ${percent(high)}, from ${pairs} rounds`;
    const value = measured("bench.ratio", median, percent(median));
    return differs
      ? html`<p class="headline">On this device RMSNorm takes <strong>${value}</strong> of LayerNorm’s time
          <span class="soft">(${interval})</span>.</p>`
      : html`<p class="headline">On this device there is <strong>no measurable difference</strong>: RMSNorm takes
          ${value} of LayerNorm’s time <span class="soft">(${interval})</span>, which the scatter of the spans does not
          tell from 100 %.</p>`;
  }

  /** Spans that differ much among themselves measure the machine's other work. */
  #scatter(report: Report): TemplateResult | null {
    const spread = Math.max(0, ...report.entries.map(({ times }) => (times ? times.p90Ns / times.p10Ns : 0)));
    if (!(spread > 1.5)) return null;
    return html`<p class="notice">
      The machine was busy: the slowest tenth of a kernel’s spans took over ${significant(spread, 2)} times as long as the
      fastest. Run it again when it is idle.
    </p>`;
  }

  #bars(report: Report): TemplateResult | null {
    const timed = report.entries.flatMap((entry) => (entry.times ? [{ ...entry, times: entry.times }] : []));
    if (timed.length === 0 || this.width === 0) return null;
    const width = this.inner;
    const height = 44 * timed.length + 44;
    const left = 92;
    const right = width < 500 ? 62 : 150;
    const ticks = width < 500 ? 3 : 5;
    const unit = Math.max(...timed.map((e) => e.times.p90Ns)) >= 1e6 ? { ns: 1e6, name: "ms" } : { ns: 1e3, name: "µs" };
    const h = scaleLinear([0, Math.max(...timed.map((e) => Math.max(e.times.p90Ns, e.times.medianNs))) / unit.ns], [left, width - right]).nice(ticks);
    const v = scaleBand(timed.map((e) => e.kernel), [4, height - 44]).padding(0.35);
    const copy = timed.find((e) => e.kernel === "copy");
    const words = timed.map((e) => `${ENTRANTS[e.kernel].label} ${time(e.times.medianNs)}`).join(", ");
    return html`<svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label="Time of one pass: ${words}">
      ${h.ticks(ticks).map((t) => svg`<line class="grid" x1=${h(t)} x2=${h(t)} y1="0" y2=${height - 44} />`)}
      ${copy ? svg`<line class="reference" stroke-dasharray="2 4" x1=${h(copy.times.medianNs / unit.ns)} x2=${h(copy.times.medianNs / unit.ns)} y1="0" y2=${height - 44} />` : null}
      ${timed.map(({ kernel, times }) => {
        const y = v(kernel)!;
        const middle = y + v.bandwidth() / 2;
        const at = (ns: number) => h(ns / unit.ns);
        const end = Math.max(at(times.p90Ns), at(times.medianNs)) + 10;
        return svg`<g class="bar-${kernel}">
          <text class="label" x=${left - 10} y=${middle + 5} text-anchor="end">${ENTRANTS[kernel].label}</text>
          <rect class="bar-fill" x=${left} y=${y} width=${Math.max(1, at(times.medianNs) - left)} height=${v.bandwidth()} />
          <path class="whisker" d="M${at(times.p10Ns)},${middle}H${at(times.p90Ns)}M${at(times.p10Ns)},${middle - 6}v12M${at(times.p90Ns)},${middle - 6}v12" />
          <text class="strong" x=${end} y=${middle + 5}>${time(times.medianNs)}${
            width >= 500 && kernel !== "copy" && times.ofCopy !== null ? ` · ${percent(times.ofCopy)} of copy` : ""
          }</text>
        </g>`;
      })}
      ${axis(axisBottom(h).ticks(ticks).tickSizeOuter(0), 0, height - 44)}
      <text x=${(left + width - right) / 2} y=${height - 4} text-anchor="middle">${unit.name} for one pass over the matrix</text>
    </svg>`;
  }

  #table(report: Report): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of times">
      <table class="times">
        <thead>
          <tr>
            <th scope="col">Kernel</th>
            <th scope="col" class="number">speed of this device’s copy</th>
            <th scope="col" class="number">median</th>
            <th scope="col" class="number">10th to 90th percentile</th>
            <th scope="col" class="number">GB/s</th>
            <th scope="col" class="number">off float64</th>
            <th scope="col" class="number">compiled in</th>
            <th scope="col">strategy</th>
          </tr>
        </thead>
        <tbody>
          ${report.entries.map((entry) => this.#tableRow(entry))}
        </tbody>
      </table>
    </div>`;
  }

  #tableRow({ kernel, strategy, problem, maxError, compileNs, times }: Entry): TemplateResult {
    const { label, line } = ENTRANTS[kernel];
    const status: Status = problem !== null ? "fail" : maxError === null ? "pending" : "pass";
    return html`<tr data-kernel=${kernel}>
      <th scope="row"><span class="kernel sym-${kernel}">${swatch(line)} ${label}</span></th>
      ${times
        ? html`<td class="number">
              ${times.ofCopy === null ? "–" : measured(`bench.${kernel}.ofCopy`, times.ofCopy, percent(times.ofCopy))}
            </td>
            <td class="number">${measured(`bench.${kernel}.median`, times.medianNs, time(times.medianNs))}${times.slow ? " *" : ""}</td>
            <td class="number">${time(times.p10Ns)} to ${time(times.p90Ns)}</td>
            <td class="number">${significant(times.gbPerS)}</td>`
        : html`<td colspan="4">${problem ?? "not timed"}</td>`}
      <td class="number">
        ${maxError === null ? "–" : claim(`bench.${kernel}.error`, maxError, status, significant(maxError, 2))}
        ${mark(status, { pass: "within the bound", fail: "wrong or not run" })}
      </td>
      <td class="number">
        ${compileNs === null ? "–" : measured(`bench.${kernel}.compile`, compileNs, time(compileNs))}
      </td>
      <td class="strategy">${strategy?.replaceAll("_", " ") ?? ""}</td>
    </tr>`;
  }
}

customElements.define("rn-bench", RnBench);
