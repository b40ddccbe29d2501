import { type Mutant, mutantId } from "./edits/mutation.ts";

/**
 * Takes as many mutants of each file, in rounds: one of each file before the second of any, so that a
 * run that is stopped anywhere has looked at all files alike. Of a file it takes each kind of change
 * before it takes one twice. The seed decides which; the same seed takes the same, and a larger count
 * takes more of them.
 */
export function sample(
  mutants: readonly Mutant[],
  { seed, perFile }: { readonly seed: number; readonly perFile: number },
): Mutant[] {
  const order = (mutant: Mutant) => hash(`${seed} ${mutantId(mutant)}`);
  const inRounds = (group: readonly Mutant[], kindOf: (mutant: Mutant) => string) =>
    [...Map.groupBy(group, kindOf).values()]
      .flatMap((kind) => kind.map((mutant, round) => ({ mutant, round })))
      .toSorted((left, right) =>
        left.round - right.round || order(left.mutant) - order(right.mutant)
      ).map(({ mutant }) => mutant);
  const shuffled = mutants.toSorted((left, right) => order(left) - order(right));
  const perFiles = [...Map.groupBy(shuffled, ({ file }) => file).values()].flatMap((ofFile) =>
    inRounds(ofFile, ({ operator }) => operator).slice(0, perFile)
  );
  return inRounds(perFiles, ({ file }) => file);
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
