// Runs the benchmark once; its page ends it afterwards.
import init, { benchCpu, benchGpu } from "../wasm/pkg/demo.js";
import type { Answer, Job, Progress, Report } from "./bench.ts";

const answer = (answer: Answer) => postMessage(answer);
const failed = (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) });
let stopped = false;

// A fault of the module leaves the promise of its call pending; an error that nobody catches reaches the page by itself.
addEventListener("unhandledrejection", ({ reason }) => failed(reason));

addEventListener("message", async ({ data }: MessageEvent<Job | "stop">) => {
  if (data === "stop") {
    stopped = true;
    return;
  }
  try {
    await init();
    const run = data.on === "gpu" ? benchGpu : benchCpu;
    const tell = (progress: Progress) => {
      answer({ progress });
      return !stopped;
    };
    answer({ report: (await run(data.rows, data.dim, data.spans, tell)) as Report });
  } catch (error) {
    failed(error);
  }
});
