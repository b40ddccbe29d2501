/** What a type takes in memory. */
interface TypeLayout {
  readonly sizeBytes: number;
  /** It begins at a multiple of this. */
  readonly alignBytes: number;
}

const SCALAR_BYTES: Readonly<Record<string, number>> = { u32: 4, i32: 4, f32: 4, f16: 2 };

/**
 * The bytes that a WGSL struct takes in memory, from its text, by the rules of "Alignment and Size"
 * in the WGSL specification.
 *
 * Fields may be scalars, vectors, matrices, arrays of a fixed length, and structs and aliases of the
 * same text. A length is an expression of integers and of constants (`const`) of the same text.
 *
 * @param source code without comments
 * @throws {TypeError} when a field's type is none of these
 *
 * @example
 * ```ts
 * import { structBytes } from "./frame_bytes.ts";
 * const bytes = structBytes("struct Frame { sum: u32, at: vec3f }", "Frame");
 * if (bytes !== 32) throw new Error("a vec3f begins at 16");
 * ```
 */
export function structBytes(source: string, name: string): number {
  return structLayout(source, name).sizeBytes;
}

const NAME = /^[_\p{XID_Start}]\p{XID_Continue}*$/u;

function structLayout(source: string, name: string): TypeLayout {
  const alias = new RegExp(`\\balias\\s+${name}\\s*=([^;]+);`).exec(source);
  if (alias) return layoutOf(without(source, alias), alias[1]!.trim());
  const struct = new RegExp(`\\bstruct\\s+${name}\\s*\\{([^}]*)\\}`).exec(source);
  if (!struct) throw unknownType(name);
  const rest = without(source, struct);
  let [sizeBytes, alignMax] = [0, 1];
  for (const field of splitFields(struct[1]!).map((text) => fieldLayout(rest, text))) {
    sizeBytes = alignUp(sizeBytes, field.alignBytes) + field.sizeBytes;
    alignMax = Math.max(alignMax, field.alignBytes);
  }
  return { sizeBytes: alignUp(sizeBytes, alignMax), alignBytes: alignMax };
}

/** A field may ask for more than its type needs. */
function fieldLayout(source: string, text: string): TypeLayout {
  const colon = text.indexOf(":");
  const { sizeBytes, alignBytes } = layoutOf(source, text.slice(colon + 1).trim());
  const asked = (name: string) => {
    const [, value] = new RegExp(`@${name}\\s*\\(([^)]*)\\)`).exec(text.slice(0, colon)) ?? [];
    return value === undefined ? 0 : lengthOf(source, value);
  };
  return {
    sizeBytes: Math.max(sizeBytes, asked("size")),
    alignBytes: Math.max(alignBytes, asked("align")),
  };
}

/** The text without a declaration, so that one that refers to itself is not followed for ever. */
function without(source: string, { 0: text, index }: RegExpExecArray): string {
  return source.slice(0, index) + source.slice(index + text.length);
}

/** `vec3` begins where `vec4` does. */
function vectorLayout(size: number, scalarBytes: number): TypeLayout {
  return { sizeBytes: size * scalarBytes, alignBytes: (size === 2 ? 2 : 4) * scalarBytes };
}

function scalarBytesOf(suffix: string): number {
  return suffix === "h" || suffix.includes("f16") ? 2 : 4;
}

function arrayLayout({ sizeBytes, alignBytes }: TypeLayout, length: number): TypeLayout {
  return { sizeBytes: alignUp(sizeBytes, alignBytes) * length, alignBytes };
}

function layoutOf(source: string, type: string): TypeLayout {
  const scalar = SCALAR_BYTES[type];
  if (scalar !== undefined) return { sizeBytes: scalar, alignBytes: scalar };
  const vector = /^vec([234])([iufh]|<\s*\w+\s*>)$/.exec(type);
  if (vector) return vectorLayout(Number(vector[1]), scalarBytesOf(vector[2]!));
  const matrix = /^mat([234])x([234])([fh]|<\s*\w+\s*>)$/.exec(type);
  if (matrix) {
    const column = vectorLayout(Number(matrix[2]), scalarBytesOf(matrix[3]!));
    return arrayLayout(column, Number(matrix[1]));
  }
  const array = /^array\s*<(.*),\s*([^,\s][^,]*?)\s*,?\s*>$/s.exec(type);
  if (array) return arrayLayout(layoutOf(source, array[1]!.trim()), lengthOf(source, array[2]!));
  if (NAME.test(type)) return structLayout(source, type);
  throw unknownType(type);
}

function lengthOf(source: string, expression: string): number {
  const value = valueOf(source, expression);
  if (Number.isInteger(value) && value >= 1) return value;
  throw unknownType(`array of ${expression}`);
}

/** The operators of WGSL by their rank: a larger one binds closer. */
const OPERATORS: readonly Readonly<Record<string, (left: number, right: number) => number>>[] = [
  { "|": (left, right) => left | right },
  { "^": (left, right) => left ^ right },
  { "&": (left, right) => left & right },
  { "<<": (left, right) => left << right, ">>": (left, right) => left >> right },
  { "+": (left, right) => left + right, "-": (left, right) => left - right },
  {
    "*": (left, right) => left * right,
    "/": (left, right) => Math.trunc(left / right),
    "%": (left, right) => left % right,
  },
];

/** The value of an expression of integers and of constants of a text without comments, or `NaN`. */
export function valueOf(source: string, expression: string): number {
  const tokens = expression.match(/\p{XID_Continue}+|<<|>>|\S/gu) ?? [];
  let next = 0;
  const operand = (): number => {
    const token = tokens[next++] ?? "";
    if (token === "-") return -operand();
    if (token === "~") return ~operand();
    if (token !== "(") return wordValue(source, token);
    const value = ranked(0);
    return tokens[next++] === ")" ? value : NaN;
  };
  const ranked = (rank: number): number => {
    const operators = OPERATORS[rank];
    if (!operators) return operand();
    let value = ranked(rank + 1);
    let operate = operators[tokens[next] ?? ""];
    while (operate) {
      next++;
      value = operate(value, ranked(rank + 1));
      operate = operators[tokens[next] ?? ""];
    }
    return value;
  };
  const value = ranked(0);
  return next === tokens.length ? value : NaN;
}

function wordValue(source: string, word: string): number {
  const literal = /^(0[xX][\da-fA-F]+|\d+)[iu]?$/.exec(word);
  if (literal) return Number(literal[1]);
  if (!NAME.test(word)) return NaN;
  const constant = new RegExp(`\\bconst\\s+${word}\\s*(?::[^=;]*)?=([^;]+);`).exec(source);
  return constant ? valueOf(without(source, constant), constant[1]!) : NaN;
}

/** Commas inside brackets do not separate fields. Inside parentheses, `<` and `>` are operators. */
function splitFields(body: string): string[] {
  const fields: string[] = [""];
  let parentheses = 0;
  let brackets = 0;
  for (const character of body) {
    parentheses += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (parentheses === 0) brackets += character === "<" ? 1 : character === ">" ? -1 : 0;
    if (character === "," && parentheses + brackets === 0) fields.push("");
    else fields[fields.length - 1] += character;
  }
  return fields.map((field) => field.trim()).filter((field) => field);
}

function alignUp(bytes: number, alignBytes: number): number {
  return Math.ceil(bytes / alignBytes) * alignBytes;
}

function unknownType(type: string): TypeError {
  return new TypeError(
    `Cannot size the frame as its fields must be numbers, vectors, matrices, fixed arrays or structs of these: current value is ${type}`,
  );
}
