import type { Scenario } from "./scenario.ts";

/** What is asked of a scenario, with the sentence that says so. */
const PARTS: readonly (readonly [part: string, isRight: (one: Scenario) => boolean])[] = [
  [
    'its name must be small letters, digits and "_"',
    ({ name }) => matches(name, /^[a-z][a-z0-9_]*$/),
  ],
  ["its question must end with a question mark", ({ question }) => matches(question, /\?$/)],
  ["its axes must be lists of numbers or texts, each with a value", ({ axes }) => areAxes(axes)],
  ["its setup must be a function", ({ setup }) => typeof setup === "function"],
];

function matches(text: unknown, pattern: RegExp): boolean {
  return typeof text === "string" && pattern.test(text);
}

function areAxes(axes: unknown): boolean {
  return typeof axes === "object" && axes !== null && Object.values(axes).every(areValues);
}

/** Texts stand in ids, between `=` and `;`. */
function areValues(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 &&
    values.every((value) =>
      Number.isFinite(value) || (typeof value === "string" && !/[;=,\s]|^$/.test(value))
    );
}

/**
 * Whether an object that a module exports is a scenario: its types are not checked where it comes
 * from elsewhere.
 *
 * @throws {TypeError} which names the module and the part that is missing
 *
 * @example
 * ```ts
 * import { checkScenario } from "./check_scenario.ts";
 * import { pingPong } from "./worker/ping_pong.ts";
 * checkScenario(pingPong, import.meta.url);
 * ```
 */
export function checkScenario(scenario: Scenario, moduleUrl: string): void {
  for (const [part, isRight] of PARTS) {
    if (isRight(scenario)) continue;
    throw new TypeError(
      `Cannot use a scenario of ${moduleUrl} as ${part}: it is called "${scenario.name}"`,
    );
  }
}
