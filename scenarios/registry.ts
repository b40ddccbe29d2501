import { checkScenario } from "./check_scenario.ts";
import { knownNames } from "./nearest_name.ts";
import type { Scenario } from "./scenario.ts";

/** One line for each module of scenarios, in the order of lists and of sweeps. */
const PATHS = [
  "./worker/ping_pong.ts",
  "./worker/post_message.ts",
  "./worker/round_trip.ts",
  "./worker/many_clients.ts",
  "./worker/linear_cost.ts",
  "./worker/in_flight.ts",
  "./worker/payload.ts",
  "./worker/stream.ts",
  "./worker/waiting.ts",
  "./worker/signature_cost.ts",
  "./worker/feature_cost.ts",
  "./worker/ping_pong_steps.ts",
  "./designs/contention.ts",
  "./designs/mailbox_layout.ts",
  "./designs/mailbox_read.ts",
  "./designs/discovery.ts",
  "./designs/lanes.ts",
  "./family/family.ts",
  "./native/native.ts",
  "./processes/processes.ts",
  "./host/print_line.ts",
  "./host/mpi_call.ts",
  "./gpu/gpu_epoch.ts",
  "./gpu/gpu_live.ts",
  "./gpu/gpu_lock.ts",
  "./gpu/gpu_mailbox.ts",
  "./gpu/gpu_packet.ts",
  "./gpu/gpu_server.ts",
  "./gpu/litmus.ts",
  "./live/live_call.ts",
  "./live/live_wait.ts",
  "./live/live_lock.ts",
  "./live/live_update.ts",
  "./live/live_no_call.ts",
] as const;

/** Where a scenario is, for a process that measures it alone: all of them take longer to load than a visit. */
const sourceUrls = new WeakMap<Scenario, string>();

/** Every scenario of this project. */
export const scenarios: readonly Scenario[] = (await Promise.all(PATHS.map(scenariosAt))).flat();

/**
 * The scenarios that have points in the sweep of a minute.
 *
 * They are found at run time, and so are the packages that only some of them load: the first sweep of a
 * machine downloads what it needs.
 */
export const usualScenarios: readonly Scenario[] = scenarios.filter(({ usualPoints }) =>
  usualPoints !== undefined
);

async function scenariosAt(path: string): Promise<readonly Scenario[]> {
  const url = new URL(path, import.meta.url).href;
  const found = scenariosIn(await import(url));
  for (const scenario of found) sourceUrls.set(scenario, url);
  return found;
}

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

/** The module that exports a scenario, of this project or not; undefined for one that no module gave. */
export function sourceUrlOf(scenario: Scenario): string | undefined {
  return moduleUrls.get(scenario) ?? sourceUrls.get(scenario);
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
