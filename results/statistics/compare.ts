import { median, quantile } from "simple-statistics";
import type { Interval } from "./interval.ts";
import { modesOf } from "./modes.ts";
import { ROUNDS_MIN } from "./over_rounds.ts";
import { DEVIATION_OF_MAD, type ShiftRange, shiftRange, type Stratum } from "./shift.ts";

/** How a candidate differs from its baseline. */
export type Difference = "faster" | "slower" | "same" | "undecided";

/** One round of one side: the medians of its samples. */
export interface RoundFigures {
  /** A call, in seconds. */
  readonly seconds: number;
  /** The floor, in seconds; absent where there is none. */
  readonly floorSeconds?: number;
  /** A call in floors, pair by pair; absent where there is no floor. */
  readonly floors?: number;
  /** Processors that other programs left; absent where nobody knows. */
  readonly processorsLeft?: number;
}

/** What two sets of rounds say about each other. */
export interface Comparison {
  /** How the candidate differs from the baseline. */
  readonly verdict: Difference;
  /** Why it is not decided, as a part of a sentence; absent where it is. */
  readonly reason?: string;
  /**
   * The candidate's latency in the baseline's: the quotient of the figures of both, as a report shows
   * them, in the range that the rounds allow in seconds and in floors.
   */
  readonly ratio: Interval;
  /** The figure of the baseline, in seconds: the median of its rounds. */
  readonly baseline: number;
  /** That of the candidate. */
  readonly candidate: number;
  /** The change that nine of ten such runs would have found, as a share; Infinity where none is sure. */
  readonly smallestChange: number;
  /** How the floor has changed: it is the machine's change, not the code's. */
  readonly floorRatio?: Interval;
  /** Rounds of both sides that are left out, as they lie far above the others; absent where none does. */
  readonly badCount?: number;
  /** Rounds of each side by the modes of the floor, near first, where there are several. */
  readonly modes?: readonly (readonly [baseline: number, candidate: number])[];
}

/** How sure a verdict has to be. */
export interface CompareOptions {
  /** How often a verdict is right when nothing has changed, 0.5 to 1; 0.98 when absent. */
  readonly confidence?: number;
  /** Two latencies are the same when they surely differ by less than this share; 0.02 when absent. */
  readonly sameWithin?: number;
}

/** A share by which nobody decides. */
export const SAME_WITHIN = 0.02;
/** At most one of fifty comparisons of equals has an alarm. */
export const COMPARE_CONFIDENCE = 0.98;
/** With fewer there is nothing that says how far rounds lie apart. */
const ROUNDS_FEWEST = 2;
/** Between two runs, a machine may change by as much without a floor that would tell. */
const MACHINE_CHANGE = 0.1;
/** Processes may be of two kinds, by how they were compiled and placed; few rounds show one only. */
const PROCESS_CHANGE = 0.5;
/** Modes in which a call takes as many floors, but for this factor, are compared as one in floors. */
const MODE_FLOORS = 1.1;
/** Of the error: the rest is for a machine that changed by just as much as is seen in seconds. */
const FLOORS_ERROR_SHARE = 0.9;
/** A round is bad when its call takes this many times what it takes in the quarter of the lower rounds. */
const BAD_FACTOR = 1.4;
/** And lies as many deviations above them as hardly a round of a bell does. */
const BAD_DEVIATIONS = 6;
/** See {@linkcode BAD_FACTOR}. The median is among the bad ones where half of them are. */
const LOWER_SHARE = 0.25;
/** With fewer rounds that are alike, all rounds are compared. */
const USUAL_SHARE_MIN = 0.8;
/** A round that is left out is of the kind of the other side's where it takes as many floors, but for this factor. */
const KIND_FLOORS = 1.1;
/** With fewer than this is left of a processor, compilers come late, and processes are of other kinds. */
const PROCESSORS_MIN = 0.75;
/**
 * What is found in nine of ten cases lies 1.28 standard errors beyond what an interval of 98 %, which
 * reaches 2.33 of them, leaves out.
 */
const NINE_OF_TEN = (2.33 + 1.28) / 2.33;

