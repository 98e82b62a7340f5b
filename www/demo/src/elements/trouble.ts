import { type TemplateResult, html } from "lit";
import { type Device, goOnWithCpu, tryAgain } from "../device.ts";

/** What a figure says where there is nothing to compute on; the visitor decides how to go on. */
export function trouble(on: Device | undefined): TemplateResult | null {
  if (on?.kind === "none") return html`<p class="notice">${on.reason} ${on.advice}</p>`;
  if (on?.kind !== "fault") return null;
  return html`<div class="notice" data-fault>
    <p>${on.reason}</p>
    <div class="buttons">
      <button type="button" @click=${tryAgain}>Try the GPU again</button>
      ${cpuButton(on.reason)}
    </div>
  </div>`;
}

/** Goes on with the CPU, after the fault that this sentence tells. */
export function cpuButton(fault: string): TemplateResult {
  return html`<button type="button" class="go-on-with-cpu" @click=${() => void goOnWithCpu(fault)}>Go on with the CPU</button>`;
}
