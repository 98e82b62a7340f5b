// Runs in a page: the conformance cases on one of the two engines.
import { capsOf } from "/package/index.js";
import init, * as module from "/conformance/rownorm.js";
import { Executor, requestDevice } from "/tests/executor.mjs";

await init();

/** The names of the cases that a pattern wants. */
export function names({ only = "", except = "^$" } = {}) {
  const [wanted, unwanted] = [new RegExp(only), new RegExp(except)];
  return module.conformanceNames().filter((name) => wanted.test(name) && !unwanted.test(name));
}

/**
 * Runs cases on the wgpu host, or on the executor; `progress(done, total)` is called now and then.
 *
 * @param {"wgpu" | "executor"} engine
 */
export async function run(engine, selection, progress) {
  const conformance = engine === "wgpu" ? await module.Conformance.onWgpu() : await onExecutor();
  const report = { passed: [], skipped: [], failures: [] };
  const selected = names(selection);
  for (const [done, name] of selected.entries()) {
    if (done % 50 === 0) progress(done, selected.length);
    const { passed, skipped, failures } = await conformance.run(name);
    report.passed.push(...passed);
    report.skipped.push(...skipped);
    report.failures.push(...failures);
  }
  return report;
}

async function onExecutor() {
  const { device, caps } = await planned();
  const executor = new Executor(device);
  return module.Conformance.onExecutor(caps, (job) => executor.run(job));
}

async function planned() {
  const { device, info } = await requestDevice();
  return { device, caps: capsOf({ limits: device.limits, features: device.features, info }) };
}

/** One pipeline is made for so many programs: making one takes the browser a second. */
const PROGRAMS_PER_PIPELINE = 200;

/** Programs in flight at once. */
const BATCH = 100;

/** Every program the planner can make for this adapter, and for a GPU in its place, without repetitions of a text. */
function programsOf(caps) {
  const lists = [caps, { ...caps, adapter: "unknown" }].map((caps) => module.conformancePrograms(caps));
  return [...new Map(lists.flat().map((program) => [program.kernel.wgsl, program])).values()];
}

/**
 * Shows every program the planner can make to the browser's compiler, which types it and checks its control flow;
 * makes pipelines of some. (The conformance cases make pipelines of every specification, strategy and layout.) Answers
 * what went wrong.
 */
export async function checkPrograms(progress) {
  const { device, caps } = await planned();
  const programs = programsOf(caps);
  const failures = [];
  const check = async ({ name, kernel }) => {
    const { messages } = await device.createShaderModule({ code: kernel.wgsl }).getCompilationInfo();
    const errors = messages.filter(({ type }) => type === "error");
    failures.push(...errors.map(({ lineNum, message }) => `${name}: line ${lineNum}: ${message}`));
  };
  for (let first = 0; first < programs.length; first += BATCH) {
    if (first % 2000 === 0) progress(first, programs.length);
    await Promise.all(programs.slice(first, first + BATCH).map(check));
  }
  const executor = new Executor(device);
  const sample = programs.filter((_, index) => index % PROGRAMS_PER_PIPELINE === 0);
  for (const { name, kernel } of sample) {
    await executor.compile(kernel).catch((error) => failures.push(`${name}: ${error.message}`));
  }
  return { count: programs.length, pipelines: sample.length, subgroups: caps.subgroups, failures };
}

/** What comes of a program that no browser accepts, and of a wrong result: the comparisons can fail. */
export async function controls() {
  const { device, caps } = await planned();
  const executor = new Executor(device);
  const kernel = module.conformancePrograms(caps)[0].kernel;
  const broken = { ...kernel, wgsl: kernel.wgsl.replace("{", "{ let x: u32 = 1.5; ") };
  const refused = await executor.compile(broken).then(() => "accepted", (error) => error.message);
  const reports = {};
  const [sample] = names({ only: "^variant_rms_weight_w_no_bias_eps_inside_" });
  const spoilt = {
    nothing: (words) => words,
    "an untouched output": (words) => words.fill(0x7fc0dead),
    "a guard word": (words) => words.fill(0, words.length - 1),
    "one wrong element": (words) => words.fill(0x3f9d70a4, 3, 4),
  };
  for (const [what, spoil] of Object.entries(spoilt)) {
    const conformance = module.Conformance.onExecutor({ ...caps, subgroups: null }, async (job) => {
      return (await executor.run(job)).map(spoil);
    });
    reports[what] = (await conformance.run(sample)).failures;
  }
  return { refused, reports };
}
