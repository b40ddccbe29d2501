import { nearest } from "./nearest.ts";

/**
 * Checks an option that is one of a few words; an option that is absent is right.
 *
 * @param what what cannot be done otherwise, as "run the kernel"
 * @throws {TypeError} that names the choices, and the one that may be meant
 *
 * @example
 * ```ts
 * import { checkChoice } from "./choice.ts";
 * checkChoice("run the kernel", { refusals: "count" }, ["reject", "count"]);
 * let message = "";
 * try {
 *   checkChoice("run the kernel", { refusals: "Count" }, ["reject", "count"]);
 * } catch (error) {
 *   message = (error as Error).message;
 * }
 * if (!message.endsWith("current value is Count; did you mean count")) throw new Error(message);
 * ```
 */
export function checkChoice(
  what: string,
  option: Readonly<Record<string, unknown>>,
  choices: readonly string[],
): void {
  for (const [name, value] of Object.entries(option)) {
    if (value === undefined || choices.includes(value as string)) continue;
    const near = nearest(String(value), choices);
    const list = `${name} must be one of ${choices.join(", ")}: current value is ${String(value)}`;
    throw new TypeError(`Cannot ${what} as ${list}${near ? `; did you mean ${near}` : ""}`);
  }
}
