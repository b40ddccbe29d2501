import { checkOptionNames } from "../../text/nearest.ts";
import type { TypedName } from "../syntax/declarations.ts";
import { plainText, type Token } from "../syntax/tokens.ts";
import { valueOf } from "../syntax/type_layout.ts";
import type { WgslText } from "../syntax/wgsl_text.ts";
import { refuseAt } from "./printf_error.ts";

/** The binding of a buffer. */
export interface BindingPlace {
  /** The number of `@group`. */
  readonly group: number;
  /** The number of `@binding`. */
  readonly binding: number;
}

/** The binding of the ring. */
export interface RingPlace extends BindingPlace {
  /** Whether the author's variables use the same group. */
  readonly isGroupShared: boolean;
}

/** The number of groups on every device. */
const GROUP_COUNT = 4;

/** The bindings of the author's variables; numbers are `undefined` if only a compiler knows them. */
export function declaredPlaces(text: WgslText): {
  readonly group: number | undefined;
  readonly binding: number | undefined;
  readonly name: Token;
}[] {
  return text.declarations.variables.flatMap((variable) => {
    const group = attributeNumber(text, variable, "group");
    const binding = attributeNumber(text, variable, "binding");
    return group === "none" || binding === "none" ? [] : [{ group, binding, name: variable.name }];
  });
}

function attributeNumber(text: WgslText, { attributes }: TypedName, wanted: string) {
  const attribute = attributes.find(({ name }) => name === wanted);
  if (!attribute) return "none";
  const scope = { tokens: text.tokens, declarations: text.declarations };
  const value = valueOf(scope, plainText(text.tokens, attribute.args));
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}

/**
 * Chooses the ring's binding: in a group of its own, after the author's, if one is free; else after the
 * last binding of the last group.
 *
 * @throws {PrintfError} when the requested place is taken, or no place can be computed
 * @throws {RangeError} when a number is not an index
 */
export function ringBinding(text: WgslText, wanted: Partial<BindingPlace>): RingPlace {
  checkOptionNames("place the ring", wanted, ["group", "binding"]);
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined || (Number.isInteger(value) && value >= 0)) continue;
    throw new RangeError(
      `Cannot place the ring as ${name} must be an integer from 0: current value is ${value}`,
    );
  }
  const taken = declaredPlaces(text);
  const unknown = taken.find(({ group, binding }) => group === undefined || binding === undefined);
  if (unknown && (wanted.group === undefined || wanted.binding === undefined)) {
    refuseAt(
      text,
      unknown.name,
      `the group and binding of ${unknown.name.text} are no plain numbers: name a free place for the ring by the options group and binding`,
    );
  }
  const groups = taken.map(({ group }) => group ?? 0);
  const group = wanted.group ?? freeGroup(groups);
  const bindings = taken.filter((one) => one.group === group).map((one) => one.binding ?? 0);
  const binding = wanted.binding ?? Math.max(-1, ...bindings) + 1;
  const other = taken.find((one) => one.group === group && one.binding === binding);
  if (!other) return { group, binding, isGroupShared: bindings.length > 0 };
  return refuseAt(
    text,
    other.name,
    `the options bind the ring where ${other.name.text} is, at @group(${group}) @binding(${binding}): choose another place`,
  );
}

function freeGroup(groups: readonly number[]): number {
  const behind = Math.max(-1, ...groups) + 1;
  if (behind < GROUP_COUNT) return behind;
  const isTaken = Array.from({ length: GROUP_COUNT }, (_, group) => groups.includes(group));
  return isTaken.includes(false) ? isTaken.indexOf(false) : GROUP_COUNT - 1;
}
