import type { ToyName } from "./toy_program.ts";

/**
 * What the three names hold: `-` nothing, `l` a live port, `m` one that was consumed, `e` one that
 * somebody else may see to.
 */
export type Memory = string;

/** What may be true at one point. */
export type Memories = ReadonlySet<Memory>;

/** How a statement can end. `thrown` is a `throw` of this function, `failed` any other error. */
export const WAYS = ["next", "break", "continue", "return", "thrown", "failed"] as const;
type Way = typeof WAYS[number];

/** The memories with which a statement ends, by the way it ends. */
export type Ends = Record<Way, Set<Memory>>;

export function noEnds(): Ends {
  const empty = () => new Set<Memory>();
  return {
    next: empty(),
    break: empty(),
    continue: empty(),
    return: empty(),
    thrown: empty(),
    failed: empty(),
  };
}

export function failing(before: Memories): Ends {
  return { ...noEnds(), failed: new Set(before) };
}

export function joined(all: readonly Ends[]): Ends {
  const ends = noEnds();
  for (const one of all) for (const way of WAYS) addAll(ends[way], one[way]);
  return ends;
}

export function addAll(to: Set<Memory>, from: Memories): void {
  for (const memory of from) to.add(memory);
}

export function sizeOf(ends: Ends): number {
  return WAYS.reduce((sum, way) => sum + ends[way].size, 0);
}

const NAMES: readonly ToyName[] = ["p", "q", "r"];

export function get(memory: Memory, name: ToyName): string {
  return memory[NAMES.indexOf(name)]!;
}

export function set(memory: Memory, name: ToyName, value: string): Memory {
  const index = NAMES.indexOf(name);
  return memory.slice(0, index) + value + memory.slice(index + 1);
}
