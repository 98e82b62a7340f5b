// Runs plans on a raw GPUDevice: compile, bind, dispatch. What it does follows from the plan's objects alone.

/** A plan executor on one device. Pipelines are kept by program text. */
export class Executor {
  #device;
  #programs = new Map();

  constructor(device) {
    this.#device = device;
  }

  /**
   * The pipeline of a kernel.
   *
   * @param {import("rownorm").Kernel} kernel
   */
  compile(kernel) {
    const known = this.#programs.get(kernel.wgsl);
    if (known) return known;
    const program = this.#compile(kernel);
    this.#programs.set(kernel.wgsl, program);
    return program;
  }

  async #compile(kernel) {
    const device = this.#device;
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ label: kernel.label, code: kernel.wgsl });
    const refused = device.popErrorScope();
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter((message) => message.type === "error");
    if (errors.length) {
      throw new Error(errors.map((error) => `${error.lineNum}:${error.linePos} ${error.message}`).join("\n"));
    }
    const error = await refused;
    if (error) throw new Error(error.message);
    const entries = kernel.bindings.map(({ index, type }) => {
      return { binding: index, visibility: GPUShaderStage.COMPUTE, buffer: { type } };
    });
    const layout = device.createBindGroupLayout({ entries });
    const pipeline = await device.createComputePipelineAsync({
      label: kernel.label,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: kernel.entryPoint },
    });
    return { pipeline, layout, uniform: kernel.bindings.find(({ tensor }) => tensor === null).index };
  }

  /**
   * Runs a job and answers the content of the written buffers.
   *
   * @param {{
   *   kernels: import("rownorm").Kernel[],
   *   dispatches: import("rownorm").Dispatch[],
   *   buffers: Uint32Array[],
   *   bufferOf: Record<import("rownorm").TensorName, number>,
   *   written: number[],
   * }} job
   * @returns {Promise<Uint32Array[]>}
   */
  async run({ kernels, dispatches, buffers, bufferOf, written }) {
    const device = this.#device;
    const programs = await Promise.all(kernels.map((kernel) => this.compile(kernel)));
    for (const filter of ["internal", "out-of-memory", "validation"]) device.pushErrorScope(filter);
    const made = buffers.map((words) => {
      return this.#buffer(words, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const { kernel, params, tensors, grid } of dispatches) {
      const { pipeline, layout, uniform } = programs[kernel];
      const block = this.#buffer(params, GPUBufferUsage.UNIFORM);
      made.push(block);
      const entries = tensors.map(({ index, tensor, offset, size }) => {
        return { binding: index, resource: { buffer: made[bufferOf[tensor]], offset, size } };
      });
      entries.push({ binding: uniform, resource: { buffer: block } });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
      pass.dispatchWorkgroups(...grid);
    }
    pass.end();
    const staging = written.map((index) => {
      const size = made[index].size;
      const copy = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
      encoder.copyBufferToBuffer(made[index], 0, copy, 0, size);
      made.push(copy);
      return copy;
    });
    device.queue.submit([encoder.finish()]);
    const errors = await Promise.all([device.popErrorScope(), device.popErrorScope(), device.popErrorScope()]);
    const error = errors.find((found) => found);
    if (error) throw new Error(error.message);
    await Promise.all(staging.map((copy) => copy.mapAsync(GPUMapMode.READ)));
    const contents = staging.map((copy) => new Uint32Array(copy.getMappedRange().slice(0)));
    for (const buffer of made) buffer.destroy();
    return contents;
  }

  /** A buffer with this content. */
  #buffer(content, usage) {
    const buffer = this.#device.createBuffer({ size: content.byteLength, usage, mappedAtCreation: true });
    new content.constructor(buffer.getMappedRange()).set(content);
    buffer.unmap();
    return buffer;
  }
}

/** A device with all features and limits of the browser's adapter that plans can use. */
export async function requestDevice() {
  const adapter = await navigator.gpu.requestAdapter();
  const requiredFeatures = ["subgroups", "shader-f16", "timestamp-query"].filter((name) => adapter.features.has(name));
  const requiredLimits = {};
  for (const name in Object.getPrototypeOf(adapter.limits)) {
    if (typeof adapter.limits[name] === "number") requiredLimits[name] = adapter.limits[name];
  }
  const device = await adapter.requestDevice({ requiredFeatures, requiredLimits });
  return { device, info: device.adapterInfo ?? adapter.info };
}
