import { typeText, type ValueType } from "../../syntax/value_type.ts";
import type { Block } from "../graph/basic_block.ts";
import type { KernelGraph } from "../graph/graph_builder.ts";
import { livenessOf, Mentions, reachableFrom } from "../graph/liveness.ts";
import { stepsOf } from "../graph/steps.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { calledNames } from "../text/suspending_names.ts";
import type { Variable } from "../text/variable.ts";
import { storableType } from "./storable_type.ts";

/** One field of a frame; variables that are never wanted at the same time share it. */
export interface FrameField {
  readonly name: string;
  readonly type: ValueType;
  readonly variables: Variable[];
}

/** What a lane keeps from step to step. */
export interface FrameLayout {
  readonly fields: readonly FrameField[];
  readonly fieldOf: ReadonlyMap<Variable, FrameField>;
}

/**
 * Gives each variable that is wanted at the beginning of a step a place in the frame. No function
 * calls itself, so each has its place for good: behind those that call it, and over those that are
 * never there at the same time.
 */
export function frameLayout(module: KernelModule, graph: KernelGraph): FrameLayout {
  const mentions = new Mentions(module, graph);
  const fields = new FieldTable();
  const ends = new Map<string, ReadonlyMap<string, number>>();
  for (const [one, entry] of graph.entries) {
    const { name } = one.declaration;
    const callers = [...graph.entries.keys()].filter(({ declaration }) =>
      calledNames(module, declaration).has(name.text)
    );
    const counts = largest(callers.map(({ declaration }) => ends.get(declaration.name.text)!));
    for (const variables of sharingGroups(mentions, entry, one)) {
      const type = storableType(module, variables[0]!);
      const text = typeText(type);
      const place = counts.get(text) ?? 0;
      fields.add(type, place, variables);
      counts.set(text, place + 1);
    }
    ends.set(name.text, counts);
  }
  return fields;

  /** Variables that share a field: of one type, and never wanted in the same block. */
  function sharingGroups(
    mentions: Mentions,
    entry: Block,
    { result, back }: SuspendingFunction,
  ): Variable[][] {
    const blocks = reachableFrom(entry);
    const { before, after } = livenessOf(blocks, mentions);
    const wanted = stepsOf(entry).flatMap((step) => [...before.get(step)!]);
    const kept = new Set(wanted.sort((one, other) => one.index - other.index));
    const rivals = new Map([...kept].map((variable) => [variable, new Set<Variable>()]));
    for (const block of blocks) {
      const sets = block.operations.flatMap(({ sets }) => sets ? [sets] : []);
      const mentioned = block.operations.flatMap(({ pieces }) => [...mentions.of(pieces)]);
      const inside = [...before.get(block)!, ...after.get(block)!, ...sets, ...mentioned];
      for (const variable of inside) inside.forEach((other) => rivals.get(variable)?.add(other));
    }
    const groups: Variable[][] = [];
    for (const variable of kept) {
      const text = typeText(storableType(module, variable));
      const group = groups.find((others) =>
        typeText(storableType(module, others[0]!)) === text &&
        others.every((other) => !rivals.get(variable)!.has(other))
      );
      if (group) group.push(variable);
      else groups.push([variable]);
    }
    return [...groups, ...[back, result].flatMap((one) => one ? [[one]] : [])];
  }
}

/** The larger number of each. */
function largest(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    for (const [text, count] of one) counts.set(text, Math.max(count, counts.get(text) ?? 0));
  }
  return counts;
}

/** Fields by type and place. */
class FieldTable implements FrameLayout {
  readonly fieldOf = new Map<Variable, FrameField>();
  readonly #byPlace = new Map<string, FrameField>();
  readonly #names = new Set<string>();

  /** Those of the largest alignment first, so that few bytes lie between them. */
  get fields(): readonly FrameField[] {
    return [...this.#byPlace.values()].sort((a, b) =>
      alignmentRank(b.type) - alignmentRank(a.type)
    );
  }

  add(type: ValueType, place: number, variables: readonly Variable[]): void {
    const key = `${typeText(type)} ${place}`;
    const field = this.#byPlace.get(key) ??
      { name: this.#freeName(variables[0]!.name), type, variables: [] };
    this.#byPlace.set(key, field);
    field.variables.push(...variables);
    for (const variable of variables) this.fieldOf.set(variable, field);
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#names.has(name); number++) name = `${wanted}_${number}`;
    this.#names.add(name);
    return name;
  }
}

/** Larger for what has to begin at a multiple of more bytes. */
function alignmentRank({ name }: ValueType): number {
  if (name === "f16") return 0;
  if (/^(?:[uif]32|bool)$/.test(name)) return 1;
  return name === "vec2" ? 2 : 3;
}
