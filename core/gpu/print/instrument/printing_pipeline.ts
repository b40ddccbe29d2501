import { TextFault } from "../../text/lines.ts";
import { nodesIn } from "../../text/syntax.ts";
import type { PrintingStage } from "../shader/entry_heads.ts";
import type { PrintingShader } from "../shader/printing_shader.ts";
import { declaredPlaces } from "../ring_place.ts";
import type { RingBuffer } from "../ring/ring_buffer.ts";
import type { AuthorObjects, DeclaredPlaces } from "./author_objects.ts";
import { changed } from "./hooks.ts";
import type { PrintingModule } from "./printing_module.ts";
import type { RingOwner } from "./ring_owner.ts";

/** A pipeline as its author describes it. */
export type PipelineDescriptor = GPUComputePipelineDescriptor | GPURenderPipelineDescriptor;

/** Where a pipeline has its ring. */
export interface PrintingPlan {
  readonly module: PrintingModule;
  readonly stage: PrintingStage;
  readonly group: number;
  readonly binding: number;
  readonly isShared: boolean;
  /** The author's layout; absent where it is automatic. */
  readonly lists?: readonly (GPUBindGroupLayout | null | undefined)[];
}

/** Why a pipeline prints nothing. */
export interface Unprinted {
  readonly reason: string;
}

interface Planning {
  readonly limits: GPUSupportedLimits;
  readonly objects: AuthorObjects;
  readonly modules: WeakMap<GPUShaderModule, PrintingModule>;
}

/** The stage that may print, and the modules of all stages. */
function stagesOf(descriptor: PipelineDescriptor) {
  if ("compute" in descriptor) {
    const { compute } = descriptor;
    return { name: "compute", stage: compute, all: [compute.module] } as const;
  }
  const { vertex, fragment } = descriptor;
  const all = fragment ? [vertex.module, fragment.module] : [vertex.module];
  return { name: "fragment", stage: fragment, all } as const;
}

/** Plans the printing of a pipeline; `undefined` if it does not print. */
export function planPrinting(
  descriptor: PipelineDescriptor,
  { limits, objects, modules }: Planning,
): PrintingPlan | Unprinted | undefined {
  const { name, stage, all } = stagesOf(descriptor);
  const module = stage && modules.get(stage.module);
  if (!module) return undefined;
  const entries = module.shader.printing.filter((entry) => entry.stage === name);
  const entry = entries.find((entry) => (stage.entryPoint ?? entry.name) === entry.name);
  if (!entry) return undefined;
  const places: Exclude<DeclaredPlaces, TextFault>[] = [];
  for (const one of all) {
    const printing = modules.get(one);
    const own = printing ? declaredPlaces(printing.shader.module) : objects.placesOf(one);
    if (own === undefined) return { reason: "a module of it was made before instrument()" };
    if (own instanceof TextFault) return { reason: `a module of it is not read: ${own.message}` };
    places.push(own);
  }
  const { layout } = descriptor;
  const lists = layout === "auto" ? undefined : objects.pipelineLayouts.get(layout);
  if (layout !== "auto" && !lists) return { reason: "its layout was made before instrument()" };
  const used = buffersOf(module.shader, entry.name);
  for (
    const [kind, limit] of [
      ["storage", limits.maxStorageBuffersPerShaderStage],
      ["uniform", limits.maxUniformBuffersPerShaderStage],
    ] as const
  ) {
    const count = lists ? entryCount(lists, { kind, stage: name, objects }) : used[kind];
    if (count === undefined) return { reason: "a bind group layout was made before instrument()" };
    if (count < limit) continue;
    const reason =
      `its stage has ${count} ${kind} buffers and the ring is one more: the limit is ${limit}`;
    return { reason };
  }
  const place = placeOf(places.flat(), { lists, groupsMax: limits.maxBindGroups, objects });
  return "reason" in place ? place : { module, stage: name, ...place, ...lists && { lists } };
}

/** The buffers that an entry point uses, as automatic layouts have them. */
function buffersOf({ module }: PrintingShader, entryPoint: string) {
  const entry = module.functions.filter(({ name }) => name === entryPoint);
  const used = new Set(
    [...module.reached(entry)].flatMap((one) => [...nodesIn(one)]).map((node) =>
      node.kind === "name" ? node.declared : undefined
    ),
  );
  const countOf = (wanted: string) =>
    module.variables.filter((one) => one.space === wanted && used.has(one)).length;
  return { storage: countOf("storage"), uniform: countOf("uniform") };
}

/** The buffers that a stage has in an explicit layout; `undefined` if a part is not known. */
function entryCount(
  lists: NonNullable<PrintingPlan["lists"]>,
  { kind, stage, objects }: {
    readonly kind: "storage" | "uniform";
    readonly stage: PrintingStage;
    readonly objects: AuthorObjects;
  },
): number | undefined {
  const flag = stage === "compute" ? GPUShaderStage.COMPUTE : GPUShaderStage.FRAGMENT;
  let count = 0;
  for (const layout of lists) {
    if (!layout) continue;
    const entries = objects.layouts.get(layout);
    if (!entries) return undefined;
    count += entries.filter(({ buffer, visibility }) =>
      buffer && (visibility & flag) !== 0 && (buffer.type ?? "uniform").endsWith(kind)
    ).length;
  }
  return count;
}

