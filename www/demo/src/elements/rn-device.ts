import { type TemplateResult, html } from "lit";
import { type Device, device } from "../engine.ts";
import { Plain } from "../figure.ts";

/** What a device is called. Browsers hide much: then it is described. */
export function deviceName(on: Device): string {
  if (on.kind === "cpu") return "CPU, no WebGPU";
  return on.name || (on.adapter.software ? "software adapter" : "GPU");
}

/** What kind of hardware it is, as far as the browser tells. */
export function deviceKind(on: Device): string {
  if (on.kind === "cpu") return "the library in WebAssembly, one core";
  if (on.adapter.software) return "software adapter: shaders run on the CPU";
  const kind = on.caps.adapter;
  return kind === "unknown" ? "the browser does not tell" : `${kind} GPU`;
}

/** What its passes can be timed with. */
export function deviceClock(on: Device): string {
  if (on.kind === "cpu") return "wall clock";
  return on.caps.timestampQuery ? "timestamp queries" : "wall clock";
}

const state = (on: Device) => (on.kind === "cpu" ? "cpu" : on.adapter.software ? "software" : "gpu");

/** The device in one line. */
export function chip(on: Device | undefined): TemplateResult {
  if (!on) return html`<span class="chip"><span class="dot"></span>Looking for a GPU …</span>`;
  return html`<span class="chip" data-state=${state(on)}>
    <span class="dot" aria-hidden="true"></span>
    <strong>${deviceName(on)}</strong>
    <span class="soft">${deviceKind(on)}</span>
    <span class="soft">clock: ${deviceClock(on)}</span>
  </span>`;
}

/** The device card; where there is no GPU, also why and what may help. */
class RnDevice extends Plain {
  static override properties = { on: { state: true } };
  declare on: Device | undefined;
  #changed = () => void this.#ask();

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("devicechange", this.#changed);
    void this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("devicechange", this.#changed);
  }

  async #ask(): Promise<void> {
    this.on = await device();
  }

  override render() {
    const on = this.on;
    if (!on) return html`<div class="card" role="status"><span class="chip"><span class="dot"></span>Looking for a GPU …</span></div>`;
    return html`<div class="card" role="status">
      <span class="chip" data-state=${state(on)}>
        <span class="dot" aria-hidden="true"></span>
        <strong>${deviceName(on)}</strong>
      </span>
      <dl>
        <dt>Runs on</dt>
        <dd>${on.kind === "cpu" ? "WebAssembly" : "WebGPU"}</dd>
        <dt>Kind</dt>
        <dd>${deviceKind(on)}</dd>
        <dt>Clock</dt>
        <dd>${deviceClock(on)}</dd>
      </dl>
      ${on.kind === "cpu"
        ? html`<p>${on.reason} Everything here works all the same, on the CPU.</p>
            <p>${on.advice}</p>`
        : null}
    </div>`;
  }
}

customElements.define("rn-device", RnDevice);
