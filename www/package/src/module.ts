import glue, { onPanic } from "./rownorm.js";
import { errorOf, translated } from "./errors.js";

/** What {@link init} accepts in place of the module that ships with the package. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

let loading: Promise<void> | undefined;
let ready = false;
let panic: string | undefined;
/** Rejects of the calls in flight: a panic would leave their promises pending for ever. */
const pending = new Set<(error: Error) => void>();

/**
 * Loads and compiles the WebAssembly module; once, however often and from wherever it is called. After a failure
 * (code `load`) the next call tries again.
 *
 * @param source The module, where it is not the file beside this one: an address, a response, bytes or a compiled module.
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw errorOf("load", `the WebAssembly module could not be loaded: ${text(error)}`, error);
  });
  return loading;
}

async function load(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  await glue({ module_or_path: source ?? new URL("./rownorm_bg.wasm", import.meta.url) });
  onPanic(poison);
  ready = true;
}

/** The module failed: it is of no use any more, and the calls in flight would wait for ever. */
function poison(message: string): void {
  panic ??= message;
  for (const reject of pending) reject(poisoned(panic));
  pending.clear();
  globalThis.removeEventListener?.("error", trapped);
}

/**
 * A trap that is no panic, memory that could not be had for one, tells nobody but the page. Which module of the page
 * it was cannot be told either: a call that ends too early is better than one that never ends.
 */
function trapped({ error }: ErrorEvent): void {
  if (error instanceof WebAssembly.RuntimeError) poison(error.message);
}

/** Calls into the module; its errors become this package's. */
export function sync<T>(work: () => T): T {
  if (!ready) throw errorOf("not-initialized", "the WebAssembly module is not loaded; await init() first");
  if (panic !== undefined) throw poisoned(panic);
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

/** The same for a call that returns a promise: it rejects as well when the module fails while it waits. */
export async function waiting<T>(work: () => Promise<T>): Promise<T> {
  const running = sync(work);
  let reject: (error: Error) => void = () => {};
  if (pending.size === 0) globalThis.addEventListener?.("error", trapped);
  const panicked = new Promise<never>((_, no) => pending.add((reject = no)));
  try {
    return await Promise.race([running, panicked]);
  } catch (error) {
    throw translated(error);
  } finally {
    pending.delete(reject);
    if (pending.size === 0) globalThis.removeEventListener?.("error", trapped);
  }
}

function poisoned(message: string): Error {
  return errorOf("internal", `a fault of this package; reload the page to go on: ${message}`);
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
