import { type Mutant, mutantId } from "./edits/mutation.ts";

/**
 * Takes `count` mutants, in turn from each pair of a file and an operator, so that small files and
 * rare operators are seen, too. The seed decides which of a pair; the same seed takes the same, and
 * a larger count takes more of them.
 */
export function sample(
  mutants: readonly Mutant[],
  { seed, count }: { readonly seed: number; readonly count: number },
): Mutant[] {
  const order = (mutant: Mutant) => hash(`${seed} ${mutantId(mutant)}`);
  const byPair = Map.groupBy(mutants, ({ file, operator }) => `${file} ${operator}`);
  const pairs = [...byPair.values()].map((pair) =>
    pair.toSorted((left, right) => order(left) - order(right))
  );
  const rounds = pairs.flatMap((pair) => pair.map((mutant, round) => ({ mutant, round })));
  return rounds
    .toSorted((left, right) => left.round - right.round || order(left.mutant) - order(right.mutant))
    .slice(0, count).map(({ mutant }) => mutant);
}

/** FNV-1a, then mixed: close texts must not stay close. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
