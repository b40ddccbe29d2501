/** Letters that are compared, as callers may pass names of any length. */
const LETTERS = 64;
/** The most changes between two similar names, of at most half of their letters. */
const CHANGES_MAX = 3;
/** The most names in a hint. */
const LISTED_MAX = 12;

/**
 * Finds the name that another one may mean: one that contains it, or else the one with the fewest
 * letters to change, add, remove or swap. Ignores case, and compares only the first 64 letters.
 *
 * @returns `undefined` when every name takes more than three changes, or changes to more than half of
 * the letters
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.slice(0, LETTERS).toLowerCase();
  const letterCount = wanted.replace(/^-+/, "").length;
  const changesMax = Math.min(CHANGES_MAX, Math.floor(letterCount / 2));
  const near = [...names].map((one) => {
    const text = one.slice(0, LETTERS).toLowerCase();
    const isLonger = letterCount > 1 && text.includes(wanted);
    return { one, isLonger, changes: changesBetween(wanted, text) };
  }).sort((left, right) => left.changes - right.changes);
  const found = near.find(({ one }) => one === name) ?? near.find(({ isLonger }) => isLonger) ??
    near.find(({ changes }) => changes <= changesMax);
  return found?.one;
}

/**
 * Ends the message of an error about an unknown name: suggests a similar name, or else lists the names.
 */
export function nameHint(name: string, names: Iterable<string>): string {
  const all = [...names];
  if (all.length === 0) return "there are none";
  const near = nearest(name, all);
  if (near !== undefined) return `did you mean ${near}`;
  const rest = all.length > LISTED_MAX ? ` and ${all.length - LISTED_MAX} more` : "";
  return `there are ${all.slice(0, LISTED_MAX).join(", ")}${rest}`;
}

/**
 * Counts the letters to add, remove, replace or swap with their neighbour. (Optimal string alignment,
 * after F. Damerau, A technique for computer detection and correction of spelling errors, 1964.)
 */
function changesBetween(source: string, target: string): number {
  if (Math.abs(source.length - target.length) > CHANGES_MAX) return Infinity;
  const rows = [Array.from({ length: target.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= source.length; row++) {
    rows[row] = [row];
    for (let at = 1; at <= target.length; at++) {
      const isOther = source[row - 1] === target[at - 1] ? 0 : 1;
      const isSwapped = source[row - 1] === target[at - 2] && source[row - 2] === target[at - 1];
      rows[row]![at] = Math.min(
        rows[row - 1]![at]! + 1,
        rows[row]![at - 1]! + 1,
        rows[row - 1]![at - 1]! + isOther,
        isSwapped ? rows[row - 2]![at - 2]! + 1 : Infinity,
      );
    }
  }
  return rows[source.length]![target.length]!;
}

/**
 * Checks that there is each option of an object, and that it is one.
 *
 * @param what names the action in the error message, as "run the kernel"
 * @throws {TypeError} that suggests a similar name, or lists the names
 */
export function checkOptionNames(what: string, options: unknown, names: readonly string[]): void {
  const given = Object(options) === options ? Object.keys(options as object) : [`${options}`];
  const name = given.find((one) => !names.includes(one));
  if (name === undefined) return;
  throw new TypeError(`Cannot ${what} as there is no option ${name}: ${nameHint(name, names)}`);
}

/**
 * Checks that an option is one of some choices, or absent.
 *
 * @param what names the action in the error message, as "run the kernel"
 * @throws {TypeError} that lists the choices, and suggests one
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
