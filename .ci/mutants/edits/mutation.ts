/** What is changed, by kind: one name for each class of mistake. */
export type Operator =
  | "drop-statement"
  | "drop-wake"
  | "drop-guard"
  | "drop-barrier"
  | "swap-statements"
  | "negate-condition"
  | "compare"
  | "off-by-one"
  | "arithmetic"
  | "constant"
  | "mask-word"
  | "and-or"
  | "atomic-to-plain"
  | "remove-await"
  | "return-early";

/** One range of a text that is replaced. */
export interface Edit {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Names a mutant by what it says, so that lines above it may come and go. */
export interface MutantKey {
  /** A path from the root. */
  readonly file: string;
  readonly operator: Operator;
  /** The function or method, with its class; empty at the top level. */
  readonly scope: string;
  /** The changed lines, white space as one blank. */
  readonly from: string;
  /** What they become. */
  readonly to: string;
}

/** A single change of one file. */
export interface Mutant extends MutantKey, Edit {
  /** Counts mutants of the same key, from 0. */
  readonly ordinal: number;
  /** Counts from 1. */
  readonly line: number;
}

/** One text for each mutant of a tree. */
export function mutantId(mutant: MutantKey & { readonly ordinal: number }): string {
  return [...keyParts(mutant), mutant.ordinal].join(" | ");
}

/** The parts of a key, in the order in which they are compared. */
export function keyParts({ file, operator, scope, from, to }: MutantKey): readonly string[] {
  return [file, operator, scope, from, to];
}

/** The text with the change. */
export function apply(text: string, { start, end, text: replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Makes mutants of the edits of one file; edits that say the same are taken once. */
export function mutantsOf(
  { path, text }: { readonly path: string; readonly text: string },
  edits: readonly (Edit & { readonly scope: string })[],
): Mutant[] {
  const ordinals = new Map<string, number>();
  const seen = new Set<string>();
  return edits.flatMap((edit) => {
    const place = `${edit.start} ${edit.end} ${edit.text}`;
    if (seen.has(place)) return [];
    seen.add(place);
    const mutant = { ...edit, file: path, ...changedLines(text, edit) };
    const key = keyParts(mutant).join("\n");
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    const line = text.slice(0, edit.start).split("\n").length;
    return [{ ...mutant, ordinal, line }];
  });
}

function changedLines(text: string, edit: Edit): { readonly from: string; readonly to: string } {
  const first = text.lastIndexOf("\n", edit.start - 1) + 1;
  const newline = text.indexOf("\n", edit.end);
  const last = newline < 0 ? text.length : newline;
  const to = text.slice(first, edit.start) + edit.text + text.slice(edit.end, last);
  return { from: oneLine(text.slice(first, last)), to: oneLine(to) };
}

/** Without comments of whole lines: they are no part of what changes. */
function oneLine(text: string): string {
  return text.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(/\s+/g, " ").trim();
}
