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
import type { Scenario } from "../../scenarios/scenario.ts";
import { shuffled } from "./shuffle.ts";

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
  /**
   * Only every `count`th point, beginning with the `index`th: all visits of a point are in one shard,
   * and all shards together visit every point, whatever the seed is.
   */
  readonly shard?: Shard;
}

/**
 * Plans a sweep: every point once a round, each round in a random order of its own. So no point
 * follows the same neighbour every time, and when the machine is slow for a minute, the points that
 * suffer are random ones. Points that mean nothing come first, once, with the reason.
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
  const once = scenarios.flatMap((scenario) =>
    movedPoints(scenario, axisValues).map((point) => planned(scenario, point))
  )
    .filter(({ scenario, pointId }) => `${scenario.name} ${pointId}`.includes(filter))
    .filter((_, at) => at % shard.count === shard.index - 1);
  const skipped = once.filter(({ skipReason }) => skipReason !== undefined);
  const measured = once.filter(({ skipReason }) => skipReason === undefined);
  const visits = Array.from(
    { length: rounds },
    (_, round) => shuffled(measured, seed + round).map((visit) => ({ ...visit, round })),
  );
  return [...skipped, ...visits.flat()];
}

function planned(scenario: Scenario, point: Point): PlannedPoint {
  const skipReason = scenario.skip?.(point);
  return {
    scenario,
    point,
    pointId: pointId(scenario.axes, point),
    round: 0,
    ...(skipReason !== undefined && { skipReason }),
  };
}

/** The scenario's points with other values of some axes; each point once. */
function movedPoints(
  scenario: Scenario,
  axisValues: Readonly<Record<string, readonly AxisValue[]>>,
): Point[] {
  const { axes } = scenario;
  const own = [...scenario.points?.() ?? allPoints(axes)];
  const moves: Axes = Object.fromEntries(
    Object.entries(axisValues).filter(([name, values]) =>
      Object.hasOwn(axes, name) && values.every((value) => takesValue(axes[name]!, value))
    ),
  );
  const moved = own.flatMap((point) =>
    [...allPoints(moves)].map((move) => ({ ...point, ...move }))
  );
  return [...new Map(moved.map((point) => [pointId(axes, point), point])).values()];
}

/**
 * The point that is named by its scenario and its id, as in a record.
 *
 * @throws {RangeError} when there is no such scenario
 * @throws {SyntaxError} when the id names no point of the scenario
 */
export function namedPoint(
  name: { readonly scenario: string; readonly pointId: string },
): PlannedPoint {
  const scenario = findScenario(name.scenario);
  return planned(scenario, parsePointId(scenario.axes, name.pointId));
}
