import { type Conversion, scalarOf } from "../../text/conversion.ts";
import { LINE_BREAK } from "../syntax/tokens.ts";
import { typeText, type ValueType } from "../syntax/value_type.ts";
import { wordsOfBytes } from "../wgsl/put_strings.ts";
import type { PrintfCall } from "./printf_calls.ts";
import { RECORD_HEAD_WORDS, recordWords } from "./ring/ring_records.ts";

/** The types of a conversion's arguments. */
function typesOf(conversion: Conversion): ValueType[] {
  const { width, precision, size } = conversion;
  const scalar = { name: scalarOf(conversion)!, args: [] };
  const extents = [width, precision].filter((extent) => extent === "*")
    .map(() => ({ name: "i32", args: [] }));
  return [...extents, size === 1 ? scalar : { name: `vec${size}`, args: [scalar] }];
}

/** The types of the arguments that follow the format of a `printf`. */
export function argumentTypes({ pieces }: Pick<PrintfCall, "pieces">): readonly ValueType[] {
  return pieces.flatMap((piece) => typeof piece === "string" ? [] : typesOf(piece));
}

/** The words of an argument, as expressions of WGSL. */
function wordsOf(type: ValueType, name: string): string[] {
  const [, size = "0"] = /^vec(\d)/.exec(type.name) ?? [];
  const components = size === "0"
    ? [name]
    : [..."xyzw"].slice(0, Number(size)).map((at) => `${name}.${at}`);
  return components.map((component) => `bitcast<u32>(${component})`);
}

/** The parameters of a `printf`'s function, and their words. */
function signatureOf(call: Pick<PrintfCall, "pieces">) {
  const types = argumentTypes(call);
  return {
    parameters: types.map((type, at) => `a${at}: ${typeText(type)}`).join(", "),
    words: types.flatMap((type, at) => wordsOf(type, `a${at}`)),
  };
}

/**
 * Generates the function that replaces a `printf`.
 *
 * @param name of the function; `prefix` begins the ring's names
 */
export function printfFunction(
  call: Pick<PrintfCall, "pieces">,
  { name, prefix, number }: {
    readonly name: string;
    readonly prefix: string;
    /** The number of the call in its text, from 1. */
    readonly number: number;
  },
): string {
  const { parameters, words } = signatureOf(call);
  const stores = words.map((word, index) => `${prefix}ring.words[at + ${index}u] = ${word};`);
  const count = recordWords(call);
  const reserve = `${prefix}reserve(${number}u, ${count}u)`;
  if (count === RECORD_HEAD_WORDS) return `fn ${name}() { _ = ${reserve}; }`;
  return `fn ${name}(${parameters}) {
  let at = ${reserve};
  if at == 0xffffffffu { return; }
  ${stores.join("\n  ")}
}`;
}

/** The format with `%s` and `%v` resolved, for the host to parse. */
export function formatOf({ pieces }: Pick<PrintfCall, "pieces">): string {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece.replaceAll("%", "%%");
    const { flags, width = "", precision, size, letter } = piece;
    const vector = size > 1 ? `v${size}` : "";
    return `%${flags}${width}${precision === undefined ? "" : `.${precision}`}${vector}${letter}`;
  }).join("");
}

/**
 * Generates the function that replaces a `printf` of a kernel. It appends a record to the lane's
 * stream, as `PrintfStreams` reads it: the length of the format in bytes, the format, and one word per
 * number. If the previous record has the same format, its position stands in for length and format.
 */
export function putPrintf(
  call: PrintfCall,
  { name, number }: {
    readonly name: string;
    /** The number of the call in its kernel, from 1. */
    readonly number: number;
  },
): string {
  const { parameters, words } = signatureOf(call);
  const text = formatOf(call);
  const format = new TextEncoder().encode(text);
  const head = [`${format.length}u`, ...wordsOfBytes(format)];
  const store = (values: readonly string[]) =>
    values.map((value, word) => `lane_memory[at + ${word}u] = ${value};`).join(" ");
  // JSON does not escape all line breaks of WGSL, which would end the comment.
  return `// ${JSON.stringify(text).replaceAll(LINE_BREAK, " ")}
fn ${name}(${parameters}) {
  var at = printf_place(${(head.length + words.length) * 4}u);
  if printf_ended() { return; }
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

/** Bytes of a `printf`'s record in the lane's stream. */
export function printfBytes(call: PrintfCall): number {
  const formatBytes = new TextEncoder().encode(formatOf(call)).length;
  return 4 + Math.ceil(formatBytes / 4) * 4 + signatureOf(call).words.length * 4;
}
