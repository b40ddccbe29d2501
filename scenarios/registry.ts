import { checkScenario } from "./check_scenario.ts";
import { knownNames } from "./nearest_name.ts";
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
  import("./worker/stream.ts"),
  import("./worker/waiting.ts"),
  import("./worker/signature_cost.ts"),
  import("./worker/feature_cost.ts"),
  import("./worker/ping_pong_steps.ts"),
  import("./designs/contention.ts"),
  import("./designs/mailbox_layout.ts"),
  import("./designs/mailbox_read.ts"),
  import("./designs/discovery.ts"),
  import("./designs/lanes.ts"),
  import("./family/family.ts"),
  import("./native/native.ts"),
  import("./processes/processes.ts"),
  import("./host/print_line.ts"),
  import("./host/mpi_call.ts"),
  import("./gpu/gpu_epoch.ts"),
  import("./gpu/gpu_live.ts"),
  import("./gpu/gpu_lock.ts"),
  import("./gpu/gpu_mailbox.ts"),
  import("./gpu/gpu_packet.ts"),
  import("./gpu/gpu_server.ts"),
  import("./gpu/litmus.ts"),
  import("./live/live_call.ts"),
  import("./live/live_serve.ts"),
  import("./live/live_wait.ts"),
  import("./live/live_lock.ts"),
  import("./live/live_update.ts"),
  import("./live/live_no_call.ts"),
]);

/** Every scenario of this project. */
export const scenarios: readonly Scenario[] = modules.flatMap(scenariosIn);

/** The scenarios that a sweep of a minute is about. */
export const usualScenarios: readonly Scenario[] = scenarios.filter(({ isUsual }) => isUsual);

/** Where the scenarios of others come from: a process of its own loads them again. */
const moduleUrls = new WeakMap<Scenario, string>();

/** What a module exports that is a scenario: whatever has a question. */
export function scenariosIn(module: Readonly<Record<string, unknown>>): Scenario[] {
  return Object.values(module).filter((value): value is Scenario =>
    typeof value === "object" && value !== null && "question" in value
  );
}

/**
 * Loads the scenarios of a module that is no part of this project.
 *
 * @param moduleUrl an absolute URL: `file:`, `https:`, `data:`
 * @returns the scenarios of the module
 * @throws {TypeError} when the module cannot be loaded, exports no scenario, one with a missing part,
 * or one whose name is taken by a scenario of this project, or twice
 *
 * @example
 * ```ts
 * import { loadScenarios } from "./registry.ts";
 * const url = new URL("./testdata/clear_bytes.ts", import.meta.url);
 * const [clearBytes] = await loadScenarios(url);
 * if (clearBytes?.name !== "clear_bytes") throw new Error("what the module exports");
 * ```
 */
export async function loadScenarios(moduleUrl: string | URL): Promise<readonly Scenario[]> {
  const url = String(moduleUrl);
  const found = scenariosOf(await importModule(url), url);
  if (found.length === 0) {
    throw new TypeError(`Cannot use ${url} as it exports no scenario: an object with a question`);
  }
  for (const scenario of found) {
    if (scenarios.includes(scenario)) continue;
    const { name } = scenario;
    if ([...scenarios, ...found].some((other) => other !== scenario && other.name === name)) {
      throw new TypeError(
        `Cannot use the scenario "${name}" of ${url} as another one has its name`,
      );
    }
    moduleUrls.set(scenario, url);
  }
  return found;
}

/** What is exported may throw whatever is asked of it. */
function scenariosOf(module: Readonly<Record<string, unknown>>, url: string): Scenario[] {
  try {
    const found = [...new Set(scenariosIn(module))];
    for (const scenario of found) checkScenario(scenario, url);
    return found;
  } catch (cause) {
    if (cause instanceof TypeError && cause.message.includes(url)) throw cause;
    throw new TypeError(`Cannot use a scenario of ${url}: ${textOf(cause)}`, { cause });
  }
}

async function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(url);
  } catch (cause) {
    throw new TypeError(`Cannot load scenarios from ${url}: ${textOf(cause)}`, { cause });
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The module that a scenario was loaded from; undefined for a scenario of this project. */
export function moduleUrlOf(scenario: Scenario): string | undefined {
  return moduleUrls.get(scenario);
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
      knownNames(name, among.map((scenario) => scenario.name))
    }`,
  );
}
