import { resolve, toFileUrl } from "@std/path";
import { addScenarios, findScenario } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";

/**
 * The scenarios that texts name: each is the name of a scenario of this project, or the path or URL
 * of a module with scenarios of its own, which is loaded.
 *
 * @returns each scenario once, in the order of the texts
 * @throws {RangeError} when there is no scenario of a name
 * @throws {TypeError} when a module cannot be loaded or has none
 *
 * @example
 * ```ts
 * import { chooseScenarios } from "./choose_scenarios.ts";
 * const names = (await chooseScenarios(["round_trip", "ping_pong"])).map(({ name }) => name);
 * if (names.join() !== "round_trip,ping_pong") throw new Error(names.join());
 * ```
 */
export async function chooseScenarios(texts: readonly string[]): Promise<readonly Scenario[]> {
  const chosen = new Set<Scenario>();
  for (const text of texts) {
    const found = isModule(text) ? await addScenarios(urlOf(text)) : [findScenario(text)];
    for (const scenario of found) chosen.add(scenario);
  }
  return [...chosen];
}

function isModule(text: string): boolean {
  return /[/\\:]|\.[cm]?[jt]s$/.test(text);
}

/** A letter and a colon begin a path on Windows. */
function urlOf(text: string): URL {
  const url = /^[a-z]{2,}:/i.test(text) ? URL.parse(text) : toFileUrl(resolve(text));
  if (url !== null) return url;
  throw new TypeError(`Cannot load scenarios from "${text}" as it must be a path or a whole URL`);
}
