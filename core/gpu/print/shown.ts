import {
  type Conversion,
  type FormatPiece,
  joinTexts,
  LETTER_OF_SCALAR,
  type NumberType,
} from "../../text/conversion.ts";
import type { Types } from "../text/inference.ts";
import { plain, type Type, typeText } from "../text/value_type.ts";

/** A number in a value: what follows the value's name, such as `.at[2].x`, and its scalar. */
export interface ValuePart {
  readonly path: string;
  readonly scalar: NumberType | "f16";
}

/** How a value is shown: what its numbers are printed by, and where they are. */
export interface ShownValue {
  readonly pieces: readonly FormatPiece[];
  readonly parts: readonly ValuePart[];
  /** Of an array whose length is known when it runs: its first elements, and their type. */
  readonly first?: { readonly text: string; readonly type: Type };
}

/** Why a value cannot be shown, and what to do. */
export interface Unshown {
  readonly reason: string;
}

const ELEMENTS_MAX = 32;
const OPEN_ELEMENTS = 16;
/** Numbers of a value; each is a store in the generated code. */
const PARTS_MAX = 256;

/** The size of a vector and the type of its components; 1 and the type itself otherwise. */
export function vectorOf(type: Type): { readonly size: 1 | 2 | 3 | 4; readonly scalar: string } {
  const size = Number(/^vec([2-4])$/.exec(type.name)?.[1] ?? 1) as 1 | 2 | 3 | 4;
  return { size, scalar: size === 1 ? type.name : type.args[0]?.name ?? "" };
}

/** The conversion's scalar of a type: f16 is shown as the f32 of the same value. */
export function numberOf(scalar: string): NumberType | undefined {
  if (scalar === "f16") return "f32";
  return Object.hasOwn(LETTER_OF_SCALAR, scalar) ? scalar as NumberType : undefined;
}

/** The parts of a number or vector. */
export function vectorParts(type: Type, path = ""): ValuePart[] {
  const { size, scalar } = vectorOf(type);
  const components = size === 1 ? [""] : [..."xyzw"].slice(0, size).map((name) => `.${name}`);
  return components.map((one) => ({ path: path + one, scalar: scalar as ValuePart["scalar"] }));
}

/** What is known of a value after some of its parts. */
class Showing {
  readonly pieces: FormatPiece[] = [];
  readonly parts: ValuePart[] = [];
  readonly #types: Types;
  readonly #conversion: Conversion;

  constructor(types: Types, conversion: Conversion) {
    this.#types = types;
    this.#conversion = conversion;
  }

  /** Adds a part, or says what keeps it from that. */
  add(type: Type, path: string): string | undefined {
    const { name, args: [element, length] } = type;
    if (this.parts.length > PARTS_MAX) return undefined;
    if (this.#addNumber(type, path)) return undefined;
    const [, columns, rows] = /^mat([2-4])x([2-4])$/.exec(name) ?? [];
    if (columns) {
      const column = plain(`vec${rows}`, ...type.args);
      return this.#list(Number(columns), column, { path, brackets: "()" });
    }
    if (name !== "array") return this.#members(type, path);
    const count = Number(length?.name ?? NaN);
    if (!Number.isInteger(count)) {
      const [when, also] = length ? ["a pipeline is made", ""] : ["it runs", ", and arrayLength()"];
      return `its length is known when ${when}: print elements${also}`;
    }
    const rest = count > ELEMENTS_MAX ? `, and ${count - ELEMENTS_MAX} more` : "";
    return this.#list(Math.min(count, ELEMENTS_MAX), element!, { path, brackets: `[${rest}]` });
  }

  /** Adds a number or vector, if it is one. */
  #addNumber(type: Type, path: string): boolean {
    const { size, scalar } = vectorOf(type);
    const number = numberOf(scalar);
    if (!number) return false;
    const conversion = this.#conversion;
    const letter = LETTER_OF_SCALAR[number];
    // The digits are those of fractions: 7 is no 007.
    const isPrecise = number === "f32" || conversion.precision === "*";
    this.pieces.push({ ...conversion, ...!isPrecise && { precision: undefined }, size, letter });
    this.parts.push(...vectorParts(type, path));
    return true;
  }

  #list(
    count: number,
    type: Type,
    { path, brackets }: { readonly path: string; readonly brackets: string },
  ): string | undefined {
    this.pieces.push(brackets[0]!);
    for (let index = 0; index < count; index++) {
      if (index > 0) this.pieces.push(", ");
      const problem = this.add(type, `${path}[${index}]`);
      if (problem) return problem;
    }
    this.pieces.push(brackets.slice(1));
    return undefined;
  }

  #members(type: Type, path: string): string | undefined {
    const { name } = type;
    if (name === "atomic") return `${path} is atomic: load it, by atomicLoad()`;
    if (/^(?:frexp|modf|atomicCompareExchangeWeak)$/.test(name)) {
      return `the result of ${name}() has a type without a name: print its members`;
    }
    const isNested = path.split(".").length > 16; // a struct that holds itself
    const members = isNested ? undefined : this.#types.members(type);
    if (!members) return `${typeText(type)} holds no value that can be shown`;
    this.pieces.push(`${name} { `);
    for (const [index, member] of members.entries()) {
      this.pieces.push(`${index > 0 ? ", " : ""}${member.name}: `);
      const problem = this.add(member.type, `${path}.${member.name}`);
      if (problem) return problem;
    }
    this.pieces.push(" }");
    return undefined;
  }
}

/**
 * Resolves `%v` for a value of a concrete type: numbers and vectors are shown as by their own conversions,
 * matrices by their columns, arrays by their elements, structs by the names of their members.
 *
 * @param conversion with flags and width for each number, and precision for each float
 */
export function showValue(types: Types, whole: Type, conversion: Conversion): ShownValue | Unshown {
  const showing = new Showing(types, conversion);
  const reason = showing.add(whole, "");
  if (reason) return { reason };
  const { pieces, parts } = showing;
  if (parts.length > PARTS_MAX) {
    return { reason: `it has more than ${PARTS_MAX} numbers: print parts of it` };
  }
  return { pieces: joinTexts(pieces), parts };
}

/** Resolves `%v` for an array whose length is known when it runs; `written` is how the shader names it. */
export function showOpenArray(
  types: Types,
  element: Type,
  { written, conversion }: { readonly written: string; readonly conversion: Conversion },
): ShownValue | Unshown {
  const isAtomic = element.name === "atomic";
  const held = isAtomic ? element.args[0]! : element;
  const shown = showValue(types, held, conversion);
  if ("reason" in shown) return shown;
  const countMax = Math.min(OPEN_ELEMENTS, Math.floor(PARTS_MAX / shown.parts.length));
  const paths = Array.from({ length: countMax }, (_, at) => `[${at}]`);
  const type = plain("array", held, plain(`${countMax}`));
  const values = paths.map((path) => isAtomic ? `atomicLoad(&${written}${path})` : written + path);
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
