/**
 * What the three names hold: `-` nothing, `l` a live port, `m` one that was consumed, `e` one that
 * somebody else may see to.
 */
export type Memory = string;

export type Memories = ReadonlySet<Memory>;

/** How a statement can end. `thrown` is a `throw` of this function, `failed` any other error. */
export const WAYS = ["next", "break", "continue", "return", "thrown", "failed"] as const;
type Way = typeof WAYS[number];
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
