// The benchmark, with types. Its module is loaded when it is first asked for.

/** Rows and features of the matrix. */
export interface Shape {
  rows: number;
  dim: number;
}

/** What the benchmark is doing. */
export interface Progress {
  kernel: string;
  stage: "check" | "calibrate" | "time";
  done: number;
  total: number;
}

/** How long one pass over the matrix took, in nanoseconds. */
export interface Times {
  medianNs: number;
  p10Ns: number;
  p90Ns: number;
  /** By the host's clock, submission and waiting included. */
  wallMedianNs: number;
  spansNs: Float64Array;
  /** Passes in a span. */
  dispatches: number;
  /** Spans dropped because the clock stood still or ran backwards. */
  dropped: number;
  /** The clock's quantum over a span. */
  clockError: number;
  /** Whether one pass takes over 250 ms, so that only three spans were timed. */
  slow: boolean;
  gbPerS: number;
  /** The copy's median over this median; null where the copy has no time. */
  ofCopy: number | null;
}

/** One entrant. */
export interface Entry {
  kernel: "copy" | "layer" | "rms";
  strategy: string | null;
  /** Why it has no time: a wrong result or an error. */
  problem: string | null;
  maxError: number | null;
  compileNs: number;
  times: Times | null;
}

/** What was found. */
export interface Report {
  clock: string;
  /** The clock's smallest step, measured. */
  quantumNs: number;
  residency: string;
  /** Pairs of buffers that dispatches took turns on. */
  pairs: number;
  stopped: boolean;
  /** RMSNorm's time over LayerNorm's, with a 95 % interval of the median. */
  ratio: { median: number; low: number; high: number; differs: boolean } | null;
  entries: Entry[];
}

let loading: Promise<typeof import("../wasm/pkg/demo.js")> | undefined;

function load(): Promise<typeof import("../wasm/pkg/demo.js")> {
  loading ??= import("../wasm/pkg/demo.js").then(async (module) => {
    await module.default();
    return module;
  });
  // A failure may pass: the next press tries again.
  loading.catch(() => (loading = undefined));
  return loading;
}

/** Runs it. `tell` hears of each step and stops the run by returning false. */
export async function bench(on: "gpu" | "cpu", shape: Shape, spans: number, tell: (progress: Progress) => boolean): Promise<Report> {
  const { benchCpu, benchGpu } = await load();
  const run = on === "gpu" ? benchGpu : benchCpu;
  return Promise.race([run(shape.rows, shape.dim, spans, tell) as Promise<Report>, fault()]);
}

/** Rejects when the module panics: the promise of the call would never settle. */
function fault(): Promise<never> {
  return new Promise((_, reject) => {
    window.addEventListener("error", ({ error }) => {
      if (!(error instanceof WebAssembly.RuntimeError)) return;
      loading = undefined;
      reject(error);
    });
  });
}
