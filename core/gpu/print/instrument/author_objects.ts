import { TextFault } from "../../text/lines.ts";
import { tryModule } from "../../text/module.ts";
import { declaredPlaces } from "../ring_place.ts";

/** The bindings that a text declares; or what is wrong with it. */
export type DeclaredPlaces = ReturnType<typeof declaredPlaces> | TextFault;

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
  readonly #codes = new WeakMap<GPUShaderModule, string>();
  readonly #places = new WeakMap<GPUShaderModule, DeclaredPlaces>();
  readonly layouts: WeakMap<GPUBindGroupLayout, readonly GPUBindGroupLayoutEntry[]> = new WeakMap();
  readonly pipelineLayouts: WeakMap<
    GPUPipelineLayout,
    readonly (GPUBindGroupLayout | null | undefined)[]
  > = new WeakMap();
  readonly groups: WeakMap<GPUBindGroup, GroupRecord> = new WeakMap();
  readonly automatic: WeakMap<GPUBindGroupLayout, LayoutOwner> = new WeakMap();

  noteModule(module: GPUShaderModule, code: string): void {
    this.#codes.set(module, code);
  }

  /** The bindings that a module declares; `undefined` if it is not known. */
  placesOf(module: GPUShaderModule): DeclaredPlaces | undefined {
    const code = this.#codes.get(module);
    if (code === undefined) return undefined;
    const known = this.#places.get(module);
    if (known) return known;
    const read = tryModule(code);
    const places = read instanceof TextFault ? read : declaredPlaces(read);
    this.#places.set(module, places);
    return places;
  }

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
