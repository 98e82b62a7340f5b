// What all figures share.
import { LitElement } from "lit";

/** A custom element without shadow: the page's styles apply, and what stood in it for the time without script goes. */
export class Plain extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }
}

/** A font's size in pixels, and the padding of panels in the style sheet. */
export function panelPadding(): { em: number; padding: number } {
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { em, padding: Math.min(1.75 * em, Math.max(0.9 * em, innerWidth * 0.025)) };
}

/** A figure that knows its width in pixels, so that its text keeps its size on every screen. */
export class Figure extends Plain {
  static override properties = { width: { state: true } };
  declare width: number;
  #observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0) this.width = width;
  });

  constructor() {
    super();
    this.width = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.width = Math.floor(this.getBoundingClientRect().width);
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** The width inside a panel that fills the figure, as the style sheet has it. */
  protected get inner(): number {
    return Math.floor(this.width - 2 * panelPadding().padding - 2);
  }
}

/** Runs `work` at most once at a time; what arrives meanwhile is done once, afterwards, with the newest state. */
export function latest(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  return async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = false;
    }
  };
}
