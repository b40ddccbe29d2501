import { findScenario as findAmong, scenarios as questions } from "../scenarios/registry.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { peers } from "./peers/peers.ts";

/**
 * Every scenario that a sweep may be of: those of `scenarios/`, which import the core alone, and those
 * that need packages, which may stand here only.
 */
export const scenarios: readonly Scenario[] = [...questions, peers as unknown as Scenario];

/**
 * The scenario of a name.
 *
 * @throws {RangeError} when there is none of that name
 *
 * @example
 * ```ts
 * import { findScenario } from "./registry.ts";
 * if (!findScenario("peers").question.endsWith("?")) throw new Error("no question");
 * ```
 */
export function findScenario(name: string): Scenario {
  return findAmong(name, { among: scenarios });
}
