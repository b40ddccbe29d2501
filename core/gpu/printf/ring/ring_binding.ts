import type { TypedName } from "../../syntax/declarations.ts";
import type { Token } from "../../syntax/tokens.ts";
import { type PrintfScope } from "../printf_calls.ts";
import { refuseAt } from "../printf_error.ts";

/** Where a buffer is bound. */
export interface BindingPlace {
  /** The number of `@group`. */
  readonly group: number;
  /** The number of `@binding`. */
  readonly binding: number;
}

/** Where the ring is bound. */
export interface RingPlace extends BindingPlace {
  /** Whether the author has variables in its group. */
  readonly isGroupShared: boolean;
}

/** What every device of WebGPU has. */
const GROUP_COUNT = 4;

/** Where the author's variables are bound; `undefined` numbers are those that only a compiler knows. */
function takenPlaces({ tokens, declarations }: PrintfScope) {
  return declarations.variables.flatMap((variable) => {
    const group = attributeNumber(tokens, variable, "group");
    const binding = attributeNumber(tokens, variable, "binding");
    return group === "none" || binding === "none" ? [] : [{ group, binding, name: variable.name }];
  });
}

function attributeNumber(tokens: readonly Token[], { attributes }: TypedName, wanted: string) {
  const attribute = attributes.find(({ name }) => name === wanted);
  if (!attribute) return "none";
  const { start, end } = attribute.args;
  const text = tokens[start]?.text ?? "";
  return end - start === 1 && /^\d+[iu]?$/.test(text) ? parseInt(text) : undefined;
}

/**
 * Where the ring is bound: in a group of its own, behind the author's, as long as there is one; else
 * behind the last binding of the last group.
 *
 * @throws {PrintfError} when the wanted place is the author's, or no place can be computed
 * @throws {RangeError} when a number is no index
 */
export function ringBinding(scope: PrintfScope, wanted: Partial<BindingPlace>): RingPlace {
  for (const [name, value] of Object.entries(wanted)) checkIndex(name, value);
  const taken = takenPlaces(scope);
  const unknown = taken.find(({ group, binding }) => group === undefined || binding === undefined);
  if (unknown && (wanted.group === undefined || wanted.binding === undefined)) {
    refuseAt(
      scope.source,
      unknown.name.index,
      `the group and binding of ${unknown.name.text} are no plain numbers, so that a free place for the ring cannot be computed: name one by the options group and binding`,
    );
  }
  const groups = taken.map(({ group }) => group ?? 0);
  const group = wanted.group ?? freeGroup(groups);
  const bindings = taken.filter((one) => one.group === group).map((one) => one.binding ?? 0);
  const binding = wanted.binding ?? Math.max(-1, ...bindings) + 1;
  const other = taken.find((one) => one.group === group && one.binding === binding);
  if (!other) return { group, binding, isGroupShared: bindings.length > 0 };
  return refuseAt(
    scope.source,
    other.name.index,
    `the options bind the ring where ${other.name.text} is, at @group(${group}) @binding(${binding}): leave the options out, or choose another place`,
  );
}

function checkIndex(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return;
  throw new RangeError(
    `Cannot place the ring as ${name} must be an integer from 0: current value is ${value}`,
  );
}

function freeGroup(groups: readonly number[]): number {
  const behind = Math.max(-1, ...groups) + 1;
  if (behind < GROUP_COUNT) return behind;
  const free = Array.from({ length: GROUP_COUNT }, (_, group) => group)
    .find((group) => !groups.includes(group));
  return free ?? GROUP_COUNT - 1;
}
