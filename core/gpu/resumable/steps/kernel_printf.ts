import { argumentTypes, wordsOf } from "../../printf/printf_functions.ts";
import type { PrintfCall } from "../../printf/printf_calls.ts";

/** The text of a format in which `%s` and `%v` are filled in, as the host reads it again. */
export function formatOf({ pieces }: Pick<PrintfCall, "pieces">): string {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece.replaceAll("%", "%%");
    const { flags, width = "", precision, size, letter } = piece;
    const vector = size > 1 ? `v${size}` : "";
    return `%${flags}${width}${precision === undefined ? "" : `.${precision}`}${vector}${letter}`;
  }).join("");
}

/** The function of WGSL that a `printf` becomes, and its number among those of the kernel, from 1. */
interface PrintfFunction {
  readonly name: string;
  readonly number: number;
}

/**
 * The function of WGSL that one `printf` of a kernel becomes: it adds a record to the lane's stream, as
 * `PrintfStreams` reads it: the length of the format in bytes, the format, and one word for each number;
 * or, where the record before has the same format, where that stands, and the numbers.
 */
export function putPrintf(call: PrintfCall, { name, number }: PrintfFunction): string {
  const types = argumentTypes(call);
  const parameters = types.map((type, at) => `a${at}: ${type}`).join(", ");
  const format = new TextEncoder().encode(formatOf(call));
  const head = [`${format.length}u`, ...formatWords(format)];
  const words = types.flatMap((type, at) => wordsOf(type, `a${at}`));
  const store = (values: readonly string[]) =>
    values.map((value, word) => `lane_memory[at + ${word}u] = ${value};`).join(" ");
  return `// ${JSON.stringify(formatOf(call))}
fn ${name}(${parameters}) {
  var at = printf_place(${(head.length + words.length) * 4}u);
  if lane.key == KEY_DONE { return; }
  if printf_repeats(${number}u) {
    lane_memory[at] = printf_before();
    at += 1u;
  } else {
    ${store(head)}
    at += ${head.length}u;
  }
  ${store(words)}
  printf_put(${number}u, at + ${words.length}u);
}
`;
}

/** Bytes of a `printf` in the lane's stream. */
export function printfBytes(call: PrintfCall): number {
  const words = argumentTypes(call).flatMap((type) => wordsOf(type, ""));
  const formatBytes = new TextEncoder().encode(formatOf(call)).length;
  return 4 + Math.ceil(formatBytes / 4) * 4 + words.length * 4;
}

function formatWords(bytes: Uint8Array): string[] {
  const words: string[] = [];
  for (let byte = 0; byte < bytes.length; byte += 4) {
    const word = bytes.subarray(byte, byte + 4).reduceRight((high, low) => high * 256 + low, 0);
    words.push(`${word}u`);
  }
  return words;
}