/**
 * Compares latencies that were not taken in pairs: two runs, two commits.
 *
 * Samples of one process move together, so the rounds are what counts, each one a fresh process with one
 * figure. A change of the code must show twice: in seconds, and in floors of the same moment, which a
 * machine that became slower does not change. So the range of the ratio holds the range of both, and the
 * verdict is by the ends of that range: `slower` and `faster` when it is on one side of 1, `same` when
 * all of it is within `sameWithin`, else `undecided`. Rounds are compared with those of their own mode,
 * where the floor has several: see {@linkcode modesOf}; the ranges are of {@linkcode shiftRange}.
 *
 * Without a floor the range is wider by 10 %, as nobody knows what the machine did; with fewer than
 * {@linkcode ROUNDS_MIN} rounds by 50 %.
 *
 * @throws {RangeError} when there is no round, or a figure is not a positive number
 *
 * @example
 * ```ts
 * import { compareRounds } from "./compare.ts";
 * const rounds = (factor: number) => [1, 1.01, 1.02, 1.03, 1.04].map((share) => (
 *   { seconds: share * factor * 1e-6, floorSeconds: 1e-7, floors: 10 * share * factor }
 * ));
 * if (compareRounds(rounds(1), rounds(1.2)).verdict !== "slower") throw new Error("by 20 %");
 * ```
 */
export function compareRounds(
  baseline: readonly RoundFigures[],
  candidate: readonly RoundFigures[],
  options: CompareOptions = {},
): Comparison {
  const { confidence = COMPARE_CONFIDENCE, sameWithin = SAME_WITHIN } = options;
  const sides: Sides = [checked(baseline), checked(candidate)];
  const strata = modeStrata(sides);
  const modes = strata.map(withoutBad);
  const areOfKinds = strata.some((all, at) => mayBeOfKinds(all, modes[at]!, 1 - confidence));
  const doubt = doubtOf(sides, areOfKinds);
  const badCount = sides.flat().length - modes.flat(2).length;
  const main = modes.reduce((most, one) => pairsIn(one) > pairsIn(most) ? one : most);
  const isMixed = pairsIn(main) === 0; // not one mode that both have
  // A mode that has most rounds on both sides has the medians of all: those that a report shows.
  const isUsual = sides.every(({ length }, side) => 2 * main[side]!.length > length);
  const [before, after] = (isMixed || isUsual ? sides : main).map((rounds) => centerOf(rounds));
  const fewest = Math.min(...sides.map(({ length }) => length));
  const found = rangeOf(modes, { error: 1 - confidence, fewest, isDoubted: doubt !== undefined });
  const center = after! / before!;
  const warnings = fewest >= ROUNDS_FEWEST ? [] : [
    `Too few rounds to compare: ${fewest}, where ${ROUNDS_FEWEST} are the least`,
  ];
  const ratio = { ...around(center, found), confidence: found.isKnown ? confidence : 0, warnings };
  const verdict = verdictOf(ratio, sameWithin);
  return {
    verdict,
    ...(verdict === "undecided" && { reason: doubt ?? reasonOf(found, { isMixed, fewest }) }),
    ratio,
    baseline: before!,
    candidate: after!,
    smallestChange: (ratio.hi / ratio.lo) ** (NINE_OF_TEN / 2) - 1,
    ...floorChange(sides, confidence),
    ...(badCount > 0 && { badCount }),
    ...(modes.length > 1 && { modes: modes.map(([one, other]) => [one.length, other.length]) }),
  };
}

type Sides = readonly [before: readonly RoundFigures[], after: readonly RoundFigures[]];

/** The verdict that an interval of the ratio allows: see {@linkcode compareRounds}. */
export function verdictOf(
  { lo, hi }: Pick<Interval, "lo" | "hi">,
  sameWithin: number,
): Difference {
  if (lo > 1 / (1 + sameWithin) && hi < 1 + sameWithin) return "same";
  return hi < 1 ? "faster" : lo > 1 ? "slower" : "undecided";
}

function checked(rounds: readonly RoundFigures[]): readonly RoundFigures[] {
  if (rounds.length === 0) {
    throw new RangeError("Cannot compare latencies as there must be a round: there is none");
  }
  const wrong = rounds.flatMap(({ seconds, floorSeconds = 1, floors = 1 }) =>
    [seconds, floorSeconds, floors].filter((one) => !(one > 0 && one < Infinity))
  );
  if (wrong.length === 0) return rounds;
  throw new RangeError(
    `Cannot compare latencies as every round must have positive ones: one median is ${wrong[0]}`,
  );
}