function placeOf(
  taken: Exclude<DeclaredPlaces, TextFault>,
  { lists = [], groupsMax, objects }: {
    readonly lists?: PrintingPlan["lists"] | undefined;
    readonly groupsMax: number;
    readonly objects: AuthorObjects;
  },
): Pick<PrintingPlan, "group" | "binding" | "isShared"> | Unprinted {
  if (taken.some(({ group, binding }) => group === undefined || binding === undefined)) {
    return { reason: "a group or binding of it is no plain number" };
  }
  const isTaken = Array.from(
    { length: groupsMax },
    (_, group) => Boolean(lists[group]) || taken.some((one) => one.group === group),
  );
  const behind = isTaken.lastIndexOf(true) + 1;
  const group = behind < groupsMax ? behind : isTaken.indexOf(false);
  if (group >= 0) return { group, binding: 0, isShared: false };
  const last = groupsMax - 1;
  const entries = lists[last] ? objects.layouts.get(lists[last]) ?? [] : [];
  const bindings = [...taken.filter((one) => one.group === last), ...entries]
    .map(({ binding }) => binding!);
  return { group: last, binding: Math.max(-1, ...bindings) + 1, isShared: true };
}

/** The descriptors of a shared group's layout. */
export function sharedEntries(
  { lists, group }: PrintingPlan,
  objects: AuthorObjects,
): readonly GPUBindGroupLayoutEntry[] {
  const own = lists?.[group];
  return own ? objects.layouts.get(own) ?? [] : [];
}

/** The pipeline that prints in the place of an author's, and the bind groups for it. */
export class PrintingPipeline {
  readonly owner: RingOwner;
  readonly plan: PrintingPlan;
  /** Absent until it is made, or if it could not be. */
  pipeline: GPUComputePipeline | GPURenderPipeline | undefined;
  readonly label: string;
  readonly #author: object;
  readonly #objects: AuthorObjects;
  readonly #createGroup: (descriptor: GPUBindGroupDescriptor) => GPUBindGroup;
  /** The layout of the ring's group, if the layout is explicit. */
  readonly #layout: GPUBindGroupLayout | undefined;
  #rings = new WeakMap<RingBuffer, GPUBindGroup[]>();
  readonly #remade = new WeakMap<GPUBindGroup, WeakMap<RingBuffer, GPUBindGroup[]>>();

  constructor(
    author: object,
    { owner, plan, label, objects, createGroup, layout }: {
      readonly owner: RingOwner;
      readonly plan: PrintingPlan;
      readonly label: string;
      readonly objects: AuthorObjects;
      readonly createGroup: (descriptor: GPUBindGroupDescriptor) => GPUBindGroup;
      readonly layout: GPUBindGroupLayout | undefined;
    },
  ) {
    this.owner = owner;
    this.plan = plan;
    this.label = label;
    this.#author = author;
    this.#objects = objects;
    this.#createGroup = createGroup;
    this.#layout = layout;
  }

  /** The ring's own group. */
  ringGroup(ring: RingBuffer, number: number): GPUBindGroup {
    const groups = this.#rings.get(ring) ?? [];
    this.#rings.set(ring, groups);
    return groups[number] ??= this.#createGroup({
      layout: this.#layout ?? this.pipeline!.getBindGroupLayout(this.plan.group),
      entries: [...ring.entries(number)],
      label: "printf",
    });
  }

  /**
   * The group to set instead of the author's: itself, if its layout is right; or `undefined` if it is not
   * known what it is made of.
   */
  groupFor(
    index: number,
    group: GPUBindGroup,
    { ring, number }: { readonly ring: RingBuffer; readonly number: number },
  ): GPUBindGroup | undefined {
    const isRings = this.plan.isShared && index === this.plan.group;
    if (this.plan.lists && !isRings) return group;
    const record = this.#objects.groups.get(group);
    if (!this.plan.lists) {
      const owner = record && this.#objects.automatic.get(record.layout);
      if (owner?.pipeline !== this.#author || owner.index !== index) return group;
    }
    if (!record) return undefined;
    const ofRing = this.#remade.get(group) ?? new WeakMap<RingBuffer, GPUBindGroup[]>();
    this.#remade.set(group, ofRing);
    const remade = ofRing.get(ring) ?? [];
    ofRing.set(ring, remade);
    return remade[isRings ? number : 0] ??= this.#createGroup({
      layout: isRings && this.#layout ? this.#layout : this.pipeline!.getBindGroupLayout(index),
      entries: isRings ? [...record.entries, ...ring.entries(number)] : record.entries.slice(),
      label: group.label,
    });
  }
}

/** The descriptor of the pipeline that prints, of an author's. */
export function printingDescriptor(
  descriptor: PipelineDescriptor,
  { module, layouts }: {
    readonly module: GPUShaderModule;
    readonly layouts: { readonly whole: GPUPipelineLayout } | undefined;
  },
): PipelineDescriptor {
  const layout = layouts?.whole ?? "auto";
  if ("compute" in descriptor) {
    return changed(descriptor, { layout, compute: changed(descriptor.compute, { module }) });
  }
  return changed(descriptor, { layout, fragment: changed(descriptor.fragment!, { module }) });
}
