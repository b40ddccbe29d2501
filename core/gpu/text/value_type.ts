import type { Expression } from "./syntax.ts";

/** A type: `vec3f` and `vec3<f32>` are both `vec3` of `f32`. A length of an array is a type, too. */
export interface Type {
  readonly name: string;
  readonly args: readonly Type[];
  /** Of a length: its expression, where its value is not known. */
  readonly length?: Expression;
  /** The name used in a template list: some compilers treat an array of an alias as a separate type. */
  readonly alias?: string;
}

/** A type of this name, with this template list. */
export function plain(name: string, ...args: readonly Type[]): Type {
  return { name, args };
}

export const BOOL: Type = plain("bool");
/** Operators that compare, and give bools. */
export const COMPARES: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">="]);
/** Scalars by the suffix of a number, and of the short name of a vector. */
export const SUFFIXES: Readonly<Record<string, string>> = {
  f: "f32",
  i: "i32",
  u: "u32",
  h: "f16",
};
/** The names that every kernel has without a declaration. */
export const RUNTIME_NAMES: ReadonlyMap<string, Type> = new Map([
  ["lane_index", plain("u32")],
  ["wave_index", plain("u32")],
]);

/** A type as WGSL writes it. */
export function typeText({ name, args, alias }: Type): string {
  return alias ?? (args.length === 0 ? name : `${name}<${args.map(typeText).join(", ")}>`);
}

/** Makes an abstract type concrete: `int` becomes i32, and `float` f32. */
export function concrete(type: Type): Type {
  const { name, args } = type;
  return {
    ...type,
    name: name === "int" ? "i32" : name === "float" ? "f32" : name,
    args: args.map(concrete),
  };
}

/** Dereferences a pointer, as `.` and `[` do. */
export function behind(type: Type | undefined): Type | undefined {
  return type?.name === "ptr" ? type.args[1] : type;
}

/** Whether it is a vector, by whatever components. */
export function isVector({ name }: Type): boolean {
  return /^vec[2-4]$/.test(name);
}

/** What an index of a value gives: an element, component or column. */
export function elementOf(type: Type): Type | undefined {
  const { name, args } = type;
  const columns = /^mat[2-4]x([2-4])$/.exec(name)?.[1];
  if (columns) return plain(`vec${columns}`, ...args);
  return name === "array" || isVector(type) ? args[0] : undefined;
}

/** Converts a type where floats are required. */
export function floating({ name, args }: Type): Type {
  return { name: name === "int" ? "float" : name, args: args.map(floating) };
}

/** A vector and a number give a vector, and a number without a suffix takes the other type. */
export function unified(left: Type, right: Type): Type {
  const [one, other] = [left.args[0] ?? left, right.args[0] ?? right];
  const isOne = !/^(?:int|float)$/.test(one.name) || (one.name === "float" && other.name === "int");
  const component = isOne ? one : other;
  const shape = left.args.length > 0 ? left : right;
  return shape.args.length === 0
    ? component
    : { name: shape.name, args: [component, ...shape.args.slice(1)] };
}
