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
  readonly scenario: Scenario;
  readonly point: Point;
  readonly pointId: string;
  readonly round: number;
}

/** Which points, how often, in which order. */
export interface SweepOptions {
  readonly seed: number;
  /** Visits of each point, each in fresh processes. */
  readonly rounds: number;
  /** Axes moved to these values at every point, where a scenario has them. */
  readonly axisValues?: Readonly<Record<string, readonly AxisValue[]>>;
}

/**
 * Lays out a sweep: every point once a round, each round in an order of its own, so that no point
 * always follows the same neighbour and a slow minute of the machine hits points at random.
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
  const { seed, rounds, axisValues = {} } = options;
  const once = scenarios.flatMap((scenario) =>
    movedPoints(scenario, axisValues).map((point) => ({
      scenario,
      point,
      pointId: pointId(scenario.axes, point),
    }))
  );
  return Array.from(
    { length: rounds },
    (_, round) => shuffled(once, seed + round).map((planned) => ({ ...planned, round })),
  ).flat();
}

/** The scenario's points with those of the axes moved that take the values; each point once. */
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
 * The point that a scenario's name and a point's id stand for.
 *
 * @throws {RangeError} when there is no such scenario
 * @throws {SyntaxError} when the id is none of its points'
 */
export function namedPoint(
  name: { readonly scenario: string; readonly pointId: string },
): PlannedPoint {
  const scenario = findScenario(name.scenario);
  const point = parsePointId(scenario.axes, name.pointId);
  return { scenario, point, pointId: pointId(scenario.axes, point), round: 0 };
}
