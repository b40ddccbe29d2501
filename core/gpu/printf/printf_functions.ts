import { type Conversion, scalarOf } from "../../text/conversion.ts";
import type { PrintfCall } from "./printf_calls.ts";
import { RECORD_HEAD_WORDS, recordWords } from "./ring/read_ring.ts";

/** The types of WGSL that one conversion takes, in the order of the arguments. */
function typesOf(conversion: Conversion): string[] {
  const { width, precision, size } = conversion;
  const scalar = scalarOf(conversion)!;
  const extents = [width, precision].filter((extent) => extent === "*").map(() => "i32");
  return [...extents, size === 1 ? scalar : `vec${size}<${scalar}>`];
}

/** The types of WGSL that a `printf` takes behind its format. */
export function argumentTypes({ pieces }: Pick<PrintfCall, "pieces">): readonly string[] {
  return pieces.flatMap((piece) => typeof piece === "string" ? [] : typesOf(piece));
}

/** The words of an argument, as expressions of WGSL. */
export function wordsOf(type: string, name: string): string[] {
  const size = Number(/^vec(\d)/.exec(type)?.[1] ?? 0);
  const components = size === 0 ? [name] : [..."xyzw"].slice(0, size).map((at) => `${name}.${at}`);
  return components.map((component) => `bitcast<u32>(${component})`);
}

/**
 * The function of WGSL that one `printf` becomes.
 *
 * @param name of the function; `prefix` begins the names of the ring
 */
export function printfFunction(
  call: Pick<PrintfCall, "pieces">,
  { name, prefix, number }: {
    readonly name: string;
    readonly prefix: string;
    /** Counts the calls of a text from 1. */
    readonly number: number;
  },
): string {
  const types = argumentTypes(call);
  const parameters = types.map((type, index) => `a${index}: ${type}`).join(", ");
  const words = types.flatMap((type, index) => wordsOf(type, `a${index}`));
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
