/** What is known of a bind group of the author. */
export interface GroupRecord {
  readonly layout: GPUBindGroupLayout;
  readonly entries: readonly GPUBindGroupEntry[];
}

/** Whose automatic layout a bind group layout is. */
export interface LayoutOwner {
  readonly pipeline: object;
  readonly index: number;
}

/** What the author has made of a device, as far as WebGPU does not tell it again. */
export class AuthorObjects {
  readonly codes: WeakMap<GPUShaderModule, string> = new WeakMap();
  readonly layouts: WeakMap<GPUBindGroupLayout, readonly GPUBindGroupLayoutEntry[]> = new WeakMap();
  readonly pipelineLayouts: WeakMap<
    GPUPipelineLayout,
    readonly (GPUBindGroupLayout | null | undefined)[]
  > = new WeakMap();
  readonly groups: WeakMap<GPUBindGroup, GroupRecord> = new WeakMap();
  readonly automatic: WeakMap<GPUBindGroupLayout, LayoutOwner> = new WeakMap();

  /** Copies what makes a bind group, as descriptors are often used again. */
  noteGroup(group: GPUBindGroup, { layout, entries }: GPUBindGroupDescriptor): void {
    const copies = Array.from(entries, ({ binding, resource }) => ({
      binding,
      resource: copyOf(resource),
    }));
    this.groups.set(group, { layout, entries: copies });
  }
}

function copyOf(resource: GPUBindingResource): GPUBindingResource {
  if (!("buffer" in resource) || !resource.buffer) return resource;
  const { buffer, offset, size } = resource as GPUBufferBinding;
  return {
    buffer,
    ...offset !== undefined && { offset },
    ...size !== undefined && { size },
  };
}
