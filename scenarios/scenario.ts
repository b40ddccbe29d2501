import { allPoints, type Axes, type Point } from "./axis.ts";
import type { Partner } from "./partner/partner.ts";

/**
 * One prepared run. The runner owns the clock: nothing here measures, repeats or prints.
 *
 * A trial rests when it is made and whenever `rest` has returned: then none of its workers runs a
 * busy loop, so that another trial can be sampled on the same few cores.
 */
export interface Trial {
  /** Makes `callCount` calls, one after another; throws when a result is wrong. The timed part. */
  run(callCount: number): void | Promise<void>;
  /** Makes the other side ready to answer at once. Outside the timed part. */
  wake?(): void;
  /** Sends the other side to sleep; returns when it does. Outside the timed part. */
  rest?(): void;
  /** What the GPU adapter calls itself, when the trial runs on one. */
  readonly adapter?: string;
  /**
   * What was seen besides the time, up to now: how often, by what it was, and what is doubtful, in
   * sentences that join those of the record. Asked once, behind the last call.
   */
  findings?(): {
    readonly counts: Readonly<Record<string, number>>;
    readonly warnings: readonly string[];
  };
  /** Releases what the trial holds; the partner itself goes on. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Something to compare with, sampled in turn with the trial, in the same isolate. It should share
 * either all of its code with the trial or none: where a control opens a second channel, the engine
 * can no longer optimise for the only one, and a call takes about a tenth longer.
 */
export interface Control<A extends Axes = Axes> {
  /** Names it in records, tables and charts: small letters, digits and `_`. */
  readonly name: string;
  /** What it is, in a few words for a person: `a bare round trip`; its name in words when absent. */
  readonly title?: string;
  /** The shortest useful sample, in seconds, where the work of a scheduler is part of the answer. */
  readonly sampleSecondsMin?: number;
  /**
   * Whether this thread and its partner, and no other, do the work. If so, each is kept on a
   * processor of its own, where the system allows it.
   */
  readonly isPair?: boolean;
  /**
   * Prepares a run at a point.
   *
   * @param partner the thread at the other end, the same one for a trial and its controls
   */
  setup(point: Point<A>, partner: Partner): Promise<Trial>;
}

/**
 * A question that a sweep answers.
 *
 * @example
 * ```ts
 * import type { Scenario } from "./scenario.ts";
 * const axes = { byteCount: [64, 4096] } as const;
 * const fill: Scenario<typeof axes> = {
 *   name: "fill",
 *   question: "What does it cost to clear a packet?",
 *   axes,
 *   setup({ byteCount }) {
 *     const bytes = new Uint8Array(byteCount);
 *     return Promise.resolve({
 *       run(callCount: number) {
 *         for (let call = 0; call < callCount; call++) bytes.fill(0);
 *       },
 *       [Symbol.asyncDispose]: () => Promise.resolve(),
 *     });
 *   },
 * };
 * ```
 */
export interface Scenario<A extends Axes = Axes> extends Control<A> {
  /** Ends with a question mark; the title of tables and charts. */
  readonly question: string;
  /** What is varied, with the values of an ordinary sweep. */
  readonly axes: A;
  /**
   * The axis whose values are compared with each other: which one is fastest, at each combination of
   * the other axes. Answers, titles of charts and a map of winners say so.
   */
  readonly compares?: string;
  /** The least that the work can cost: figures are shown in it as well as in seconds. */
  readonly floor?: Control<A>;
  /** What else a reader compares with: what people use today, or a simpler case. */
  readonly references?: readonly Control<A>[];
  /** The name of the reference that the answer is a comparison with: the charts show it, too. */
  readonly mainReference?: string;
  /** The points of an ordinary sweep; every combination when absent. */
  points?(): Iterable<Point<A>>;
  /**
   * Why a point means nothing, such as a wave of more lanes than its mask has bits; undefined for a
   * point to measure. Sweeps list such points with the reason, and measure the others. So every
   * combination of axes may be asked for, and what is missing in a table is explained.
   *
   * @returns a part of a sentence: `"a lane mask has 64 bits"`
   */
  skip?(point: Point<A>): string | undefined;
  /**
   * Calls of the protocol in one of what `run` counts, where that is a whole turn, such as an epoch or
   * a batch; 1 when absent. Figures share the time of a turn out over them.
   */
  callsPerTurn?(point: Point<A>): number;
  /**
   * Bytes of payload that one of what `run` counts moves: a scenario of throughput, whose figures are
   * shown in bytes a second, too.
   */
  bytesPerCall?(point: Point<A>): number;
  /** Whether `run`, once it is warm, is meant to allocate nothing; sweeps check it. */
  readonly isAllocationFree?: boolean;
  /** Whether the processor time of a call is part of the answer; sweeps count it then. */
  readonly countsCpuTime?: boolean;
  /** Whether the trial runs on a GPU adapter. */
  readonly needsAdapter?: boolean;
  /**
   * The points that it has in the sweep of a minute, which nobody chose: few, and such that each axis is
   * seen to matter or not. None when absent.
   */
  usualPoints?(): Iterable<Point<A>>;
  /** The figures that it is meant to reach; every sweep of it is judged by them. */
  readonly targets?: readonly Target<A>[];
}

/**
 * A scenario as it is given, with the types of its points taken from its axes.
 *
 * @example
 * ```ts
 * import { scenario } from "./scenario.ts";
 * import { trial } from "./trial.ts";
 * const ways = { json: (it: unknown) => JSON.parse(JSON.stringify(it)), clone: structuredClone };
 * export const copy = scenario({
 *   name: "copy",
 *   question: "What is the cheapest way to copy a message?",
 *   axes: { entries: [1, 256], way: ["json", "clone"] },
 *   compares: "way",
 *   setup: ({ entries, way }) =>
 *     trial((it) => ways[way](it), { setup: () => new Array(entries).fill(1.5) }),
 * });
 * if (copy.axes.way[0] !== "json") throw new Error("as it is given");
 * ```
 */
export function scenario<const A extends Axes>(
  definition: Scenario<A> & { readonly compares?: NoInfer<keyof A & string> },
): Scenario<A> {
  return definition;
}

/** Everything that a scenario is compared with, its floor first. */
export function controlsOf<A extends Axes>(scenario: Scenario<A>): readonly Control<A>[] {
  const { floor, references = [] } = scenario;
  return floor ? [floor, ...references] : references;
}

/**
 * The first combination of the axes' values that means something: the least that shows that a
 * scenario runs. The very first where the scenario skips all, as one may that needs a compiler.
 */
export function smallestPoint<A extends Axes>(scenario: Scenario<A>): Point<A> {
  const points = [...allPoints(scenario.axes)];
  return points.find((point) => scenario.skip?.(point) === undefined) ?? points[0]!;
}

/**
 * Whether a scenario's floor is the same at all of its points: a scenario without axes. Only then can
 * times of the floor at two points be compared, or one of them stand for all.
 */
export function hasFixedFloor({ floor }: Pick<Scenario, "floor">): boolean {
  return floor !== undefined && "axes" in floor && Object.keys(floor.axes as Axes).length === 0;
}

/** Some axes with the values that are meant; an axis that is not named may have any value. */
export type Where<A extends Axes = Axes> = { readonly [Name in keyof A]?: A[Name][number] };

/**
 * Which figure of a point is judged. Ratios to something sampled in the same run, because seconds mean
 * nothing on another machine; the bytes of the heap are the exception, and what was promised in seconds.
 *
 * - `timesFloor`: the time of a call, in that of the scenario's floor.
 * - `secondsOverFloor`: the seconds of a call beyond those of the scenario's floor: of use where what is
 *   added was promised, whatever it is added to.
 * - `timesFasterThan`: the time of a reference, in that of a call.
 * - `timesPoint`: the time of a call, in that of a call at another point.
 * - `timesFasterThanPoint`: the time of a call at another point, in that of a call here.
 * - `meanTimesReference`: the time of a call, in that of a reference: the geometric mean over the
 *   points that the target is about, once all of them were measured.
 * - `callsPerSecond`: calls a second, those of `callsPerTurn`.
 * - `heapGrowth`: bytes allocated for each call, on the side that allocates more.
 * - `counted`: how often something was seen besides the time, in all rounds: of a scenario that asks for this,
 *   whose answer it is then.
 *
 * The other point is this one with the axes of `point` moved.
 */
export type Figure<A extends Axes = Axes> =
  | { readonly kind: "timesFloor" }
  | { readonly kind: "heapGrowth" }
  | { readonly kind: "counted"; readonly count: string }
  | { readonly kind: "secondsOverFloor" }
  | { readonly kind: "callsPerSecond" }
  | { readonly kind: "timesFasterThan"; readonly reference: string }
  | {
    readonly kind: "meanTimesReference";
    readonly reference: string;
    /** How many points there are: without one of them it would be another mean. */
    readonly pointCount: number;
  }
  | { readonly kind: "timesPoint" | "timesFasterThanPoint"; readonly point: Where<A> };

/**
 * A figure that this project means to reach: data of the scenario that it judges.
 *
 * @example
 * ```ts
 * import type { Target } from "./scenario.ts";
 * const axes = { portCount: [1, 64], waiting: ["spin", "park"] } as const;
 * const manyPorts: Target<typeof axes> = {
 *   text: "64 ports, in calls of 1 port",
 *   where: { portCount: 64 }, // with every way of waiting
 *   figure: { kind: "timesPoint", point: { portCount: 1 } },
 *   bound: "at most",
 *   limit: 1.3,
 * };
 * ```
 */
export interface Target<A extends Axes = Axes> {
  /** What the figure is, for a person. */
  readonly text: string;
  /**
   * The points that the target is about, by the axes that it means. Where several points of a run
   * match, all of them must reach the target: the worst one is told. So an axis that is added later
   * widens a target that does not name it, and cannot make it vanish.
   */
  readonly where: Where<A>;
  /** What is judged at those points. */
  readonly figure: Figure<A>;
  /** On which side of the limit the figure must be. */
  readonly bound: "at most" | "at least";
  /** In the unit of the figure: times, seconds, calls a second, bytes, or a count. */
  readonly limit: number;
}
