import {
  hasResult,
  type LitmusCase,
  type LitmusOrder,
  type LitmusProgram,
  type LitmusSetting,
  type LitmusStep,
  UPDATES,
  valueAfter,
} from "./litmus_table.ts";

/** What may come out, by its text: the results of the first program, of the second, and `x` at the end. */
export interface LitmusOutcome {
  readonly results: string;
  /** `interleaved`: the steps came one after the other, whole; `weak`: not so, and the order allows it. */
  readonly kind: "interleaved" | "weak";
  /** In a sentence. */
  readonly text: string;
}

/** What a read of a vector gives when its words are not the same. */
export const MIXED = 2;

/** A step of a side, with the place of its result; a vector is two words here, in no order. */
interface ModelStep extends Omit<LitmusStep, "place"> {
  readonly place: string;
  readonly result: number | undefined;
  readonly side: 0 | 1;
}

/**
 * All that may come out of a test, with a sentence each. Whatever else comes out is forbidden.
 *
 * The wave's steps are taken in every order that its accesses leave open, and in every interleaving
 * with the host's, which are never reordered. A step is taken at once by all, which is enough for two
 * threads; so an exchange is never late, as on processors, though Vulkan's model lets its write be.
 */
export function allowedOutcomes(setting: LitmusSetting): ReadonlyMap<string, LitmusOutcome> {
  const { test, wave, order } = setting;
  const outcomes = new Map<string, LitmusOutcome>();
  const sides = modelOf(test);
  for (const steps of interleavings(sides[0]!, sides[1]!)) {
    const results = resultsOf(test, steps);
    if (outcomes.has(results)) continue;
    outcomes.set(results, { results, kind: "interleaved", text: sentence(steps, wave) });
  }
  const waveSide = wave === "first" ? 0 : 1;
  for (const turned of reordered(asOrdered(sides[waveSide]!, order), order)) {
    const [first, second] = waveSide === 0 ? [turned, sides[1]!] : [sides[0]!, turned];
    for (const steps of interleavings(first!, second!)) {
      const results = resultsOf(test, steps);
      if (outcomes.has(results)) continue;
      outcomes.set(results, { results, kind: "weak", text: test.weakText });
    }
  }
  return outcomes;
}

/** The text of one run: its results, the first program's first, and what `x` holds at the end. */
export function outcomeText(results: readonly number[], last: number | undefined): string {
  const text = results.join(" ");
  return last === undefined ? text : `${text} x=${last}`.trim();
}

/** Whether the test's outcomes say what `x` holds at the end: of a vector they do not. */
export function tellsLast({ isVector = false }: LitmusCase): boolean {
  return !isVector;
}

/** The steps of both programs; results are numbered through both. */
function modelOf({ programs, isVector = false }: LitmusCase): ModelStep[][] {
  let result = 0;
  return programs.map((program: LitmusProgram, index) =>
    program.flatMap((step) => {
      const place = hasResult(step) ? result++ : undefined;
      const one = { ...step, result: place, side: index as 0 | 1 };
      const isWide = isVector && step.place === "x";
      return isWide ? [{ ...one, place: "x" }, { ...one, place: "x'" }] : [one];
    })
  );
}

function asOrdered(steps: readonly ModelStep[], order: LitmusOrder): ModelStep[] {
  return steps.map((step) =>
    order === "exchange" && step.kind === "write" && !step.isPlain
      ? { ...step, kind: "exchange" }
      : step
  );
}

function isUpdate({ kind }: Pick<LitmusStep, "kind">): boolean {
  return (UPDATES as readonly string[]).includes(kind);
}

/** Whether a side takes two steps in the order in which it has them. */
function isKept(earlier: ModelStep, later: ModelStep, order: LitmusOrder): boolean {
  if (earlier.place === later.place) return true;
  if (order === "relaxed") return false;
  const acquires = !earlier.isPlain && earlier.kind !== "write";
  const releases = !later.isPlain && (later.kind === "write" || isUpdate(later));
  return acquires || releases;
}

/** Every order in which a side may take its steps. */
function reordered(steps: readonly ModelStep[], order: LitmusOrder): ModelStep[][] {
  if (steps.length === 0) return [[]];
  return steps.flatMap((step, at) => {
    if (!steps.slice(0, at).every((earlier) => !isKept(earlier, step, order))) return [];
    return reordered(steps.toSpliced(at, 1), order).map((rest) => [step, ...rest]);
  });
}

function interleavings(first: readonly ModelStep[], second: readonly ModelStep[]): ModelStep[][] {
  if (first.length === 0 || second.length === 0) return [[...first, ...second]];
  return [
    ...interleavings(first.slice(1), second).map((rest) => [first[0]!, ...rest]),
    ...interleavings(first, second.slice(1)).map((rest) => [second[0]!, ...rest]),
  ];
}

function resultsOf(test: LitmusCase, steps: readonly ModelStep[]): string {
  const held: Record<string, number> = { x: test.initial ?? 0, "x'": 0, y: 0 };
  const results: number[] = [];
  for (const step of steps) {
    const { place, result } = step;
    const value = held[place]!;
    if (result !== undefined) {
      const before = results[result];
      results[result] = before === undefined || before === value ? value : MIXED;
    }
    held[place] = valueAfter(step, value);
  }
  return outcomeText(results, tellsLast(test) ? held.x : undefined);
}

/** Who took which step, in turn. */
function sentence(steps: readonly ModelStep[], wave: LitmusSetting["wave"]): string {
  const waveSide = wave === "first" ? 0 : 1;
  const turns = steps.filter(({ place }) => place !== "x'").map(({ side, kind, place, value }) => {
    const who = side === waveSide ? "wave" : "host";
    const what = kind === "compareExchange" ? "compare-exchange" : kind;
    return `${who}: ${what} ${place}${kind === "read" ? "" : ` ${value}`}`;
  });
  return `In turn: ${turns.join(", ")}`;
}
