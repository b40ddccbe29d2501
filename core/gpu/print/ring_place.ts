import { checkOptionNames } from "../../text/nearest.ts";
import { Types } from "../text/inference.ts";
import type { Module } from "../text/module.ts";
import type { Variable } from "../text/syntax.ts";
import { PrintFault } from "./print_arguments.ts";

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
export function declaredPlaces(module: Module): {
  readonly group: number | undefined;
  readonly binding: number | undefined;
  readonly variable: Variable;
}[] {
  const types = new Types(module);
  const numberOf = ({ attributes }: Variable, wanted: string) => {
    const [arg] = attributes.find(({ name }) => name === wanted)?.args ?? [];
    if (!arg) return "none";
    const value = types.value(arg);
    return Number.isInteger(value) && value >= 0 ? value : undefined;
  };
  return module.variables.flatMap((variable) => {
    const [group, binding] = ["group", "binding"].map((name) => numberOf(variable, name));
    return group === "none" || binding === "none" ? [] : [{ group, binding, variable }];
  });
}

/**
 * Chooses the ring's binding: in a group of its own, after the author's, if one is free; else after the
 * last binding of the last group.
 *
 * @throws {PrintFault} when the requested place is taken, or no place can be computed
 * @throws {RangeError} when a number is not an index
 */
export function ringBinding(module: Module, wanted: Partial<BindingPlace>): RingPlace {
  checkOptionNames("place the ring", wanted, ["group", "binding"]);
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined || (Number.isInteger(value) && value >= 0)) continue;
    throw new RangeError(
      `Cannot place the ring as ${name} must be an integer from 0: current value is ${value}`,
    );
  }
  const taken = declaredPlaces(module);
  const unknown = taken.find(({ group, binding }) => group === undefined || binding === undefined);
  if (unknown && (wanted.group === undefined || wanted.binding === undefined)) {
    const { name, nameStart } = unknown.variable;
    throw new PrintFault(
      nameStart,
      `the group and binding of ${name} are no plain numbers: name a free place for the ring by the options group and binding`,
    );
  }
  const groups = taken.map(({ group }) => group ?? 0);
  const group = wanted.group ?? freeGroup(groups);
  const bindings = taken.filter((one) => one.group === group).map((one) => one.binding ?? 0);
  const binding = wanted.binding ?? Math.max(-1, ...bindings) + 1;
  const other = taken.find((one) => one.group === group && one.binding === binding);
  if (!other) return { group, binding, isGroupShared: bindings.length > 0 };
  const { name, nameStart } = other.variable;
  throw new PrintFault(
    nameStart,
    `the options bind the ring where ${name} is, at @group(${group}) @binding(${binding}): choose another place`,
  );
}

function freeGroup(groups: readonly number[]): number {
  const behind = Math.max(-1, ...groups) + 1;
  if (behind < GROUP_COUNT) return behind;
  const isTaken = Array.from({ length: GROUP_COUNT }, (_, group) => groups.includes(group));
  return isTaken.includes(false) ? isTaken.indexOf(false) : GROUP_COUNT - 1;
}
