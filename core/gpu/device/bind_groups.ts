/** A buffer of the shader's author: the i-th of the list is `@group(1) @binding(i)`. */
export interface KernelBuffer {
  /** Owned by the caller, who destroys it. */
  readonly buffer: GPUBuffer;
  /** `storage` when absent. */
  readonly type?: GPUBufferBindingType;
}

/** What a pipeline is made with, and what its passes bind. */
export interface BindGroups {
  readonly layout: GPUPipelineLayout;
  /** The i-th is `@group(i)`. */
  readonly groups: readonly GPUBindGroup[];
}

/** Makes a bind group of each list of buffers. */
export function makeBindGroups(
  device: GPUDevice,
  lists: readonly (readonly KernelBuffer[])[],
): BindGroups {
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
      entries: buffers.map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
    })
  );
  return { layout: device.createPipelineLayout({ bindGroupLayouts: layouts }), groups };
}
