import {
  type Conversion,
  type FormatPiece,
  joinTexts,
  LETTER_OF_SCALAR,
  type NumberType,
} from "../../text/conversion.ts";
import { valueOf } from "../syntax/type_layout.ts";
import { namedType, type Scope, typeText, type ValueType } from "../syntax/value_type.ts";

/** A number in a value. */
export interface ValuePart {
  /** What follows the value's name, such as `.at[2].x`; empty if the value is a number itself. */
  readonly path: string;
  readonly scalar: NumberType | "f16";
}

/** How a value is shown: what its numbers are printed by, and where they are. */
export interface ShownValue {
  readonly pieces: readonly FormatPiece[];
  readonly parts: readonly ValuePart[];
  /** Of an array whose length is known when it runs: its first elements, and their type. */
  readonly first?: { readonly text: string; readonly type: ValueType };
}

/** Why a value cannot be shown, and what to do. */
export interface Unshown {
  readonly reason: string;
}

/** Elements of an array that are shown. */
const ELEMENTS_MAX = 32;
/** Numbers of a value; each is a store in the generated code. */
const PARTS_MAX = 256;

/** The size of a vector and the type of its components; 1 and the type itself otherwise. */
export function vectorOf(
  type: ValueType,
): { readonly size: 1 | 2 | 3 | 4; readonly scalar: string } {
  const size = Number(/^vec([2-4])$/.exec(type.name)?.[1] ?? 1) as 1 | 2 | 3 | 4;
  return { size, scalar: size === 1 ? type.name : type.args[0]?.name ?? "" };
}

/** The conversion's scalar of a type: f16 is shown as the f32 of the same value. */
export function numberOf(scalar: string): NumberType | undefined {
  if (scalar === "f16") return "f32";
  return Object.hasOwn(LETTER_OF_SCALAR, scalar) ? scalar as NumberType : undefined;
}

/** The parts of a number or vector. */
export function vectorParts(type: ValueType, path = ""): ValuePart[] {
  const { size, scalar } = vectorOf(type);
  const components = size === 1 ? [""] : [..."xyzw"].slice(0, size).map((name) => `.${name}`);
  return components.map((component) => ({
    path: path + component,
    scalar: scalar as ValuePart["scalar"],
  }));
}

/**
 * Resolves `%v` for a value of a concrete type: numbers and vectors are shown as by their own
 * conversions, matrices by their columns, arrays by their elements, structs by the names of their
 * members.
 *
 * @param conversion with flags and width for each number, and precision for each float
 */
export function showValue(
  scope: Scope,
  type: ValueType,
  conversion: Conversion,
): ShownValue | Unshown {
  const pieces: FormatPiece[] = [];
  const parts: ValuePart[] = [];
  const problem = add({ scope, conversion, pieces, parts }, type, "");
  if (problem) return { reason: problem };
  if (parts.length > PARTS_MAX) {
    return { reason: `it has more than ${PARTS_MAX} numbers: print parts of it` };
  }
  return { pieces: joinTexts(pieces), parts };
}

interface Showing {
  readonly scope: Scope;
  readonly conversion: Conversion;
  readonly pieces: FormatPiece[];
  readonly parts: ValuePart[];
}

/** Adds a value to what is shown, or says what keeps it from that. */
function add(showing: Showing, type: ValueType, path: string): string | undefined {
  const { scope, conversion, pieces, parts } = showing;
  const { name, args: [element, length] } = type;
  if (parts.length > PARTS_MAX) return undefined;
  const { size, scalar } = vectorOf(type);
  const number = numberOf(scalar);
  if (number) {
    const letter = LETTER_OF_SCALAR[number];
    // The digits are those of fractions: 7 is no 007.
    const isPrecise = number === "f32" || conversion.precision === "*";
    pieces.push({ ...conversion, ...!isPrecise && { precision: undefined }, size, letter });
    parts.push(...vectorParts(type, path));
    return undefined;
  }
  const columns = /^mat([2-4])x([2-4])$/.exec(name);
  if (columns) {
    const column = { name: `vec${columns[2]}`, args: type.args };
    const types = Array.from({ length: Number(columns[1]) }, () => column);
    return addList(showing, types, { path, brackets: "()" });
  }
  if (name === "array") {
    const count = length ? valueOf(scope, length.name) : NaN;
    if (!Number.isInteger(count)) return unsized(length !== undefined);
    const types = Array.from({ length: Math.min(count, ELEMENTS_MAX) }, () => element!);
    const rest = count > ELEMENTS_MAX ? `, and ${count - ELEMENTS_MAX} more` : "";
    return addList(showing, types, { path, brackets: `[${rest}]` });
  }
  return addMembers(showing, type, path);
}

