import { html } from "lit";
import { Plain } from "../figure.ts";

const THEMES = { system: "System", light: "Light", dark: "Dark" } as const;
type Theme = keyof typeof THEMES;

/** The theme switch: the system's choice, light or dark; remembered on this machine. */
class RnTheme extends Plain {
  #theme: Theme = (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system";

  #choose(event: Event): void {
    this.#theme = (event.target as HTMLSelectElement).value as Theme;
    if (this.#theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = this.#theme;
    try {
      localStorage.setItem("theme", this.#theme);
    } catch {
      // A browser may forbid storage: the choice then holds for this visit.
    }
  }

  override render() {
    return html`<label class="theme">
      <span class="visually-hidden">Theme</span>
      <select @change=${this.#choose}>
        ${Object.entries(THEMES).map(
          ([value, label]) => html`<option value=${value} ?selected=${value === this.#theme}>${label}</option>`,
        )}
      </select>
    </label>`;
  }
}

customElements.define("rn-theme", RnTheme);
