import { type AxisValue, parseAxisValue } from "../../../scenarios/axis.ts";
import { knownNames } from "../../../scenarios/nearest_name.ts";
import type { Scenario } from "../../../scenarios/scenario.ts";

/**
 * Reads texts such as `portCount=1,64` or `portCount=1..4096x4`. A chosen scenario must have the axis
 * and take the values.
 *
 * @throws {SyntaxError} when none has, or none does
 */
export function axisValuesOf(
  scenarios: readonly Scenario[],
  texts: readonly string[],
): Record<string, readonly AxisValue[]> {
  return Object.fromEntries(texts.map((text) => {
    const [name = "", values = ""] = text.split("=", 2);
    const owners = scenarios.filter(({ axes }) => Object.hasOwn(axes, name));
    if (owners.length > 0 && values !== "") {
      return [name, valuesFor(owners, { name, texts: values.split(",").flatMap(rangeOf) })];
    }
    if (owners.length > 0) {
      throw new SyntaxError(
        `Cannot use --axis as it must be ${name}=V1,V2, with a value at least: current value is "${text}"`,
      );
    }
    const names = [...new Set(scenarios.flatMap(({ axes }) => Object.keys(axes)))];
    throw new SyntaxError(
      `Cannot use --axis ${text} as it must be NAME=V1,V2, NAME one of ${knownNames(name, names)}`,
    );
  }));
}

/** Values of a range at most: more is a slip of the pen. */
const RANGE_MAX = 10_000;

/** `1..4096x4` are 1, 4, 16 and so on up to 4096; `1..9+4` are 1, 5, 9; `1..4` are 1, 2, 3, 4. */
function rangeOf(text: string): string[] {
  const match = /^(-?[\d.]+?)\.\.(-?[\d.]+?)(?:([x+])([\d.]+))?$/.exec(text);
  if (!match) return [text];
  const [first, last, step] = [match[1], match[2], match[4] ?? 1].map(Number) as [
    number,
    number,
    number,
  ];
  const isTimes = match[3] === "x";
  const grows = isTimes ? first > 0 && step > 1 : step > 0;
  const values: number[] = [];
  for (let value = first; grows && value <= last; value = isTimes ? value * step : value + step) {
    if (values.push(value) > RANGE_MAX) break;
  }
  if (values.length > 0 && values.length <= RANGE_MAX) return values.map(String);
  throw new SyntaxError(
    `Cannot use the range ${text} as it must be FIRST..LASTxFACTOR or FIRST..LAST+STEP, with 1 to ` +
      `${RANGE_MAX} values`,
  );
}

function valuesFor(
  owners: readonly Scenario[],
  option: { readonly name: string; readonly texts: readonly string[] },
): AxisValue[] {
  const { name, texts } = option;
  const refusals: unknown[] = [];
  for (const { axes } of owners) {
    try {
      return texts.map((text) => parseAxisValue(axes, { name, text }));
    } catch (refusal) {
      refusals.push(refusal);
    }
  }
  throw refusals[0];
}
