import {
  memberType,
  namedType,
  type Scope,
  typeText,
  type ValueType,
} from "../../syntax/value_type.ts";

/** One word of a value in a packet. */
export interface PacketWord {
  /** What leads to it from the value: `.x`, `[2]`, `.at.y`, or nothing. */
  readonly path: string;
  readonly scalar: "u32" | "i32" | "f32" | "bool";
}

const COMPONENTS = ["x", "y", "z", "w"];

/**
 * The words that a value takes in a packet, one after the other and without gaps: components,
 * columns, elements and members in their order. `undefined` for what a packet cannot hold.
 */
export function wordsOf(
  scope: Scope,
  type: ValueType,
  depth = 0,
): readonly PacketWord[] | undefined {
  const { name } = type;
  // A struct that holds itself is no WGSL.
  if (depth > DEPTH_MAX) return undefined;
  if (name === "u32" || name === "i32" || name === "f32" || name === "bool") {
    return [{ path: "", scalar: name }];
  }
  const parts = partsOf(scope, type);
  if (parts === undefined) return undefined;
  const words: PacketWord[] = [];
  for (const part of parts) {
    const inner = part.type && wordsOf(scope, part.type, depth + 1);
    if (!inner) return undefined;
    words.push(...inner.map(({ path, scalar }) => ({ path: part.path + path, scalar })));
  }
  return words;
}

const DEPTH_MAX = 16;

interface Part {
  readonly path: string;
  readonly type: ValueType | undefined;
}

/** More elements than this do not fit anyway. */
const ELEMENTS_MAX = 64;

function partsOf(scope: Scope, { name, args }: ValueType): readonly Part[] | undefined {
  const [, vector] = /^vec([234])$/.exec(name) ?? [];
  if (vector) {
    return COMPONENTS.slice(0, Number(vector)).map((at) => ({ path: `.${at}`, type: args[0] }));
  }
  const [, columns, rows] = /^mat([234])x([234])$/.exec(name) ?? [];
  if (columns) return elements(Number(columns), { name: `vec${rows}`, args });
  const [, length] = /^(\d+)[iu]?$/.exec(args[1]?.name ?? "") ?? [];
  if (name === "array") {
    return length && Number(length) <= ELEMENTS_MAX ? elements(Number(length), args[0]) : undefined;
  }
  return scope.declarations.structs.get(name)?.map((member) => ({
    path: `.${member.name.text}`,
    type: memberType(scope, { name, args }, member.name.text) ?? namedType(scope, member.type),
  }));
}

function elements(count: number, type: ValueType | undefined): Part[] {
  return Array.from({ length: count }, (_, index) => ({ path: `[${index}]`, type }));
}

/** What stands before and behind a value, in an expression of its word as u32. */
export function aroundWord({ path, scalar }: PacketWord): readonly [string, string] {
  if (scalar === "bool") return ["select(0u, 1u, ", `${path})`];
  return scalar === "u32" ? ["", path] : ["bitcast<u32>(", `${path})`];
}

/** The value that a reply holds, as an expression of its type. */
export function replyText(scope: Scope, type: ValueType): string {
  let word = 0;
  const value = (one: ValueType): string => {
    const parts = partsOf(scope, one);
    if (parts) return `${typeText(one)}(${parts.map((part) => value(part.type!)).join(", ")})`;
    const reply = `reply(${word++}u)`;
    if (one.name === "bool") return `(${reply} != 0u)`;
    return one.name === "u32" ? reply : `bitcast<${one.name}>(${reply})`;
  };
  return value(type);
}
