import {
  type Field,
  type HandleKind,
  innerKind,
  type Parameter,
  type Result,
  type Struct,
} from "../declare/kind.ts";
import { structLayout } from "../declare/struct_layout.ts";
import type { HandleTable } from "./handle_table.ts";

export interface MadeHandle {
  readonly name: string;
  readonly handle: number;
}

/** The struct of a kind that has handles in it; none for other kinds. */
export function handleStruct(kind: Parameter | Result): Struct | undefined {
  const inner = innerKind(kind);
  const struct = inner.kind === "reference" ? inner.struct : inner;
  if (struct.kind !== "struct") return undefined;
  return structLayout(struct).fields.some(({ handle }) => handle) ? struct : undefined;
}

/** The objects whose handles came in a struct, by what the function got: the caller holds them already. */
const held = new WeakMap<object, readonly unknown[]>();

/** A copy of a struct's value, with the objects of its handles; throws as `HandleTable.get`. */
export function takeHandles(table: HandleTable, struct: Struct, value: unknown): object {
  const objects: unknown[] = [];
  const taken = mapHandles(struct, value, ({ name, isNullable }, handle) => {
    if (handle === null && isNullable) return null;
    const object = table.get(name, handle as number ?? 0);
    objects.push(object);
    return object;
  });
  held.set(taken, objects);
  return taken;
}

/** A copy of a struct's value, in which nothing was made. */
export function noHandles(struct: Struct, value: unknown): object {
  return mapHandles(struct, value, () => null);
}

/**
 * A copy of a struct's value, with handles of its objects.
 *
 * @param made gets the handles
 * @throws {TypeError} when an object is absent and its field is not nullable
 * @throws {RangeError} when there are too many handles
 */
export function giveHandles(
  table: HandleTable,
  { struct, value }: { readonly struct: Struct; readonly value: unknown },
  made: MadeHandle[],
): object {
  return mapHandles(struct, value, ({ name, isNullable }, object) => {
    const isAbsent = object === null || object === undefined;
    if (isAbsent && isNullable) return null;
    if (isAbsent) throw new TypeError(`Cannot make a handle of a ${name} as there is none`);
    const handle = table.add(name, object);
    // Of what the caller gave it has one handle, however often it comes back.
    if (held.get(value as object)?.includes(object)) table.end(name, handle);
    else made.push({ name, handle });
    return handle;
  });
}

interface HandleField {
  readonly name: string;
  readonly isNullable: boolean;
}

type MapHandle = (field: HandleField, value: unknown) => unknown;

/** A copy of a struct's value, with something else in place of each handle. */
export function mapHandles({ fields }: Struct, value: unknown, map: MapHandle): object {
  const entries = Object.entries(fields).map(([name, field]) => {
    const member = (value as Record<string, unknown> | null | undefined)?.[name];
    return [name, mapField(field, member, map)];
  });
  return Object.fromEntries(entries);
}

function mapField(field: Field, member: unknown, map: MapHandle): unknown {
  const of = innerKind(field);
  if (of.kind === "scalar" || of.kind === "string" || of.kind === "union") return member;
  if (field.kind === "struct") return mapHandles(field, member, map);
  if (field.kind === "array") {
    const members = (member ?? []) as ArrayLike<unknown>;
    return Array.from(
      { length: field.count },
      (_, index) => mapField(field.of, members[index], map),
    );
  }
  const { name } = of as HandleKind;
  return map({ name, isNullable: field.kind === "nullable" }, member);
}
