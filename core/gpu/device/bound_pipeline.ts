import { underScopes } from "./error_scopes.ts";
import { checkMade } from "./own_buffer.ts";

/** A buffer of the author's: the i-th of the list is `@group(1) @binding(i)`. */
export interface KernelBuffer {
  /** The buffer, which the caller owns and destroys. */
  readonly buffer: GPUBuffer;
  /** The first byte that is bound, a multiple of 256; 0 when absent. */
  readonly offset?: number;
  /** The number of bytes that are bound; up to the end when absent. */
  readonly size?: number;
  /** `storage` when absent. */
  readonly type?: GPUBufferBindingType;
}

/** A compute pipeline with its bind groups. */
export class BoundPipeline {
  readonly #pipeline: GPUComputePipeline;
  readonly #groups: readonly GPUBindGroup[];

  private constructor(pipeline: GPUComputePipeline, groups: readonly GPUBindGroup[]) {
    this.#pipeline = pipeline;
    this.#groups = groups;
  }

  /**
   * Creates the pipeline of a shader; the i-th list of buffers is its `@group(i)`.
   *
   * @throws {TypeError} when the device rejects it, for example because a buffer is missing
   * @throws {RangeError} when the device had no memory for a buffer
   */
  static async create(
    device: GPUDevice,
    compute: GPUProgrammableStage,
    lists: readonly (readonly KernelBuffer[])[],
  ): Promise<BoundPipeline> {
    for (const { buffer } of lists.flat()) {
      if (!(buffer instanceof GPUBuffer)) {
        throw new TypeError(
          `Cannot bind the buffers as each must be { buffer } with a GPUBuffer: current value is ${buffer}`,
        );
      }
      await checkMade(buffer);
    }
    const { result: { layout, groups }, refusal } = underScopes(
      device,
      () => bindGroups(device, lists),
    );
    const types = lists.map((buffers) => buffers.map(({ type = "storage" }) => type));
    const key = JSON.stringify([compute.entryPoint, types]);
    const [groupError, pipeline] = await Promise.all([
      refusal(),
      pipelineOf(device, { layout, compute }, key).catch((error: Error) => error),
    ]);
    if (groupError) throw refused(groupError);
    if (pipeline instanceof Error) throw refused(pipeline);
    return new BoundPipeline(pipeline, groups);
  }

  /** Adds one dispatch to a command buffer. */
  encode(
    encoder: GPUCommandEncoder,
    groupCount: number,
    timestampWrites?: GPUComputePassTimestampWrites,
  ): void {
    const pass = encoder.beginComputePass(timestampWrites ? { timestampWrites } : {});
    pass.setPipeline(this.#pipeline);
    this.#groups.forEach((group, index) => pass.setBindGroup(index, group));
    pass.dispatchWorkgroups(groupCount);
    pass.end();
  }
}

/** The pipelines of a module, by entry point and types of its buffers. */
const pipelines = new WeakMap<GPUShaderModule, Map<string, Promise<GPUComputePipeline>>>();

/** Creates a pipeline, or returns that of an earlier call, as drivers take seconds for a long text. */
function pipelineOf(
  device: GPUDevice,
  descriptor: GPUComputePipelineDescriptor,
  key: string,
): Promise<GPUComputePipeline> {
  const { module } = descriptor.compute;
  const made = pipelines.get(module) ?? new Map<string, Promise<GPUComputePipeline>>();
  pipelines.set(module, made);
  const pipeline = made.get(key) ?? device.createComputePipelineAsync(descriptor);
  made.set(key, pipeline);
  pipeline.catch(() => made.delete(key));
  return pipeline;
}

function bindGroups(device: GPUDevice, lists: readonly (readonly KernelBuffer[])[]) {
  const layouts = lists.map((buffers) =>
    device.createBindGroupLayout({
      entries: buffers.map(({ type = "storage" }, binding) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type },
      })),
    })
  );
  const groups = lists.map((buffers, index) =>
    device.createBindGroup({
      layout: layouts[index]!,
      entries: buffers.map(({ type: _type, ...resource }, binding) => ({ binding, resource })),
    })
  );
  return { layout: device.createPipelineLayout({ bindGroupLayouts: layouts }), groups };
}

function refused({ message }: { readonly message: string }): TypeError {
  return new TypeError(
    `Cannot bind the buffers as the device refuses it: ${message}; each @group(1) @binding(i) of the text must be the i-th of the option buffers`,
  );
}