function hasFloor([before, after]: Sides): boolean {
  return [...before, ...after].every(({ floorSeconds, floors }) => floorSeconds && floors);
}

/** The rounds of both sides by the mode of their floor; all in one where there is none. */
function modeStrata(sides: Sides): Sides[] {
  if (!hasFloor(sides)) return [sides];
  const rounds = sides.flat();
  const modes = modesOf(rounds.map(({ floorSeconds }) => floorSeconds!));
  const [before] = sides;
  return Array.from({ length: Math.max(...modes) + 1 }, (_, mode) => {
    const inMode = (_one: RoundFigures, at: number) => modes[at] === mode;
    return [
      before.filter(inMode),
      rounds.filter((one, at) => at >= before.length && inMode(one, at)),
    ];
  });
}

/**
 * The rounds without those in which something has slowed the call down that is no part of the question: far
 * above the lower ones of their own side, and no more than one of five of all. What lies between the sides
 * has no part in that: such a choice would make alarms of its own, or hide large changes.
 */
function withoutBad(sides: Sides): Sides {
  const figures = sides.map((rounds) => rounds.map(inFloors));
  const lower = figures.map((some) => some.length === 0 ? NaN : quantile(some, LOWER_SHARE));
  // Of both sides together: of two factors, one side would keep what the other leaves out.
  const spread = median(figures.flatMap((some) => {
    const center = some.length === 0 ? NaN : median(some);
    return some.map((one) => Math.abs(Math.log(one / center)));
  }));
  const factor = Math.max(BAD_FACTOR, Math.exp(BAD_DEVIATIONS * DEVIATION_OF_MAD * spread));
  const usualOf = (side: 0 | 1) =>
    sides[side].filter((one) => inFloors(one) <= factor * lower[side]!);
  const usual: Sides = [usualOf(0), usualOf(1)];
  return usual.flat().length >= USUAL_SHARE_MIN * sides.flat().length ? usual : sides;
}

/** Why no difference is believed, however sure it looks. */
function doubtOf([before, after]: Sides, areOfKinds: boolean): string | undefined {
  if (isCrowded(before) !== isCrowded(after)) {
    return "the machine changed: other programs left less than a processor to one of the runs";
  }
  if (!areOfKinds) return undefined;
  return "processes are of two kinds: one run has some of those that the other has";
}

/** Whether other programs left too little of the machine to most rounds. */
export function isCrowded(rounds: readonly Pick<RoundFigures, "processorsLeft">[]): boolean {
  return median(rounds.map(({ processorsLeft = Infinity }) => processorsLeft)) < PROCESSORS_MIN;
}

/**
 * Whether processes may be of two kinds, by how they were compiled, where rounds that are left out of one side
 * take as long as the other side does: whether all rounds of that are of this kind by chance.
 */
function mayBeOfKinds(all: Sides, usual: Sides, error: number): boolean {
  return ([0, 1] as const).some((side) => {
    const other = usual[side === 0 ? 1 : 0].map(inFloors);
    if (other.length === 0) return false;
    const ofOther = all[side].filter((one) =>
      !usual[side].includes(one) &&
      Math.abs(Math.log(inFloors(one) / median(other))) < Math.log(KIND_FLOORS)
    ).length;
    if (ofOther === 0) return false;
    // Of as many of this kind among all rounds, that so many, drawn blindly, are of it.
    const chance = other.reduce(
      (product, _, at) =>
        product * (ofOther + other.length - at) / (all[side].length + other.length - at),
      1,
    );
    return chance > error / 2;
  });
}

function inFloors({ seconds, floors = seconds }: RoundFigures): number {
  return floors;
}

function pairsIn([before, after]: Sides): number {
  return before.length * after.length;
}

function centerOf(rounds: readonly RoundFigures[]): number {
  return median(rounds.map(({ seconds }) => seconds));
}

interface FoundRange extends Pick<ShiftRange, "lo" | "hi"> {
  readonly isKnown: boolean;
  /** What the rounds say in seconds alone, and in floors where there are some. */
  readonly inSeconds?: ShiftRange;
  readonly inFloors?: ShiftRange;
}

