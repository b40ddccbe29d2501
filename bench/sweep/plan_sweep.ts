import {
  allPoints,
  type Axes,
  type AxisValue,
  parsePointId,
  type Point,
  pointId,
  takesValue,
} from "../../scenarios/axis.ts";
import { findScenario } from "../../scenarios/registry.ts";
import { type Scenario, smallestPoint } from "../../scenarios/scenario.ts";

/** One visit of one point. */
export interface PlannedPoint {
  /** Whose point it is. */
  readonly scenario: Scenario;
  /** A value for each axis of the scenario. */
  readonly point: Point;
  /** The same as text: `portCount=1;laneCount=32`. */
  readonly pointId: string;
  /** Counts the visits of this point, from 0. */
  readonly round: number;
  /** Why the point means nothing, as its scenario says; absent for a point to measure. */
  readonly skipReason?: string;
}

/** A part of a sweep, for one of several machines or jobs. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  /** Parts of the sweep. */
  readonly count: number;
}

/** Which points a sweep visits, how often, and in which order. */
export interface SweepOptions {
  /** Decides the order. */
  readonly seed: number;
  /** Visits of each point, each in a fresh process. */
  readonly rounds: number;
  /**
   * Values of axes, by the name of the axis: every point is visited with each of these values in
   * place of its own. A scenario that has no such axis, or whose axis does not take the values, keeps
   * its points.
   */
  readonly axisValues?: Readonly<Record<string, readonly AxisValue[]>>;
  /** Only points whose scenario and id, as `round_trip portCount=1`, contain this text. */
  readonly filter?: string;
  /** Only this point of each scenario, by its id. */
  readonly pointId?: string;
  /** Whether only the smallest point of each scenario is visited. */
  readonly isQuick?: boolean;
  /** Whether only the points of the sweep of a minute are visited: those that scenarios name for it. */
  readonly isUsual?: boolean;
  /**
   * Only every `count`th point, beginning with the `index`th, where points that are compared with each
   * other count as one: all visits of a point are in one shard, and all shards together visit every
   * point, whatever the seed is.
   */
  readonly shard?: Shard;
}

class TooManyError extends RangeError {}

/** Visits of a sweep at most: those of some days. */
const VISITS_MAX = 1_000_000;

/**
 * Plans a sweep: every point once a round, each round in a random order of its own. So no point
 * follows the same neighbour every time, and when the machine is slow for a minute, the points that
 * suffer are random ones. Points that mean nothing come first, once, with the reason.
 *
 * @throws {RangeError} when there are more than a million visits
 * @throws {SyntaxError} when the id names no point of a scenario
 * @throws {TypeError} when `points` or `skip` of a scenario are not as they have to be
 *
 * @example
 * ```ts
 * import { roundTrip } from "../../scenarios/worker/round_trip.ts";
 * import { planSweep } from "./plan_sweep.ts";
 * const axisValues = { laneCount: [1], waiting: ["spin+spin"] };
 * const plan = planSweep([roundTrip], { seed: 1, rounds: 2, axisValues });
 * if (plan.length !== 2 * 7) throw new Error("seven port counts, twice");
 * ```
 */
export function planSweep(scenarios: readonly Scenario[], options: SweepOptions): PlannedPoint[] {
  const { seed, rounds, axisValues = {}, filter = "", shard = { index: 1, count: 1 } } = options;
  const all = scenarios.flatMap((scenario) => pointsOf(scenario, { ...options, axisValues }))
    .filter(({ scenario, pointId }) => `${scenario.name} ${pointId}`.includes(filter));
  // What is compared is measured on one machine, and one after another: it meets the same conditions.
  const once = comparedGroups(all).filter((_, at) => at % shard.count === shard.index - 1).flat();
  const skipped = once.filter(({ skipReason }) => skipReason !== undefined);
  const measured = once.filter(({ skipReason }) => skipReason === undefined);
  refuseMany(measured.length * rounds);
  const visits = Array.from(
    { length: rounds },
    (_, round) =>
      comparedGroups(shuffled(measured, seed + round)).flat().map((visit) => ({ ...visit, round })),
  );
  return [...skipped, ...visits.flat()];
}

