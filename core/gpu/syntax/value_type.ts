import type { Declarations } from "./declarations.ts";
import { closingOf, listParts, plainText, type Token, type TokenRange } from "./tokens.ts";

/** Scalars of 32 bits. */
export type ScalarName = "f32" | "i32" | "u32";

/** A type: `vec3f` and `vec3<f32>` are both `vec3` of `f32`. */
export interface ValueType {
  readonly name: string;
  readonly args: readonly ValueType[];
  /** The name used in a template list: some compilers treat an array of an alias as a separate type. */
  readonly alias?: string;
}

/** A module, and the function in which an expression stands. */
export interface Scope {
  readonly tokens: readonly Token[];
  readonly declarations: Declarations;
  /** Names whose declarations are being followed, to detect cycles. */
  readonly followed?: readonly Token[];
}

const SUFFIXES: Readonly<Record<string, string>> = { f: "f32", i: "i32", u: "u32", h: "f16" };

/** The type of a name without a list: `vec3f` and the like have one. */
export function shortType(text: string): ValueType {
  const [, shape, suffix = ""] = /^(vec[2-4]|mat[2-4]x[2-4])([fiuh])$/.exec(text) ?? [];
  return { name: shape ?? text, args: shape ? [{ name: SUFFIXES[suffix]!, args: [] }] : [] };
}

/** The type that some tokens name, with aliases resolved; each alias is followed once. */
export function namedType(
  scope: Scope,
  { start, end }: TokenRange,
  seen: readonly string[] = [],
): ValueType {
  const { tokens, declarations } = scope;
  const name = tokens[start]?.text ?? "";
  const alias = declarations.aliases.get(name);
  if (alias && !seen.includes(name)) return namedType(scope, alias, [...seen, name]);
  const short = shortType(name);
  if (short.args.length > 0) return short;
  const isTemplate = start + 1 < end && tokens[start + 1]!.kind === "template";
  if (!isTemplate && end > start + 1) {
    return { name: plainText(tokens, { start, end }), args: [] };
  }
  const list = { start: start + 2, end: isTemplate ? closingOf(tokens, start + 1) : 0 };
  const args = isTemplate ? listParts(tokens, list) : [];
  return { name, args: args.map((arg) => argumentType(scope, arg, seen)) };
}

function argumentType(scope: Scope, range: TokenRange, seen: readonly string[]): ValueType {
  const type = namedType(scope, range, seen);
  const alias = scope.tokens[range.start]?.text ?? "";
  return scope.declarations.aliases.has(alias) ? { ...type, alias } : type;
}

/** A type as WGSL writes it. */
export function typeText({ name, args, alias }: ValueType): string {
  if (alias !== undefined) return alias;
  return args.length === 0 ? name : `${name}<${args.map(typeText).join(", ")}>`;
}

/** The type of `.name` after a value. */
export function memberType(scope: Scope, type: ValueType, member: string): ValueType | undefined {
  if (type.name.startsWith("vec") && /^(?:[xyzw]{1,4}|[rgba]{1,4})$/.test(member)) {
    const [scalar] = type.args;
    return member.length === 1 ? scalar : { name: `vec${member.length}`, args: type.args };
  }
  const found = scope.declarations.structs.get(type.name)
    ?.find(({ name }) => name.text === member);
  return found ? namedType(scope, found.type) : resultMember(type, member);
}

/** The type of a member of a built-in result type without a name. */
function resultMember({ name, args: [value] }: ValueType, member: string): ValueType | undefined {
  if (!/^(?:frexp|modf|atomicCompareExchangeWeak)$/.test(name)) return undefined;
  if (member === "exchanged") return { name: "bool", args: [] };
  if (member !== "exp") return value;
  const exponent = { name: "i32", args: [] };
  return value!.args.length > 0 ? { name: value!.name, args: [exponent] } : exponent;
}

/** The type of `[...]` after a value. */
export function elementType({ name, args }: ValueType): ValueType | undefined {
  const columns = /^mat[2-4]x([2-4])$/.exec(name)?.[1];
  if (columns) return { name: `vec${columns}`, args };
  return name === "array" || name.startsWith("vec") ? args[0] : undefined;
}
