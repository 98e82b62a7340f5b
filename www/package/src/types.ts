/** The normalizations, by the names the command line uses as well. */
export type NormName =
  /** LayerNorm: (x − mean)/√(var + ε)·weight + bias. ε defaults to 1e-5. */
  | "layer"
  /** LayerNorm without weight and bias. ε defaults to 1e-5. */
  | "layer-simple"
  /** RMSNorm: x/√(mean x² + ε)·weight. ε defaults to 1e-5. */
  | "rms"
  /** RMSNorm without weight. ε defaults to 1e-5. */
  | "rms-plain"
  /** pRMSNorm: RMSNorm whose statistic reads the first part of a row (`p` or `k`). ε defaults to 1e-5. */
  | "prms"
  /** The uncentred input over the centred deviation: x/√(var + ε)·weight. ε defaults to 1e-3. */
  | "std-scaled"
  /** Re-centring alone: x − mean. */
  | "centered";

/** How the work of a row is spread over invocations. */
export type StrategyName =
  "row_per_workgroup" | "row_per_workgroup_subgroup" | "row_per_subgroup" | "row_per_invocation";

/** The tensors of a normalization. x and y are [rows, dim], weight and bias [dim], stats [rows, 2]. */
export type TensorName = "x" | "weight" | "bias" | "y" | "stats";

/** Which normalization: exactly one of `norm` and `preset`, and what differs from it. */
export interface NormOptions {
  /** By name. */
  norm?: NormName;
  /** By the model or framework that uses it; the names are in {@link presets}. */
  preset?: string;
  /** ε: 0, or finite and at least 2⁻¹²⁶. Rounded to f32. */
  eps?: number;
  /** Add ε outside the root, 1/(√statistic + ε), as the RMSNorm paper's PyTorch file does. */
  epsOutside?: boolean;
  /** Part of the row that pRMSNorm's statistic reads, in (0, 1]: the first ⌊p·dim⌋ elements. */
  p?: number;
  /** The same as a number of elements, 1 to dim. Either `p` or `k`. */
  k?: number;
  /** Multiply by `1 + weight` instead of `weight` (Gemma). */
  weightOffset?: 0 | 1;
}

/** What may be said about how a plan is made; the results are the same within the documented bounds. */
export interface PlanHints {
  /** A strategy to use instead of the planner's choice. */
  strategy?: StrategyName;
  /** False rules subgroup operations out. Default true: used where the device has them. */
  subgroups?: boolean;
  /** The number of rows to expect. Without it a row's result never depends on the batch around it. */
  rowsHint?: number;
}

/** One forward pass over arrays. */
export interface RunOptions extends NormOptions, PlanHints {
  /** Elements in a row, 1 to 2²⁵; `x.length` must be a multiple of it. */
  dim: number;
  /** [dim]. Refused for `layer-simple`, `rms-plain` and `centered`; without it the row is not multiplied. */
  weight?: Float32Array;
  /** [dim]. Refused for the same; without it none is added. */
  bias?: Float32Array;
  /** Also return mean and rstd of each row. Default false. */
  stats?: boolean;
}

/** What a forward pass computed. The arrays belong to the caller. */
export interface Forward {
  /** [rows, dim]. */
  y: Float32Array;
  /** [rows, 2]: mean and rstd of each row, where asked for. The mean is 0 where the statistic is not centred. */
  stats?: Float32Array;
}

/** The forward pass in float64. */
export interface Reference {
  /** [rows, dim]. */
  y: Float64Array;
  /** [rows]: the mean of the row, 0 where the statistic is not centred. */
  mean: Float64Array;
  /** [rows]: what a row is multiplied by: one over its deviation or RMS; 1 where it is not re-scaled. */
  rstd: Float64Array;
  /** [rows]: √(mean x²). */
  rms: Float64Array;
  /** [rows]: how far a result in f32 may lie from `y`, in absolute terms. */
  tolerance: Float64Array;
}

/** What a device can do, as far as a plan depends on it. */
export interface DeviceCaps {
  /** The kind of hardware, `unknown` where the browser does not tell. `cpu` is a software adapter. */
  adapter: "discrete" | "integrated" | "virtual" | "cpu" | "unknown";
  /** Whose WGSL compiler reads the program. */
  dialect: "browser" | "naga";
  /** The subgroup widths reported, where the device has the feature `subgroups`; else null. */
  subgroups: { min: number; max: number } | null;
  /** Whether the device has `shader-f16`. */
  shaderF16: boolean;
  /** Whether the device has `timestamp-query`. */
  timestampQuery: boolean;
  /** The limits the planner reads, by WebGPU's names; sizes in bytes. */
  limits: Limits;
}