/**
 * In logarithms. Half of the error may be on either side in seconds. In floors nearly all of it may be on
 * each: an alarm needs both, and what moves the machine moves the seconds to one side only.
 */
function rangeOf(
  modes: readonly Sides[],
  { error, fewest, isDoubted }: {
    readonly error: number;
    readonly fewest: number;
    readonly isDoubted: boolean;
  },
): FoundRange {
  const isFloored = modes.every(hasFloor);
  const inSeconds = shiftRange(strataOf(modes, ({ seconds }) => seconds), error / 2);
  const inFloors = isFloored
    ? shiftRange(strataOf(alike(modes), ({ floors }) => floors!), FLOORS_ERROR_SHARE * error)
    : undefined;
  if (inSeconds === undefined) return { lo: -Infinity, hi: Infinity, isKnown: false };
  const margin = (fewest < ROUNDS_MIN ? Math.log1p(PROCESS_CHANGE) : 0) +
    (isFloored ? 0 : Math.log1p(MACHINE_CHANGE));
  const [least, most] = isDoubted ? [0, 0] : [Infinity, -Infinity];
  const lo = Math.min(inSeconds.lo, inFloors?.lo ?? Infinity, least) - margin;
  const hi = Math.max(inSeconds.hi, inFloors?.hi ?? -Infinity, most) + margin;
  return { lo, hi, isKnown: true, inSeconds, ...(inFloors && { inFloors }) };
}

/** The modes, or all as one where a call takes as many floors in each: then none of the rounds is lost. */
function alike(modes: readonly Sides[]): readonly Sides[] {
  const centers = [0, 1].map((side) =>
    modes.flatMap(({ [side]: rounds }) =>
      rounds!.length === 0 ? [] : median(rounds!.map(({ floors }) => floors!))
    )
  );
  const isAlike = centers.every((some) => Math.max(...some) < MODE_FLOORS * Math.min(...some));
  return isAlike
    ? [[modes.flatMap(([before]) => before), modes.flatMap(([, after]) => after)]]
    : modes;
}

function strataOf(modes: readonly Sides[], figureOf: (round: RoundFigures) => number): Stratum[] {
  const logs = (rounds: readonly RoundFigures[]) => rounds.map((one) => Math.log(figureOf(one)));
  return modes.map(([before, after]) => ({ before: logs(before), after: logs(after) }));
}

/** How the floor has changed, with the confidence of a single look. */
function floorChange(sides: Sides, confidence: number): Pick<Comparison, "floorRatio"> {
  if (!hasFloor(sides)) return {};
  const [before, after] = sides.map((rounds) => rounds.map(({ floorSeconds }) => floorSeconds!));
  const range = shiftRange([{
    before: before!.map(Math.log),
    after: after!.map(Math.log),
  }], (1 - confidence) / 2);
  if (range === undefined) return {};
  const ratio = around(median(after!) / median(before!), range);
  return { floorRatio: { ...ratio, confidence, warnings: [] } };
}

/** A figure, and the range of its logarithm, which holds it. */
function around(center: number, { lo, hi }: Pick<ShiftRange, "lo" | "hi">) {
  return { center, lo: Math.min(center, Math.exp(lo)), hi: Math.max(center, Math.exp(hi)) };
}

function reasonOf(
  { isKnown, inSeconds, inFloors }: FoundRange,
  { isMixed, fewest }: { readonly isMixed: boolean; readonly fewest: number },
): string {
  if (isMixed) return "the machine changed: no round of one has the floor of a round of the other";
  if (!isKnown || fewest < ROUNDS_FEWEST) return "too few rounds";
  if (inFloors && isApart(inSeconds!) && !isApart(inFloors)) {
    return "the machine changed: what differs in seconds is not sure in floors";
  }
  if (inFloors && isApart(inSeconds!) && inSeconds!.lo > 0 !== inFloors.lo > 0) {
    return "the machine changed: seconds and floors moved to different sides";
  }
  if (fewest < ROUNDS_MIN) return `too few rounds: ${fewest}`;
  return isApart(inSeconds!) && !inFloors
    ? "there is no floor that would tell what the machine did"
    : "the rounds lie too far apart";
}

function isApart({ lo, hi }: ShiftRange): boolean {
  return lo > 0 || hi < 0;
}