/** Points that are compared with each other, together; every other point alone. */
function comparedGroups(visits: readonly PlannedPoint[]): PlannedPoint[][] {
  const groups = Map.groupBy(visits, ({ scenario: { name, axes, compares }, point }) => {
    const others = Object.keys(axes).filter((axis) => axis !== compares);
    return compares ? `${name} ${others.map((axis) => point[axis]).join(";")}` : point;
  });
  return [...groups.values()];
}

/** The points of a scenario, which is the code of others. */
function pointsOf(scenario: Scenario, options: SweepOptions): PlannedPoint[] {
  try {
    return movedPoints(scenario, options).map((point) => planned(scenario, point));
  } catch (cause) {
    if (cause instanceof TooManyError || options.pointId !== undefined) throw cause;
    const reason = cause instanceof Error ? cause.message : cause;
    throw new TypeError(`Cannot plan the points of ${scenario.name}: ${reason}`, { cause });
  }
}

function refuseMany(visitCount: number): void {
  if (visitCount <= VISITS_MAX) return;
  throw new TooManyError(
    `Cannot plan the sweep as it may have ${VISITS_MAX} visits, rounds times points: current value ` +
      `is ${visitCount}`,
  );
}

function planned(scenario: Scenario, point: Point): PlannedPoint {
  const id = pointId(scenario.axes, point);
  const skipReason: unknown = scenario.skip?.(point);
  if (skipReason !== undefined && typeof skipReason !== "string") {
    throw new TypeError(
      `its skip must return a text, or undefined for a point to measure: it returned ${
        String(skipReason)
      } at ${id}`,
    );
  }
  return {
    scenario,
    point,
    pointId: id,
    round: 0,
    ...(skipReason !== undefined && { skipReason }),
  };
}

/** The scenario's points with other values of some axes; each point once. */
function movedPoints(
  scenario: Scenario,
  options: Pick<SweepOptions, "axisValues" | "pointId" | "isQuick" | "isUsual">,
): Point[] {
  const { axes } = scenario;
  const moves: Axes = Object.fromEntries(
    Object.entries(options.axisValues ?? {}).filter(([name, values]) =>
      Object.hasOwn(axes, name) && values.every((value) => takesValue(axes[name]!, value))
    ),
  );
  const own = ownPoints(scenario, options);
  refuseMany(own.length * combinationsOf(moves));
  const moved = own.flatMap((point) =>
    [...allPoints(moves)].map((move) => ({ ...point, ...move }))
  );
  return [...new Map(moved.map((point) => [pointId(axes, point), point])).values()];
}

function ownPoints(
  scenario: Scenario,
  options: Pick<SweepOptions, "pointId" | "isQuick" | "isUsual">,
): readonly Point[] {
  const { axes } = scenario;
  if (options.pointId !== undefined) return [parsePointId(axes, options.pointId)];
  if (scenario.points === undefined || options.isQuick) refuseMany(combinationsOf(axes));
  if (options.isQuick) return [smallestPoint(scenario)];
  const points: Point[] = [];
  const asked = options.isUsual ? scenario.usualPoints?.() ?? [] : scenario.points?.();
  for (const point of asked ?? allPoints(axes)) {
    parsePointId(axes, pointId(axes, point)); // a process of its own finds it by its id
    refuseMany(points.push(point));
  }
  return points;
}

function combinationsOf(axes: Axes): number {
  return Object.values(axes).reduce((count, { length }) => count * length, 1);
}

/**
 * The point that is named by its scenario and its id, as in a record.
 *
 * @param options `among` are the scenarios to look in; those of this project when absent
 * @throws {RangeError} when there is no such scenario
 * @throws {SyntaxError} when the id names no point of the scenario
 */
export function namedPoint(
  name: { readonly scenario: string; readonly pointId: string },
  options: { readonly among?: readonly Scenario[] } = {},
): PlannedPoint {
  const scenario = findScenario(name.scenario, options);
  return planned(scenario, parsePointId(scenario.axes, name.pointId));
}

/**
 * Random numbers from 0 to below 1, the same ones for the same seed (mulberry32). Good enough to
 * shuffle an order, not for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same values in an order that the seed decides; every order is equally likely. */
export function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  const random = seededRandom(seed);
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [mixed[last], mixed[at]] = [mixed[at]!, mixed[last]!];
  }
  return mixed;
}
