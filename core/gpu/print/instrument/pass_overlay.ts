import { type Method, overlay } from "./hooks.ts";
import type { PrintingPipeline } from "./printing_pipeline.ts";
import type { RingUse } from "./ring_owner.ts";

/** What passes ask of what follows the device. */
export interface PassFollower {
  /** The pipeline that prints in the place of an author's, while printing is installed. */
  readonly printingOf: (pipeline: object) => PrintingPipeline | undefined;
  /** The dispatches and draws of a bundle. */
  readonly usesOf: (bundle: GPURenderBundle) => readonly RingUse[];
}

/** What is set in a pass or bundle encoder by its author. */
class PassState {
  readonly isBundle: boolean;
  readonly #pass: object;
  readonly #real: Readonly<Record<string, Method>>;
  readonly #follower: PassFollower;
  readonly #uses: RingUse[];
  readonly #label: string;
  readonly #debugGroups: string[] = [];
  #count = 0;
  /** Of dispatches and draws by one label. */
  readonly #counts = new Map<string, number>();
  #pipeline: object | undefined;
  #printing: PrintingPipeline | undefined;
  /** The arguments of `setBindGroup`, by index. */
  #groups: (readonly unknown[] | undefined)[] = [];
  /** Indices that hold another group than the author's. */
  readonly #foreign = new Set<number>();

  constructor(
    pass: object,
    real: Readonly<Record<string, Method>>,
    { follower, uses, label, isBundle }: PassPlace,
  ) {
    this.isBundle = isBundle;
    this.#pass = pass;
    this.#real = real;
    this.#follower = follower;
    this.#uses = uses;
    this.#label = label;
  }

  setPipeline(pipeline: object): void {
    this.#restore();
    this.#pipeline = pipeline;
    this.#printing = this.#follower.printingOf(pipeline);
    this.#real.setPipeline!.call(this.#pass, this.#printing?.pipeline ?? pipeline);
  }

  setBindGroup(args: readonly unknown[]): void {
    const [index, group, offsets, start, length] = args;
    // A view of offsets may hold others when they are set again.
    const kept = offsets === undefined
      ? [index, group]
      : start === undefined
      ? [index, group, [...offsets as Iterable<number>]]
      : [index, group, [
        ...(offsets as Uint32Array).subarray(Number(start), Number(start) + Number(length)),
      ]];
    this.#groups[Number(index)] = kept;
    this.#foreign.delete(Number(index));
    this.#real.setBindGroup!.apply(this.#pass, args as unknown[]);
  }

  /** Binds the ring before a dispatch or draw. */
  begin(what: "dispatch" | "draw"): void {
    this.#count++;
    const printing = this.#printing;
    if (!printing) return;
    const { owner, plan } = printing;
    const label = this.#nextLabel(what, printing.label);
    const use = owner.use(label, this.isBundle);
    const set = this.#groupsFor(printing, use);
    if (!set) return this.#giveUp();
    for (const [index, args] of set) {
      this.#real.setBindGroup!.call(this.#pass, index, ...args);
      this.#foreign.add(index);
    }
    if (!plan.isShared) {
      this.#real.setBindGroup!.call(
        this.#pass,
        plan.group,
        printing.ringGroup(use.ring, use.number),
      );
      this.#foreign.add(plan.group);
    }
    this.#uses.push(use);
  }

  #nextLabel(what: "dispatch" | "draw", pipelineLabel: string): string {
    const label = this.#debugGroups.at(-1) || pipelineLabel || this.#label;
    if (!label) return `${what} ${this.#count}`;
    const count = (this.#counts.get(label) ?? 0) + 1;
    this.#counts.set(label, count);
    return count === 1 ? label : `${label} #${count}`;
  }

  /** The groups to set instead of the author's; `undefined` if one cannot be made. */
  #groupsFor(printing: PrintingPipeline, use: RingUse): [number, unknown[]][] | undefined {
    const { plan } = printing;
    if (plan.lists && !plan.isShared) return [];
    if (plan.isShared && !this.#groups[plan.group]) return undefined;
    const set: [number, unknown[]][] = [];
    for (const [index, args] of this.#groups.entries()) {
      const group = args?.[1] as GPUBindGroup | undefined;
      if (!group || (plan.lists && index !== plan.group)) continue;
      const found = printing.groupFor(index, group, use);
      if (!found) return undefined;
      if (found !== group) set.push([index, [found, ...args!.slice(2)]]);
    }
    return set;
  }

  /** Goes on with the author's own pipeline, where a group of his cannot be made again. */
  #giveUp(): void {
    this.#printing = undefined;
    this.#restore();
    this.#real.setPipeline!.call(this.#pass, this.#pipeline);
  }

  executeBundles(bundles: Iterable<GPURenderBundle>): void {
    const list = [...bundles];
    this.#real.executeBundles!.call(this.#pass, list);
    for (const bundle of list) this.#uses.push(...this.#follower.usesOf(bundle));
    // WebGPU forgets them, too.
    this.#pipeline = undefined;
    this.#printing = undefined;
    this.#groups = [];
    this.#foreign.clear();
  }

  pushDebugGroup(label: string): void {
    this.#debugGroups.push(label);
    this.#real.pushDebugGroup!.call(this.#pass, label);
  }

  popDebugGroup(): void {
    this.#debugGroups.pop();
    this.#real.popDebugGroup!.call(this.#pass);
  }

  /** Sets the author's groups again. */
  #restore(): void {
    for (const index of this.#foreign) {
      const args = this.#groups[index];
      if (args) this.#real.setBindGroup!.apply(this.#pass, args as unknown[]);
    }
    this.#foreign.clear();
  }
}

/** Where a pass stands. */
export interface PassPlace {
  readonly follower: PassFollower;
  /** Gets the dispatches and draws that print. */
  readonly uses: RingUse[];
  readonly label: string;
  readonly isBundle: boolean;
}

const states = new WeakMap<object, PassState>();
const KEY = {};

const DRAWS = [
  ...["draw", "drawIndexed", "drawIndirect", "drawIndexedIndirect"],
  ...["multiDrawIndirect", "multiDrawIndexedIndirect"],
];
const DISPATCHES = ["dispatchWorkgroups", "dispatchWorkgroupsIndirect"];

/** Follows what is set in a pass or bundle encoder, and binds rings before its dispatches and draws. */
export function followPass<T extends object>(pass: T, place: PassPlace): T {
  const real = Object.getPrototypeOf(pass) as Record<string, Method>;
  states.set(pass, new PassState(pass, real, place));
  return overlay(pass, KEY, methodsOf);
}

function methodsOf(real: Readonly<Record<string, Method>>): Record<string, Method> {
  const beginning = (what: "dispatch" | "draw") => (name: string): [string, Method] => [
    name,
    function (...args) {
      states.get(this)!.begin(what);
      return real[name]!.apply(this, args);
    },
  ];
  return {
    ...Object.fromEntries(DRAWS.map(beginning("draw"))),
    ...Object.fromEntries(DISPATCHES.map(beginning("dispatch"))),
    setPipeline(pipeline: object) {
      states.get(this)!.setPipeline(pipeline);
    },
    setBindGroup(...args: unknown[]) {
      states.get(this)!.setBindGroup(args);
    },
    executeBundles(bundles: Iterable<GPURenderBundle>) {
      states.get(this)!.executeBundles(bundles);
    },
    pushDebugGroup(label: string) {
      states.get(this)!.pushDebugGroup(label);
    },
    popDebugGroup() {
      states.get(this)!.popDebugGroup();
    },
  };
}
