import { resolve, toFileUrl } from "@std/path";
import { WorkerLink } from "../../core/worker/worker_link.ts";
import { findScenario, loadScenarios } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";

/** A module takes less, also where packages have to be fetched for it. */
const LOAD_SECONDS_MAX = 60;
/** So long nobody wonders. */
const QUIET_SECONDS = 3;

export interface LoadOptions {
  /** What a module may take; 60 when absent. */
  readonly loadSecondsMax?: number;
  /** Is told of a module that takes long. */
  readonly tell?: (text: string) => void;
}

/**
 * The scenarios that texts name: each is the name of a scenario of this project, or the path or URL
 * of a module with scenarios of its own, which is loaded. `./mine.ts#fill` is that one of a module.
 *
 * A module is loaded in a Worker first: one that waits or computes for ever, or ends its process, is
 * an error then, and not the end of this program.
 *
 * @returns each scenario once, in the order of the texts
 * @throws {RangeError} when there is no scenario of a name
 * @throws {TypeError} when a module cannot be loaded or has none, or two have one of the same name
 */
export async function chooseScenarios(
  texts: readonly string[],
  options: LoadOptions = {},
): Promise<readonly Scenario[]> {
  const chosen = new Map<string, Scenario>();
  for (const text of texts) {
    const found = isModule(text) ? await scenariosOf(text, options) : [findScenario(text)];
    for (const scenario of found) {
      const other = chosen.get(scenario.name);
      if (other !== undefined && other !== scenario) {
        throw new TypeError(
          `Cannot use the scenario "${scenario.name}" of ${text} as another one has its name`,
        );
      }
      chosen.set(scenario.name, scenario);
    }
  }
  return [...chosen.values()];
}

/** Whether a text is the path or URL of a module, and not a name. */
export function isModule(text: string): boolean {
  return /[/\\:]|\.[cm]?[jt]s(#[a-z][a-z0-9_]*)?$/.test(text);
}

async function scenariosOf(text: string, options: LoadOptions): Promise<readonly Scenario[]> {
  const [, place = text, name] = /^(.+)#([a-z][a-z0-9_]*)$/s.exec(text) ?? [];
  const url = urlOf(place).href;
  await tryModule(url, options);
  const among = await loadScenarios(url);
  return name === undefined ? among : [findScenario(name, { among })];
}

async function tryModule(url: string, { loadSecondsMax = LOAD_SECONDS_MAX, tell }: LoadOptions) {
  const worker = new WorkerLink<string>(new URL("./module_worker.ts", import.meta.url));
  const late = Promise.withResolvers<never>();
  const timers = [
    setTimeout(
      () => tell?.(`Loading ${url}, for ${loadSecondsMax} s at most`),
      QUIET_SECONDS * 1000,
    ),
    setTimeout(
      () => late.reject(new Error(`it did not end within ${loadSecondsMax} s`)),
      loadSecondsMax * 1000,
    ),
  ];
  try {
    await Promise.race([worker.ask(url), late.promise]);
  } catch (cause) {
    const { message } = cause as Error;
    throw new TypeError(`Cannot load scenarios from ${url}: ${message}`, { cause });
  } finally {
    timers.forEach(clearTimeout);
    void worker.terminate();
  }
}

/** A letter and a colon begin a path on Windows. */
function urlOf(text: string): URL {
  const url = /^[a-z]{2,}:/i.test(text) ? URL.parse(text) : toFileUrl(resolve(text));
  if (url !== null) return url;
  throw new TypeError(`Cannot load scenarios from "${text}" as it must be a path or a whole URL`);
}
