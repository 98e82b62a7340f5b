// A number the page claims: computed live, carried unrounded, and judged.
import { type TemplateResult, html } from "lit";

/** Whether the claim holds; `pending` while it is being computed or does not apply. */
export type Status = "pass" | "fail" | "pending";

/** Pass where `good`; NaN and all else fails. */
export const judged = (good: boolean): Status => (good ? "pass" : "fail");

/** An element that carries a claimed number: `data-claim`, `data-value` (unrounded), `data-status`. */
export function claim(id: string, value: number | string, status: Status, text: string): TemplateResult {
  return html`<span class="claim" data-claim=${id} data-value=${String(value)} data-status=${status}>${text}</span>`;
}

/** A number that was measured and that nothing judges: it has no `data-status`. */
export function measured(id: string, value: number, text: string): TemplateResult {
  return html`<span class="claim" data-claim=${id} data-value=${String(value)}>${text}</span>`;
}

/** A mark for the eye and a word for the ear. */
export function mark(status: Status, words: { pass: string; fail: string } = { pass: "passed", fail: "failed" }) {
  if (status === "pending") return html`<span class="mark" aria-hidden="true">·</span>`;
  const sign = status === "pass" ? "✓" : "✗";
  return html`<span class="mark" data-status=${status}
    ><span aria-hidden="true">${sign}</span><span class="visually-hidden">${words[status]}</span></span
  >`;
}
