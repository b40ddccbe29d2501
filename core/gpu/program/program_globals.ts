import type { VariableDeclaration } from "../syntax/declarations.ts";
import type { Insertion } from "../syntax/text_edits.ts";
import { positionAt } from "../syntax/text_position.ts";
import type { Token } from "../syntax/tokens.ts";
import { codeOf } from "../wgsl/author_text.ts";
import { structBytes } from "../wgsl/frame_bytes.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";

/** The variables that all threads of a program share, and that stay from `begin` to `end`. */
export interface ProgramGlobals {
  /** Makes bindings of them, in the order of the text. */
  readonly insertions: readonly Insertion[];
  /** The bytes of each, a multiple of 4. */
  readonly sizesBytes: readonly number[];
}

/** A text, and what was read in it. */
interface GlobalsText {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly variables: readonly VariableDeclaration[];
  /** Declarations of constants that the text may use and does not have. */
  readonly constants: string;
}

/** Storage buffers of a program beside those of its globals: its kernel's, and its arguments'. */
const OWN_BUFFERS = 7;

/**
 * Finds the global variables of a program: `var<storage, read_write> counts: array<atomic<u32>, 256>;`,
 * without `@group` and `@binding`. They are zeros at first.
 *
 * @param options `firstBinding` of the group 1, where the program's own buffers are not
 * @throws {KernelCompileError} at one that has bindings or a value, may not be written, whose size is not known, or
 * that is one too many
 */
export function programGlobals(
  text: GlobalsText,
  { firstBinding, storageBuffersMax = Infinity }: {
    readonly firstBinding: number;
    /** How many a stage may have on the device. */
    readonly storageBuffersMax?: number;
  },
): ProgramGlobals {
  const globals = text.variables.filter(({ space }) => space === "storage");
  const max = storageBuffersMax - OWN_BUFFERS;
  if (globals.length > max) {
    refuse(
      text.source,
      globals[max]!.name,
      `a program has at most ${max} globals here, of the ${storageBuffersMax} storage buffers of this device: make members of one struct of them`,
    );
  }
  return {
    insertions: globals.map((global, index) => ({
      index: text.tokens[keywordAt(text, global)]!.index,
      text: `@group(1) @binding(${firstBinding + index}) `,
    })),
    sizesBytes: globals.map((global) => sizeOf(text, global)),
  };
}

/** Which token the `var` of a variable is. */
function keywordAt(
  { source, tokens }: GlobalsText,
  { name, attributes, value }: VariableDeclaration,
) {
  let at = tokens.indexOf(name);
  const isWritable = (from: number) =>
    tokens.slice(from, tokens.indexOf(name)).some(({ text }) => text === "read_write");
  while (tokens[at]!.text !== "var") at--;
  if (attributes.length > 0) {
    refuse(source, name, "a program has no bindings: leave out @group and @binding");
  }
  if (!isWritable(at)) {
    refuse(source, name, "nobody could write it: a global is var<storage, read_write>");
  }
  if (value.end > value.start) {
    refuse(
      source,
      tokens[value.start]!,
      "a global begins as zeros: give it its value in fn begin()",
    );
  }
  return at;
}

function sizeOf(
  { source, tokens, constants }: GlobalsText,
  { name, type }: VariableDeclaration,
): number {
  const code = codeOf(source);
  const written = code.slice(tokens[type.start]?.index, tokens[type.end]?.index);
  // An atomic is as long as its number.
  const plain = `${code} ${constants} struct Global { value: ${written} }`
    .replaceAll(/\batomic\s*<\s*(\w+)\s*>/g, "$1");
  try {
    return Math.ceil(structBytes(plain, "Global") / 4) * 4;
  } catch {
    return refuse(
      source,
      name,
      "its size is not known: a global is a number, vector, matrix, atomic, array whose length is made of numbers, constants of the text, THREAD_COUNT and BLOCK_COUNT, or a struct of these",
    );
  }
}

function refuse(source: string, { index }: Token, reason: string): never {
  throw KernelCompileError.at(source, positionAt(source, index), reason);
}
