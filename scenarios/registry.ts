import { gpuEpoch } from "./gpu/gpu_epoch.ts";
import { gpuLive } from "./gpu/gpu_live.ts";
import { gpuLock } from "./gpu/gpu_lock.ts";
import { gpuServer } from "./gpu/gpu_server.ts";
import { linearCost } from "./worker/linear_cost.ts";
import { manyClients } from "./worker/many_clients.ts";
import { pingPong } from "./worker/ping_pong.ts";
import { postMessage } from "./worker/post_message.ts";
import { roundTrip } from "./worker/round_trip.ts";
import type { Scenario } from "./scenario.ts";

/** Every scenario, in the order of tables. */
export const scenarios: readonly Scenario[] = [
  pingPong,
  postMessage,
  roundTrip,
  manyClients,
  linearCost,
  gpuEpoch,
  gpuLive,
  gpuLock,
  gpuServer,
];

/** What a sweep of a minute is about: one call, its floor, its rivals, and a crowd. */
export const usualScenarios: readonly Scenario[] = [
  pingPong,
  postMessage,
  roundTrip,
  manyClients,
];

/**
 * The scenario of a name.
 *
 * @throws {RangeError} when there is none
 *
 * @example
 * ```ts
 * import { findScenario } from "./registry.ts";
 * if (!findScenario("round_trip").question.endsWith("?")) throw new Error("no question");
 * ```
 */
export function findScenario(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found) return found;
  throw new RangeError(
    `Cannot find the scenario "${name}" as there is none of that name: scenarios are ${
      scenarios.map((scenario) => scenario.name).join(", ")
    }`,
  );
}
