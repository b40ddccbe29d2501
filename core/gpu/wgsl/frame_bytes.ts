const SCALAR_BYTES: Readonly<Record<string, number>> = { u32: 4, i32: 4, f32: 4, f16: 4 };
/** No field of a struct needs a larger alignment than this. */
const ALIGN_BYTES = 16;

/**
 * An upper bound for the bytes that a WGSL struct takes in memory, from its text: every field is
 * counted as if it began at a multiple of 16. That is enough to allocate memory by: a shader uses the
 * exact size, which is never larger.
 *
 * Fields may be scalars, vectors, matrices, arrays of a fixed length (a number, or a `const` of the
 * same text) and structs of the same text.
 *
 * @throws {TypeError} when a field's type is none of these
 *
 * @example
 * ```ts
 * import { structBytesMax } from "./frame_bytes.ts";
 * if (structBytesMax("struct Frame { sum: u32, at: vec3f }", "Frame") < 28) throw new Error("too small");
 * ```
 */
export function structBytesMax(source: string, name: string): number {
  const body = new RegExp(`\\bstruct\\s+${name}\\s*\\{([^}]*)\\}`).exec(source)?.[1];
  if (body === undefined) throw unknownType(name);
  const types = splitFields(body).map((field) => field.slice(field.indexOf(":") + 1).trim());
  return types.reduce((bytes, type) => bytes + alignUp(typeBytesMax(source, type)), 0);
}

function typeBytesMax(source: string, type: string): number {
  const scalar = SCALAR_BYTES[type];
  if (scalar !== undefined) return scalar;
  const vector = /^vec([234])(?:[iufh]|<\s*\w+\s*>)$/.exec(type);
  if (vector) return Number(vector[1]) * 4;
  const matrix = /^mat([234])x[234](?:[fh]|<\s*\w+\s*>)$/.exec(type);
  if (matrix) return Number(matrix[1]) * ALIGN_BYTES;
  const array = /^array<(.*),\s*(\w+?)u?\s*,?\s*>$/s.exec(type);
  if (array) return alignUp(typeBytesMax(source, array[1]!.trim())) * countOf(source, array[2]!);
  if (/^\w+$/.test(type)) return structBytesMax(source, type);
  throw unknownType(type);
}

function countOf(source: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number)) return number;
  const value = new RegExp(`\\bconst\\s+${text}\\s*(?::\\s*\\w+\\s*)?=\\s*(\\d+)[ui]?\\s*;`).exec(
    source,
  );
  if (value) return Number(value[1]);
  throw unknownType(`array of ${text}`);
}

/** Commas inside angle brackets do not separate fields. */
function splitFields(body: string): string[] {
  const fields: string[] = [""];
  let depth = 0;
  for (const character of body) {
    depth += character === "<" ? 1 : character === ">" ? -1 : 0;
    if (character === "," && depth === 0) fields.push("");
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
