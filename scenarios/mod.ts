/**
 * What a question is written with. It imports hardly anything, as the process of each point loads it:
 * the root `mod.ts`, which has the same names, takes a second.
 *
 * @module
 */
export type { Axes, AxisValue, Point } from "./axis.ts";
export { type Control, type Scenario, scenario, type Target, type Trial } from "./scenario.ts";
export { trial, type TrialOptions } from "./trial.ts";
