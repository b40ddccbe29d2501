import { LINE_BREAK } from "../syntax/tokens.ts";
import { typeText, type ValueType } from "../syntax/value_type.ts";
import { wordsOfBytes } from "../wgsl/put_strings.ts";
import type { PrintfCall } from "./printf_calls.ts";
import { wordOf } from "./shown_value.ts";
import { recordWords } from "../print/ring/ring_records.ts";

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

/** A call without its condition, which is checked before it. */
export function withoutCondition<T extends Pick<PrintfCall, "parameters">>(call: T): T {
  return { ...call, parameters: call.parameters.slice(1) };
}

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

/** What a function of a kernel is called, and what it calls. */
export interface PutNames {
  readonly name: string;
  /** The number of the call in its kernel: of a `printf` from 1, of an `assert` from 0. */
  readonly number: number;
  /** Gives what the library declares as `wanted`. */
  readonly libraryName: (wanted: string) => string;
}

/**
 * Generates the function that replaces a `printf` of a kernel. It appends a record to the lane's
 * stream, as `PrintfStreams` reads it: the length of the format in bytes, the format, and one word per
 * number. If the previous record has the same format, its position stands in for length and format.
 */
export function putPrintf(
  call: PrintfCall,
  { name, number, libraryName }: PutNames,
): string {
  const { parameters, words } = signatureOf(call);
  const [memory, place, ended, repeats, before, put] = [
    ...[
      "lane_memory",
      "printf_place",
      "printf_ended",
      "printf_repeats",
      "printf_before",
      "printf_put",
    ],
  ].map(libraryName);
  const text = formatOf(call);
  const format = new TextEncoder().encode(text);
  const head = [`${format.length}u`, ...wordsOfBytes(format)];
  const store = (values: readonly string[]) =>
    values.map((value, word) => `${memory}[at + ${word}u] = ${value};`).join(" ");
  // JSON does not escape all line breaks of WGSL, which would end the comment.
  return `// ${JSON.stringify(text).replaceAll(LINE_BREAK, " ")}
fn ${name}(${parameters}) {
  var at = ${place}(${(head.length + words.length) * 4}u);
  if ${ended}() { return; }
  if ${repeats}(${number}u) {
    ${memory}[at] = ${before}();
    at += 1u;
  } else {
    ${store(head)}
    at += ${head.length}u;
  }
  ${store(words)}
  ${put}(${number}u, at + ${words.length}u);
}
`;
}

/**
 * Generates the function that a kernel calls where an `assert` has failed: which one, and its values, are in
 * the words of the lane's next packet, as the lane sends none any more.
 */
export function putAssert(
  call: Pick<PrintfCall, "parameters">,
  { name, number, libraryName }: PutNames,
): string {
  const { parameters, words } = signatureOf(call);
  const [memory, base, fail, error] = [
    ...["lane_memory", "memory_base", "lane_fail", "ERROR_ASSERTION_FAILED"],
  ].map(libraryName);
  const stores = [`${number}u`, ...words].map((value, word) =>
    `  ${memory}[${base}() + ${word}u] = ${value};\n`
  );
  return `fn ${name}(${parameters}) {\n${stores.join("")}  ${fail}(${error});\n}\n`;
}

/** Bytes of a `printf`'s record in the lane's stream. */
export function printfBytes(call: PrintfCall): number {
  const formatBytes = new TextEncoder().encode(formatOf(call)).length;
  return 4 + Math.ceil(formatBytes / 4) * 4 + signatureOf(call).words.length * 4;
}
