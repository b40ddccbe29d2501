import { freeName } from "../text/link.ts";
import type { Piece } from "../text/printer.ts";
import { localOf, type Node } from "../text/syntax.ts";
import { type Type, typeText } from "../text/value_type.ts";
import {
  type BasicBlock,
  type Graph,
  pointeeOf,
  reachableFrom,
  type Slot,
  stepsOf,
  type SuspendingFunction,
  type Temp,
} from "./graph.ts";
import type { Kernel } from "./kernel.ts";
import { type FrameField, storableType } from "./saved.ts";

/** The layout of what a lane keeps from step to step. */
export interface FrameLayout {
  readonly fields: readonly FrameField[];
  readonly fieldOf: ReadonlyMap<Slot, FrameField>;
}

/** The slots that pieces mention, except those that are declared in them. */
function mentionsOf(
  { replaced, functions }: Graph,
): (pieces: readonly Piece[]) => ReadonlySet<Slot> {
  const results = new Set([...functions.values()].map(({ result }) => result));
  return (pieces) => {
    const found = new Set<Slot>();
    const declared = new Set<Slot>();
    const visit = (node: Node, isAsIs = false): void => {
      if (node.kind === "placeholder") return void found.add(node as Temp);
      const kept = isAsIs ? undefined : replaced.get(node);
      if (kept) return void found.add(kept);
      if (node.kind === "variable") declared.add(node);
      const local = localOf(node);
      if (local) found.add(local);
      for (const part of node.parts) visit(part);
    };
    for (const piece of pieces) {
      if (typeof piece !== "string") "as" in piece ? visit(piece.as, true) : visit(piece);
    }
    // Reading a pointer reads its target. Those that are added are visited, too.
    for (const slot of found) {
      const pointee = pointeeOf(slot);
      if (pointee) found.add(pointee.variable);
      // Constants are visible everywhere, and results belong to the called function.
      if (declared.has(slot) || slot.keyword === "const" || results.has(slot as Temp)) {
        found.delete(slot);
      }
    }
    return found;
  };
}

/** Computes which slots are live before and after each block, backwards until nothing changes. */
function livenessOf(blocks: readonly BasicBlock[], mentions: ReturnType<typeof mentionsOf>) {
  const before = new Map<BasicBlock, Set<Slot>>(blocks.map((block) => [block, new Set()]));
  const after = new Map<BasicBlock, Set<Slot>>();
  const wantedBy = (targets: readonly BasicBlock[]) =>
    targets.flatMap((one) => [...before.get(one)!]);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const block of blocks.toReversed()) {
      const { operations, terminator } = block;
      let live = new Set(wantedBy(terminator.targets));
      after.set(block, live);
      live = live.union(mentions(terminator.pieces));
      for (const { sets, pieces, jumps } of operations.toReversed()) {
        if (sets) live.delete(sets);
        live = live.union(mentions(pieces)).union(new Set(wantedBy(jumps)));
      }
      if (live.size === before.get(block)!.size) continue;
      before.set(block, live);
      hasChanged = true;
    }
  }
  return { before, after };
}

/**
 * Gives each variable that is live at the start of a step a place in the frame. As functions are not recursive,
 * their places are fixed: after those of their callers, and shared with functions that are never active at the
 * same time.
 */
export function frameLayout(kernel: Kernel, graph: Graph): FrameLayout {
  const mentions = mentionsOf(graph);
  const byPlace = new Map<string, FrameField>();
  const fieldOf = new Map<Slot, FrameField>();
  const names = new Set<string>();
  const ends = new Map<SuspendingFunction, ReadonlyMap<string, number>>();
  const textOf = (slot: Slot) => typeText(storableType(kernel.types, slot));
  for (const [one, entry] of graph.entries) {
    const counts = new Map<string, number>();
    for (const caller of graph.entries.keys()) {
      if (!kernel.module.calleesOf(caller.of).has(one.of)) continue;
      for (const [text, count] of ends.get(caller)!) {
        counts.set(text, Math.max(count, counts.get(text) ?? 0));
      }
    }
    for (const slots of sharingGroups(entry, one)) {
      const text = textOf(slots[0]!);
      const place = counts.get(text) ?? 0;
      const key = `${text} ${place}`;
      const field = byPlace.get(key) ??
        {
          name: freeName(slots[0]!.name, names),
          type: storableType(kernel.types, slots[0]!),
          slots: [],
        };
      byPlace.set(key, field);
      field.slots.push(...slots);
      for (const slot of slots) fieldOf.set(slot, field);
      counts.set(text, place + 1);
    }
    ends.set(one, counts);
  }
  // The largest alignment comes first, to leave few gaps.
  const rank = ({ type }: FrameField) => alignmentRank(type);
  return { fields: [...byPlace.values()].sort((a, b) => rank(b) - rank(a)), fieldOf };

  /** Groups slots that can share a field: of one type, and never live in the same block. */
  function sharingGroups(entry: BasicBlock, { result, back }: SuspendingFunction): Slot[][] {
    const blocks = reachableFrom(entry);
    const { before, after } = livenessOf(blocks, mentions);
    const wanted = stepsOf(entry).flatMap((step) => [...before.get(step)!]);
    const kept = new Set(wanted.sort((one, other) => one.nameStart - other.nameStart));
    const rivals = new Map([...kept].map((slot) => [slot, new Set<Slot>()]));
    for (const block of blocks) {
      const sets = block.operations.flatMap(({ sets }) => sets ? [sets] : []);
      const mentioned = block.operations.flatMap(({ pieces }) => [...mentions(pieces)]);
      const inside = [...before.get(block)!, ...after.get(block)!, ...sets, ...mentioned];
      for (const slot of inside) inside.forEach((other) => rivals.get(slot)?.add(other));
    }
    const groups: Slot[][] = [];
    for (const slot of kept) {
      const group = groups.find((others) =>
        textOf(others[0]!) === textOf(slot) &&
        others.every((other) => !rivals.get(slot)!.has(other))
      );
      if (group) group.push(slot);
      else groups.push([slot]);
    }
    return [...groups, ...[back, result].flatMap((one) => one ? [[one]] : [])];
  }
}

function alignmentRank({ name }: Type): number {
  if (name === "f16") return 0;
  if (/^(?:[uif]32|bool)$/.test(name)) return 1;
  return name === "vec2" ? 2 : 3;
}
