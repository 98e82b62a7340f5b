import type { AdapterInfoLike, DeviceCaps, DeviceLike, Limits } from "./types.js";

const LIMITS = [
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBuffersPerShaderStage",
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "minStorageBufferOffsetAlignment",
  "minUniformBufferOffsetAlignment",
] as const satisfies (keyof Limits)[];

/** What Chromium calls the kinds of adapters, where it tells. */
const KINDS: Record<string, DeviceCaps["adapter"]> = {
  "discrete GPU": "discrete",
  "integrated GPU": "integrated",
  CPU: "cpu",
};

/**
 * The capabilities of your own `GPUDevice` (or of the device a `GPUAdapter` would give with all of its features and
 * limits), for {@link plan}. Needs no {@link init}.
 */
export function capsOf(device: DeviceLike): DeviceCaps {
  const info = device.adapterInfo ?? device.info ?? {};
  const { subgroupMinSize: min = 4, subgroupMaxSize: max = 128 } = info;
  return {
    adapter: kindOf(info),
    dialect: "browser",
    subgroups: device.features.has("subgroups") ? { min, max } : null,
    shaderF16: device.features.has("shader-f16"),
    timestampQuery: device.features.has("timestamp-query"),
    limits: Object.fromEntries(LIMITS.map((name) => [name, device.limits[name]])) as unknown as Limits,
  };
}

function kindOf(info: AdapterInfoLike): DeviceCaps["adapter"] {
  if (info.isFallbackAdapter || info.architecture === "swiftshader") return "cpu";
  return KINDS[info.type ?? ""] ?? "unknown";
}
