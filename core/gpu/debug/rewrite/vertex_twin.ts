import { hasAttribute } from "../../printf/entry_points.ts";
import type { Attribute, FunctionDeclaration, TypedName } from "../../syntax/declarations.ts";
import { inOneLine } from "./debug_rewrite.ts";
import { freePrefix } from "../../syntax/tokens.ts";
import { namedType, typeText, type ValueType } from "../../syntax/value_type.ts";
import type { WgslText } from "../../syntax/wgsl_text.ts";

/** A vertex stage that can run as compute, for one vertex. */
export interface VertexTwin {
  /** The author's vertex entry point. */
  readonly name: string;
  /** The function that is a copy of it. */
  readonly copyName: string;
  /** The compute entry point. */
  readonly entryName: string;
  /** What it takes, by location. */
  readonly attributes: readonly VertexAttribute[];
}

/** An attribute of a vertex. */
export interface VertexAttribute {
  readonly name: string;
  readonly location: number;
  /** The scalar of its components. */
  readonly scalar: string;
  readonly componentCount: number;
}

/** A part of a text that was copied behind it. */
interface CopiedPart {
  /** Where it begins in the extended text. */
  readonly start: number;
  readonly length: number;
  /** Where it begins in the author's text. */
  readonly from: number;
}

/** A text, followed by the compute twins of its vertex stages. */
export interface TwinnedText {
  readonly source: string;
  readonly twins: readonly VertexTwin[];
  /** Maps a character to the author's text. */
  readonly authorIndex: (index: number) => number;
}

/** Locations of vertex attributes on every device. */
export const LOCATION_COUNT = 30;
/** The words of the pick before attributes: the invocation, and the vertex. */
export const PICK_HEAD_WORDS = 8;
/** The words of the pick: what is traced, and one vertex. */
export const PICK_WORDS = PICK_HEAD_WORDS + LOCATION_COUNT * 4;

/**
 * Appends a copy of each vertex stage that runs as compute: a vertex stage cannot write to storage
 * buffers, and its copy can.
 */
export function withVertexTwins(text: WgslText, pick: string): TwinnedText {
  const { source, tokens, declarations } = text;
  const prefix = freePrefix(tokens, "twin_");
  const parts: CopiedPart[] = [];
  let extended = source;
  const add = (written: string, from?: number) => {
    if (from !== undefined) parts.push({ start: extended.length, length: written.length, from });
    extended += written;
  };
  const twins = declarations.functions.filter((one) => hasAttribute(one, "vertex")).map((one) => {
    const { name, parameters, result, body } = one;
    const copyName = `${prefix}${name.text}`;
    const entryName = `${prefix}compute_${name.text}`;
    const inputs = inputsOf(text, one, pick);
    add("\nfn ");
    add(copyName, name.index);
    parameters.forEach(({ name: { text: parameter, index } }, at) => {
      add(at === 0 ? "(" : ", ");
      add(parameter, index);
      add(`: ${inputs[at]!.type}`);
    });
    add(`${parameters.length === 0 ? "(" : ""}) -> ${inOneLine(text, result)} `);
    const start = tokens[body.start - 1]!.index;
    add(source.slice(start, (tokens[body.end]?.index ?? source.length - 1) + 1), start);
    const values = inputs.map(({ value }) => value).join(", ");
    add(`\n@compute @workgroup_size(1) fn ${entryName}() { _ = ${copyName}(${values}); }`);
    return { name: name.text, copyName, entryName, attributes: attributesOf(text, one) };
  });
  const authorIndex = (index: number) => {
    const part = parts.find(({ start, length }) => index >= start && index < start + length);
    return part ? part.from + index - part.start : Math.min(index, source.length);
  };
  return { source: extended, twins, authorIndex };
}

/** The parameters of a vertex stage, and the members of those that are structs. */
function leavesOf(text: WgslText, { parameters }: FunctionDeclaration): readonly TypedName[] {
  return parameters.flatMap((one) =>
    text.declarations.structs.get(namedType(text, one.type).name) ?? [one]
  );
}

function attributesOf(text: WgslText, one: FunctionDeclaration): VertexAttribute[] {
  return leavesOf(text, one).flatMap((leaf) => {
    const location = numberOf(text, leaf.attributes, "location");
    if (location === undefined) return [];
    const { name, args } = namedType(text, leaf.type);
    const componentCount = Number(/^vec([234])$/.exec(name)?.[1] ?? 1);
    return [{ name: leaf.name.text, location, scalar: args[0]?.name ?? name, componentCount }];
  });
}

/** The type and value of each parameter of a vertex stage. */
function inputsOf(text: WgslText, { parameters }: FunctionDeclaration, pick: string) {
  return parameters.map((parameter) => {
    const type = namedType(text, parameter.type);
    const members = text.declarations.structs.get(type.name);
    const value = members
      ? `${type.name}(${members.map((member) => inputOf(text, member, pick)).join(", ")})`
      : inputOf(text, parameter, pick);
    return { type: typeText(type), value };
  });
}

function inputOf(text: WgslText, { attributes, type: range }: TypedName, pick: string): string {
  const type = namedType(text, range);
  const builtin = attributes.find(({ name }) => name === "builtin");
  const named = builtin && text.textOf(builtin.args);
  if (named === "vertex_index") return `${pick}[1].x`;
  if (named === "instance_index") return `${pick}[1].y`;
  const location = numberOf(text, attributes, "location");
  return location === undefined ? `${typeText(type)}()` : wordsAs(type, `${pick}[${2 + location}]`);
}

function wordsAs({ name, args }: ValueType, words: string): string {
  const size = /^vec([234])$/.exec(name)?.[1];
  const part = `${words}.${"xyzw".slice(0, Number(size ?? 1))}`;
  const scalar = args[0]?.name ?? name;
  const as = (one: string) => size ? `vec${size}<${one}>` : one;
  if (scalar === "u32") return part;
  return scalar === "f16"
    ? `${as("f16")}(bitcast<${as("f32")}>(${part}))`
    : `bitcast<${as(scalar)}>(${part})`;
}

function numberOf(text: WgslText, attributes: readonly Attribute[], wanted: string) {
  const found = attributes.find(({ name }) => name === wanted);
  const number = found && parseInt(text.textOf(found.args));
  return Number.isInteger(number) ? number : undefined;
}
