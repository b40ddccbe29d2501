import { LINE_BREAK } from "../syntax/tokens.ts";
import { typeText, type ValueType } from "../syntax/value_type.ts";
import { wordsOfBytes } from "../wgsl/put_strings.ts";
import type { PrintfCall } from "./printf_calls.ts";
import { wordOf } from "./shown_value.ts";
import { recordWords } from "./ring/ring_records.ts";

/** The types of the arguments that follow the format of a `printf`. */
export function argumentTypes(
  { parameters }: Pick<PrintfCall, "parameters">,
): readonly ValueType[] {
  return parameters.map(({ type }) => type);
}

/** The parameters of a `printf`'s function, and its words. */
function signatureOf({ parameters }: Pick<CallShape, "parameters">) {
  return {
    parameters: parameters.map(({ type }, at) => `a${at}: ${typeText(type)}`).join(", "),
    words: parameters.flatMap(({ parts }, at) => parts.map((part) => wordOf(part, `a${at}`))),
  };
}

type CallShape = Pick<PrintfCall, "pieces" | "parameters" | "isConditional">;

/**
 * Generates the function that replaces a `printf`.
 *
 * @param name of the function; `prefix` begins the ring's names
 */
export function printfFunction(
  call: CallShape,
  { name, prefix, number }: {
    readonly name: string;
    readonly prefix: string;
    /** The number of the call in its text, from 1. */
    readonly number: number;
  },
): string {
  const { parameters, words } = signatureOf(call);
  const stores = words.map((word, index) => `${prefix}ring.words[at + ${index}u] = ${word};`);
  const reserve = `${prefix}reserve(${number}u, ${recordWords(call)}u)`;
  const leave = call.isConditional ? "if !a0 { return; }\n  " : "";
  if (stores.length === 0) return `fn ${name}(${parameters}) { ${leave}_ = ${reserve}; }`;
  return `fn ${name}(${parameters}) {
  ${leave}let at = ${reserve};
  if at == 0xffffffffu { return; }
  ${stores.join("\n  ")}
}`;
}

/** Generates a function that takes the arguments of a `printf` and prints nothing. */
export function silentFunction(call: CallShape, name: string): string {
  return `fn ${name}(${signatureOf(call).parameters}) {}`;
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
