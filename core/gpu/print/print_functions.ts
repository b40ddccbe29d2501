import { LINE_BREAK } from "../text/lexer.ts";
import { typeText } from "../text/value_type.ts";
import { wordsOfBytes } from "../wgsl/put_strings.ts";
import type { PrintCall } from "./print_calls.ts";
import { recordWords } from "./ring/ring_records.ts";
import { wordOf } from "./shown.ts";

type Shown = Pick<PrintCall, "pieces" | "parameters">;
type Conditional = Shown & Pick<PrintCall, "condition">;

/** The parameters of the function that takes a call's place, and the words of what it shows. */
function signatureOf({ parameters }: Pick<Shown, "parameters">) {
  return {
    parameters: parameters.map(({ type }, at) => `a${at}: ${typeText(type)}`).join(", "),
    words: parameters.flatMap(({ parts }, at) => parts.map((part) => wordOf(part, `a${at}`))),
  };
}

/** With the condition first, where there is one. */
function parametersOf({ parameters, condition }: Conditional): string {
  const { parameters: own } = signatureOf({ parameters });
  return [...condition ? ["when: bool"] : [], ...own ? [own] : []].join(", ");
}

/** The function that writes a record to the ring; `prefix` begins the ring's names. */
export function ringFunction(
  call: Conditional,
  { name, prefix, number, silence }: {
    readonly name: string;
    readonly prefix: string;
    readonly number: number;
    /** What says that the invocation prints no more, if anything does. */
    readonly silence: string | undefined;
  },
): string {
  const { words } = signatureOf(call);
  const stores = words.map((word, index) => `${prefix}ring.words[at + ${index}u] = ${word};`);
  const reasons = [...call.condition ? ["!when"] : [], ...silence ? [silence] : []];
  const leave = reasons.length > 0 ? `if ${reasons.join(" || ")} { return; }\n  ` : "";
  const reserve = `${prefix}reserve(${number}u, ${recordWords(call)}u)`;
  if (stores.length === 0) {
    return `fn ${name}(${parametersOf(call)}) { ${leave}_ = ${reserve}; }`;
  }
  return `fn ${name}(${parametersOf(call)}) {
  ${leave}let at = ${reserve};
  if at == 0xffffffffu { return; }
  ${stores.join("\n  ")}
}`;
}

/** A function that takes what a call hands over, and prints nothing. */
export function silentFunction(call: Conditional, name: string): string {
  return `fn ${name}(${parametersOf(call)}) {}`;
}

/** The format with `%s` and `%v` resolved, for the host to parse. */
export function formatOf({ pieces }: Shown): string {
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
 * The function that takes the place of a kernel's `printf`. It appends a record to the lane's stream, as
 * `PrintfStreams` reads it: the length of the format in bytes, the format, and a word for each number. If the
 * record before has the same format, its position stands in for length and format.
 */
export function putPrintf(call: Shown, { name, number, libraryName: lib }: PutNames): string {
  const { parameters, words } = signatureOf(call);
  const text = formatOf(call);
  const format = new TextEncoder().encode(text);
  const head = [`${format.length}u`, ...wordsOfBytes(format)];
  const memory = lib("lane_memory");
  const store = (values: readonly string[]) =>
    values.map((value, word) => `${memory}[at + ${word}u] = ${value};`).join(" ");
  // JSON does not escape all line breaks of WGSL, which would end the comment.
  return `// ${JSON.stringify(text).replaceAll(LINE_BREAK, " ")}
fn ${name}(${parameters}) {
  var at = ${lib("printf_place")}(${(head.length + words.length) * 4}u);
  if ${lib("printf_ended")}() { return; }
  if ${lib("printf_repeats")}(${number}u) {
    ${memory}[at] = ${lib("printf_before")}();
    at += 1u;
  } else {
    ${store(head)}
    at += ${head.length}u;
  }
  ${store(words)}
  ${lib("printf_put")}(${number}u, at + ${words.length}u);
}
`;
}

/**
 * The function that a kernel calls where an `assert` has failed: which one, and its values, are in the words of
 * the lane's next packet, as the lane sends none any more.
 */
export function putAssert(
  call: Pick<Shown, "parameters">,
  { name, number, libraryName: lib }: PutNames,
): string {
  const { parameters, words } = signatureOf(call);
  const place = `${lib("lane_memory")}[${lib("memory_base")}() + `;
  const stores = [`${number}u`, ...words].map((value, word) => `  ${place}${word}u] = ${value};\n`);
  const fail = `  ${lib("lane_fail")}(${lib("ERROR_ASSERTION_FAILED")});\n`;
  return `fn ${name}(${parameters}) {\n${stores.join("")}${fail}}\n`;
}

/** Bytes of a `printf`'s record in the lane's stream. */
export function printfBytes(call: Shown): number {
  const formatBytes = new TextEncoder().encode(formatOf(call)).length;
  return 4 + Math.ceil(formatBytes / 4) * 4 + signatureOf(call).words.length * 4;
}
