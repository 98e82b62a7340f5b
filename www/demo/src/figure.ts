// What all figures share.
import { LitElement } from "lit";

/** A custom element without shadow: the page's styles apply, and what stood in it for the time without script goes. */
export class Plain extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }
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
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
}