function unsized(hasLength: boolean): string {
  const [when, count] = hasLength ? ["a pipeline is made", ""] : ["it runs", ", and arrayLength()"];
  return `its length is known when ${when}: print elements${count}`;
}

function addList(
  showing: Showing,
  types: readonly ValueType[],
  { path, brackets }: { readonly path: string; readonly brackets: string },
): string | undefined {
  showing.pieces.push(brackets[0]!);
  for (const [index, type] of types.entries()) {
    if (index > 0) showing.pieces.push(", ");
    const problem = add(showing, type, `${path}[${index}]`);
    if (problem) return problem;
  }
  showing.pieces.push(brackets.slice(1));
  return undefined;
}

function addMembers(showing: Showing, { name, args }: ValueType, path: string): string | undefined {
  const { scope: { declarations }, pieces } = showing;
  const members = declarations.structs.get(name);
  const isNested = path.split(".").length > 16; // a struct that holds itself
  if (!members || isNested) {
    if (name === "atomic") return `${path} is atomic: load it, by atomicLoad()`;
    if (/^(?:frexp|modf|atomicCompareExchangeWeak)$/.test(name)) {
      return `the result of ${name}() has a type without a name: print its members`;
    }
    return `${typeText({ name, args })} holds no value that can be shown`;
  }
  const moduleScope = { tokens: declarations.tokens, declarations };
  pieces.push(`${name} { `);
  for (const [index, member] of members.entries()) {
    pieces.push(`${index > 0 ? ", " : ""}${member.name.text}: `);
    const type = namedType(moduleScope, member.type);
    const problem = add(showing, type, `${path}.${member.name.text}`);
    if (problem) return problem;
  }
  pieces.push(" }");
  return undefined;
}

/** Elements of an array of unknown length that are handed over. */
const OPEN_ELEMENTS = 16;

/**
 * Resolves `%v` for an array whose length is known when it runs.
 *
 * @param written how the shader names it
 */
export function showOpenArray(
  scope: Scope,
  element: ValueType,
  { written, conversion }: { readonly written: string; readonly conversion: Conversion },
): ShownValue | Unshown {
  const [held = element, load = ""] = element.name === "atomic"
    ? [element.args[0], "atomicLoad(&"]
    : [];
  const shown = showValue(scope, held, conversion);
  if ("reason" in shown) return shown;
  const countMax = Math.min(OPEN_ELEMENTS, Math.floor(PARTS_MAX / shown.parts.length));
  const paths = Array.from({ length: countMax }, (_, at) => `[${at}]`);
  const type = { name: "array", args: [held, { name: `${countMax}`, args: [] }] };
  const values = paths.map((path) => load + written + path + (load && ")"));
  return {
    pieces: [{ ...conversion, elements: { pieces: shown.pieces, countMax } }],
    parts: paths.flatMap((at) => shown.parts.map((part) => ({ ...part, path: at + part.path }))),
    first: { type, text: `${typeText(type)}(${values.join(", ")})` },
  };
}

/** The WGSL of a part's word. */
export function wordOf({ path, scalar }: ValuePart, name: string): string {
  const value = `${name}${path}`;
  if (scalar === "bool") return `select(0u, 1u, ${value})`;
  return scalar === "f16" ? `bitcast<u32>(f32(${value}))` : `bitcast<u32>(${value})`;
}
