import type { Scenario } from "./scenario.ts";

/** One line for each scenario, in the order of lists and of sweeps. */
const modules = await Promise.all([
  import("./worker/ping_pong.ts"),
  import("./worker/post_message.ts"),
  import("./worker/round_trip.ts"),
  import("./worker/many_clients.ts"),
  import("./worker/linear_cost.ts"),
  import("./worker/in_flight.ts"),
  import("./worker/payload.ts"),
  import("./worker/waiting.ts"),
  import("./family/family.ts"),
  import("./native/native.ts"),
  import("./gpu/gpu_epoch.ts"),
  import("./gpu/gpu_live.ts"),
  import("./gpu/gpu_lock.ts"),
  import("./gpu/gpu_server.ts"),
]);

/** Every scenario. */
export const scenarios: readonly Scenario[] = modules.flatMap(scenariosIn);

/** The scenarios that a sweep of a minute is about. */
export const usualScenarios: readonly Scenario[] = scenarios.filter(({ isUsual }) => isUsual);

/** What a module exports that is a scenario: whatever has a question. */
export function scenariosIn(module: Readonly<Record<string, unknown>>): Scenario[] {
  return Object.values(module).filter((value): value is Scenario =>
    typeof value === "object" && value !== null && "question" in value
  );
}

/**
 * The scenario of a name.
 *
 * @param options `among` are the scenarios to look in; those of this project when absent
 * @throws {RangeError} when there is none of that name
 *
 * @example
 * ```ts
 * import { findScenario } from "./registry.ts";
 * if (!findScenario("round_trip").question.endsWith("?")) throw new Error("no question");
 * ```
 */
export function findScenario(
  name: string,
  options: { readonly among?: readonly Scenario[] } = {},
): Scenario {
  const { among = scenarios } = options;
  const found = among.find((scenario) => scenario.name === name);
  if (found) return found;
  throw new RangeError(
    `Cannot find the scenario "${name}" as there is none of that name: scenarios are ${
      among.map((scenario) => scenario.name).join(", ")
    }`,
  );
}
