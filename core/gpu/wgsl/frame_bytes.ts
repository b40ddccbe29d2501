const SCALAR_BYTES: Readonly<Record<string, number>> = { u32: 4, i32: 4, f32: 4, f16: 4 };
/** No field of a struct needs a larger alignment than this. */
const ALIGN_BYTES = 16;

/**
 * An upper bound for the bytes that a WGSL struct takes in memory, from its text: every field is
 * counted as if it began at a multiple of 16. That is enough to allocate memory by: a shader uses the
 * exact size, which is never larger.
 *
 * Fields may be scalars, vectors, matrices, arrays of a fixed length, and structs and aliases of the
 * same text. A length is an expression of integers and of constants (`const`) of the same text.
 *
 * @param source code without comments
 * @throws {TypeError} when a field's type is none of these
 *
 * @example
 * ```ts
 * import { structBytesMax } from "./frame_bytes.ts";
 * if (structBytesMax("struct Frame { sum: u32, at: vec3f }", "Frame") < 28) throw new Error("too small");
 * ```
 */
export function structBytesMax(source: string, name: string): number {
  const alias = new RegExp(`\\balias\\s+${name}\\s*=([^;]+);`).exec(source);
  if (alias) return typeBytesMax(without(source, alias), alias[1]!.trim());
  const struct = new RegExp(`\\bstruct\\s+${name}\\s*\\{([^}]*)\\}`).exec(source);
  if (!struct) throw unknownType(name);
  const types = splitFields(struct[1]!).map((field) => field.slice(field.indexOf(":") + 1).trim());
  const rest = without(source, struct);
  return types.reduce((bytes, type) => bytes + alignUp(typeBytesMax(rest, type)), 0);
}

/** The text without a declaration, so that one that refers to itself is not followed for ever. */
function without(source: string, { 0: text, index }: RegExpExecArray): string {
  return source.slice(0, index) + source.slice(index + text.length);
}

function typeBytesMax(source: string, type: string): number {
  const scalar = SCALAR_BYTES[type];
  if (scalar !== undefined) return scalar;
  const vector = /^vec([234])(?:[iufh]|<\s*\w+\s*>)$/.exec(type);
  if (vector) return Number(vector[1]) * 4;
  const matrix = /^mat([234])x[234](?:[fh]|<\s*\w+\s*>)$/.exec(type);
  if (matrix) return Number(matrix[1]) * ALIGN_BYTES;
  const array = /^array\s*<(.*),\s*([^,\s][^,]*?)\s*,?\s*>$/s.exec(type);
  if (array) return alignUp(typeBytesMax(source, array[1]!.trim())) * lengthOf(source, array[2]!);
  if (/^\w+$/.test(type)) return structBytesMax(source, type);
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

/** The value of an expression of integers and constants; `NaN` when it is not one. */
function valueOf(source: string, expression: string): number {
  const tokens = expression.match(/\w+|<<|>>|\S/g) ?? [];
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
  if (!/^[A-Za-z_]\w*$/.test(word)) return NaN;
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

function alignUp(bytes: number): number {
  return Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;
}

function unknownType(type: string): TypeError {
  return new TypeError(
    `Cannot size the frame as its fields must be numbers, vectors, matrices, fixed arrays or structs of these: current value is ${type}`,
  );
}
