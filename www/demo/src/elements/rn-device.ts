import { type TemplateResult, html } from "lit";
import { type Device, device } from "../engine.ts";
import { Plain } from "../figure.ts";

/** What a device is called. Browsers hide much: then it is described. */
export function deviceName(on: Device): string {
  if (on.kind === "cpu") return "CPU, no WebGPU";
  return on.adapter.name || on.adapter.driver || (on.adapter.software ? "software adapter" : "GPU, name hidden by the browser");
}

/** What kind of hardware it is, as far as the browser tells. */
export function deviceKind(on: Device): string {
  if (on.kind === "cpu") return "kernels' arithmetic in WebAssembly";
  if (on.adapter.software) return "software adapter: shaders run on the CPU";
  const kind = on.caps.adapter;
  return kind === "unknown" ? "WebGPU, kind of adapter not told" : `WebGPU, ${kind} GPU`;
}

/** What its passes can be timed with. */
export function deviceClock(on: Device): string {
  if (on.kind === "cpu") return "wall clock";
  return on.caps.timestampQuery ? "timestamp queries" : "wall clock";
}

/** The device in one line. */
export function chip(on: Device | undefined): TemplateResult {
  if (!on) return html`<span class="chip"><span class="dot"></span>Looking for a GPU …</span>`;
  const state = on.kind === "cpu" ? "cpu" : on.adapter.software ? "software" : "gpu";
  return html`<span class="chip" data-state=${state}>
    <span class="dot" aria-hidden="true"></span>
    <strong>${deviceName(on)}</strong>
    <span class="soft">${deviceKind(on)}</span>
    <span class="soft">clock: ${deviceClock(on)}</span>
  </span>`;
}

/** The device chip; where there is no GPU, also why and what may help. */
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
    return html`<div role="status">
      ${chip(on)}
      ${on?.kind === "cpu"
        ? html`<p class="notice">${on.reason} Everything here works all the same, on the CPU. ${on.advice}</p>`
        : null}
    </div>`;
  }
}

customElements.define("rn-device", RnDevice);