/** The limits the planner reads, by WebGPU's names; sizes in bytes. */
export interface Limits {
  maxComputeInvocationsPerWorkgroup: number;
  maxComputeWorkgroupSizeX: number;
  maxComputeWorkgroupStorageSize: number;
  maxComputeWorkgroupsPerDimension: number;
  maxStorageBuffersPerShaderStage: number;
  maxStorageBufferBindingSize: number;
  maxBufferSize: number;
  minStorageBufferOffsetAlignment: number;
  minUniformBufferOffsetAlignment: number;
}

/** What {@link capsOf} reads of a `GPUDevice` (its `adapterInfo`) or a `GPUAdapter` (its `info`). */
export interface DeviceLike {
  readonly limits: { readonly [Name in keyof Limits]: number };
  readonly features: { has(name: string): boolean };
  readonly adapterInfo?: AdapterInfoLike;
  readonly info?: AdapterInfoLike;
}

/** What {@link capsOf} reads of a `GPUAdapterInfo`. Browsers leave out what they hide. */
export interface AdapterInfoLike {
  readonly isFallbackAdapter?: boolean;
  readonly architecture?: string;
  readonly type?: string;
  readonly subgroupMinSize?: number;
  readonly subgroupMaxSize?: number;
}

/** An adapter, for people. Browsers hide much of it: then the texts are empty. */
export interface AdapterInfo {
  /** Its name. */
  name: string;
  /** Driver and driver version. */
  driver: string;
  /** The graphics API behind it. */
  backend: string;
  /** Whether shaders are known to run on the CPU: times then describe the CPU. */
  software: boolean;
}

/** Where a tensor lies: a buffer and a range in it. Offset and stride count elements of 4 bytes. */
export interface TensorView {
  /** An identity of the buffer: equal numbers are the same buffer. */
  buffer: number;
  /** The buffer's size in bytes. */
  bufferSize: number;
  /** First element, from the start of the buffer. Default 0. */
  offset?: number;
  /** Elements from the start of one row to the start of the next. Default: rows without gaps. */
  rowStride?: number;
}

/** What to plan. */
export interface PlanOptions extends NormOptions, PlanHints {
  /** Elements in a row, 1 to 2²⁵. */
  dim: number;
  /** Whether a weight is bound. Default: as the norm or preset has it. */
  weight?: boolean;
  /** Whether a bias is bound. Default: as the norm or preset has it. */
  bias?: boolean;
  /** Whether mean and rstd are written to `stats`. Default false. */
  stats?: boolean;
  /** How the tensors will lie, where not contiguously in buffers of their own. */
  tensors?: Partial<Record<TensorName, TensorView>>;
}

/** One use of a plan. */
export interface Call {
  /** Rows to normalize; 0 is fine and dispatches nothing. */
  rows: number;
  /** ε for this call. Default: the plan's. */
  eps?: number;
  /** Where each of the plan's tensors lies. */
  tensors: Partial<Record<TensorName, TensorView>>;
}

/** One decision of the planner, explained. */
export interface Choice {
  what: string;
  value: string;
  why: string;
}

/** One binding of a kernel, in group 0. */
export interface Binding {
  /** `@binding(index)`. */
  index: number;
  /** What is bound; null is the uniform block with a dispatch's `params`. */
  tensor: TensorName | null;
  /** The buffer binding's type in a `GPUBindGroupLayout`. */
  type: "uniform" | "read-only-storage" | "storage";
}

/** One compute program: the whole of it, nothing is added before it runs. */
export interface Kernel {
  /** A name for tools and messages. */
  label: string;
  /** The program text. */
  wgsl: string;
  entryPoint: string;
  /** Invocations in a workgroup. */
  workgroupSize: number;
  /** Rows that one workgroup normalizes. */
  rowsPerWorkgroup: number;
  bindings: Binding[];
}

/** One dispatch of a call. */
export interface Dispatch {
  /** Index into the plan's `kernels`. */
  kernel: number;
  /** Bytes of the uniform block, bound at the binding without a tensor. */
  params: Uint8Array;
  /** The storage bindings; offset and size in bytes. */
  tensors: { index: number; tensor: TensorName; offset: number; size: number }[];
  /** Workgroups in x and y. */
  grid: [number, number];
}

/** How long the device took. */
export interface Timing {
  /** What the time was measured with; browsers coarsen both. */
  clock: "timestamp-query" | "wall clock";
  /** Milliseconds for all repeats together. Raw stamps may run backwards: then it is negative. */
  ms: number;
  /** The same by the wall clock, submission and waiting included. */
  wallMs: number;
  /** Dispatches of the whole input in the span. */
  repeats: number;
}
