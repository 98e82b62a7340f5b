import { type TemplateResult, html } from "lit";
import { type Cpu, type Device, DeviceController, type Gpu, works } from "../device.ts";
import { Plain } from "../figure.ts";

/** What a device is called. Browsers hide much: then it is described. */
export function deviceName(on: Device): string {
  switch (on.kind) {
    case "gpu":
      return on.name || (on.adapter.software ? "Software adapter" : "GPU");
    case "cpu":
      return { "no-webgpu": "CPU, no WebGPU", "no-adapter": "CPU, no adapter", chosen: "CPU, as you chose" }[on.cause];
    case "fault":
      return "The GPU failed";
    case "none":
      return "The library does not run";
  }
}

/** The same within a sentence. */
export function deviceWithin(on: Gpu | Cpu): string {
  if (on.kind === "cpu") return "the CPU";
  return on.name || (on.adapter.software ? "a software adapter" : "the GPU");
}

/** What kind of hardware it is, as far as the browser tells. */
function deviceKind(on: Device): string {
  if (on.kind === "cpu") return "the library in WebAssembly, one core";
  if (on.kind !== "gpu") return "nothing is computed";
  if (on.adapter.software) return `${on.name ? "software adapter: " : ""}shaders run on the CPU`;
  const kind = on.caps.adapter;
  return kind === "unknown" ? "the browser does not tell" : `${kind} GPU`;
}

/** What its passes can be timed with. */
function deviceClock(on: Device): string {
  return on.kind === "gpu" && on.caps.timestampQuery ? "timestamp queries" : "wall clock";
}

const state = (on: Device) => (on.kind === "gpu" && on.adapter.software ? "software" : on.kind);

const looking = html`<span class="chip"><span class="dot"></span>Looking for a GPU …</span>`;

/** The device in one line. */
export function chip(on: Device | undefined): TemplateResult {
  if (!on) return looking;
  return html`<span class="chip" data-state=${state(on)}>
    <span class="dot" aria-hidden="true"></span>
    <strong>${deviceName(on)}</strong>
    <span class="soft">${deviceKind(on)}</span>
    ${works(on) ? html`<span class="soft">clock: ${deviceClock(on)}</span>` : null}
  </span>`;
}

/** The device card; where there is no GPU, also why and what may help. */
class RnDevice extends Plain {
  #device = new DeviceController(this);

  override render() {
    const { on } = this.#device;
    if (!on) return html`<div class="card" role="status">${looking}</div>`;
    return html`<div class="card" role="status" data-on=${on.kind}>
      <span class="chip" data-state=${state(on)}>
        <span class="dot" aria-hidden="true"></span>
        <strong>${deviceName(on)}</strong>
      </span>
      ${works(on)
        ? html`<dl>
            <dt>Runs on</dt>
            <dd>${on.kind === "cpu" ? "WebAssembly" : "WebGPU"}</dd>
            <dt>Kind</dt>
            <dd>${deviceKind(on)}</dd>
            <dt>Clock</dt>
            <dd>${deviceClock(on)}</dd>
          </dl>`
        : null}
      ${on.kind === "gpu" ? null : html`<p>${on.reason} ${on.kind === "cpu" ? "Everything here works all the same, on the CPU." : ""}</p>`}
      ${on.kind === "gpu" || on.advice === "" ? null : html`<p>${on.advice}</p>`}
      ${on.kind === "fault" ? html`<p>The figures below ask how to go on.</p>` : null}
    </div>`;
  }
}

customElements.define("rn-device", RnDevice);
