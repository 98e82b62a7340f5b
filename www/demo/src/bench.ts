// The benchmark, with types. Each run has a worker of its own, with the benchmark's module in it: the page stays
// responsive, a fault of the module ends with its worker, and so does all memory that the run took.

/** Rows and features of the matrix. */
export interface Shape {
  rows: number;
  dim: number;
}

/** What to run. */
export interface Job extends Shape {
  on: "gpu" | "cpu";
  /** Spans of each entrant that count. */
  spans: number;
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
  /** Null where nothing was checked. */
  maxError: number | null;
  /** Null where nothing was compiled. */
  compileNs: number | null;
  times: Times | null;
}

/** RMSNorm's time over LayerNorm's, with a 95 % interval of the median. */
export interface Ratio {
  median: number;
  low: number;
  high: number;
  /** Pairs of spans it rests on. */
  pairs: number;
  differs: boolean;
}

/** What was found. */
export interface Report {
  clock: string;
  /** The clock's smallest step, measured. */
  quantumNs: number;
  residency: string;
  /** Pairs of buffers that dispatches took turns on. */
  pairs: number;
  /** Rounds that came first and were thrown away. */
  discarded: number;
  stopped: boolean;
  /** Null where fewer than `fewestPairs` spans could be paired. */
  ratio: Ratio | null;
  fewestPairs: number;
  entries: Entry[];
}

/** What the worker answers. */
export type Answer = { progress: Progress } | { report: Report } | { error: string };

/** One run, under way since it was made. */
export class BenchRun {
  /** Rejects with the run's own error, a fault of the module, or when the run is cancelled. */
  readonly report: Promise<Report>;
  #worker = new Worker(new URL("./bench.worker.ts", import.meta.url), { type: "module" });
  #cancel = () => {};

  constructor(job: Job, tell: (progress: Progress) => void) {
    const worker = this.#worker;
    this.report = new Promise<Report>((resolve, reject) => {
      this.#cancel = () => reject(new DOMException("the run was cancelled", "AbortError"));
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ("progress" in data) tell(data.progress);
        else if ("report" in data) resolve(data.report);
        else reject(new Error(data.error));
      };
      worker.onerror = ({ message }) => reject(new Error(message || "the benchmark's module could not be loaded"));
    }).finally(() => worker.terminate());
    worker.postMessage(job);
  }

  /** Ends it after the span under way; what was measured by then is reported. */
  stop(): void {
    this.#worker.postMessage("stop");
  }

  /** Ends it at once. */
  cancel(): void {
    this.#cancel();
  }
}
