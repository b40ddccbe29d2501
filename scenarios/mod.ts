/**
 * The questions that this lab asks: each scenario is one, with the axes to vary and a trial to run.
 *
 * @module
 */
export {
  allPoints,
  type Axes,
  type AxisValue,
  oneAxisAtATime,
  parseAxisValue,
  parsePointId,
  type Point,
  pointId,
} from "./axis.ts";
export {
  type Assignment,
  Partner,
  type PartnerModule,
  type PreparedWork,
  type Work,
} from "./partner/partner.ts";
export { findScenario, loadScenarios, scenarios, usualScenarios } from "./registry.ts";
export {
  type Control,
  controlsOf,
  hasFixedFloor,
  type Scenario,
  smallestPoint,
  type Trial,
} from "./scenario.ts";
export type { Figure, Target, Where } from "./target.ts";
