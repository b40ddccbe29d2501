/** Floors that lie further apart than this factor, with none in between, are of two modes. */
const MODE_GAP = 1.4;

/**
 * The mode of each round by its floor: a virtual machine may have its two processors near to each other
 * for a while and far for another, and a call then takes another time, and another number of floors.
 * Floors are of one mode where they can be gone through without a step of more than 1.4 times.
 *
 * @param floorSeconds a positive time for each round, of all rounds that are to be told apart
 * @returns 0 for the nearest mode, 1 for the next, by the index of the round
 *
 * @example
 * ```ts
 * import { modesOf } from "./modes.ts";
 * if (modesOf([4.5e-7, 1.1e-7, 1e-7]).join() !== "1,0,0") throw new Error("one is far");
 * ```
 */
export function modesOf(floorSeconds: readonly number[]): number[] {
  const modes: number[] = floorSeconds.map(() => 0);
  const order = floorSeconds.keys().toArray()
    .sort((left, right) => floorSeconds[left]! - floorSeconds[right]!);
  for (const [at, index] of order.entries()) {
    const nearer = order[at - 1];
    if (nearer === undefined) continue;
    const isApart = floorSeconds[index]! > MODE_GAP * floorSeconds[nearer]!;
    modes[index] = modes[nearer]! + Number(isApart);
  }
  return modes;
}
