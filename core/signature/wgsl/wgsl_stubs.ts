import type { Parameter, Result, ScalarName } from "../declare/kind.ts";
import type { ApiFunction, HostApi } from "../declare/signature.ts";
import { functionOpcode } from "../server/function_table.ts";
import { callShape } from "../wire/call_shape.ts";
import doubles from "./doubles.wgsl" with { type: "text" };

/** How a value of a kernel becomes the two words of a slot, and comes out of them. */
interface SlotText {
  /** The type that kernels have for it. */
  readonly type: string;
  readonly put: (value: string) => string;
  readonly take: (words: string) => string;
}

const WORD: SlotText = {
  type: "u32",
  put: (value) => `vec2u(${value}, 0u)`,
  take: (words) => `${words}.x`,
};
const INTEGER: SlotText = {
  type: "i32",
  put: (value) => `vec2u(bitcast<u32>(${value}), 0u)`,
  take: (words) => `bitcast<i32>(${words}.x)`,
};
const PAIR: SlotText = { type: "vec2u", put: (value) => value, take: (words) => words };

const SLOT_TEXTS: Record<ScalarName, SlotText> = {
  bool: {
    type: "bool",
    put: (value) => `vec2u(select(0u, 1u, ${value}), 0u)`,
    take: (words) => `(${words}.x != 0u)`,
  },
  i8: INTEGER,
  u8: WORD,
  i16: INTEGER,
  u16: WORD,
  i32: INTEGER,
  u32: WORD,
  f32: {
    type: "f32",
    put: (value) => `vec2u(bitcast<u32>(${value}), 0u)`,
    take: (words) => `bitcast<f32>(${words}.x)`,
  },
  i64: PAIR,
  u64: PAIR,
  isize: PAIR,
  usize: PAIR,
  f64: {
    type: "f32",
    put: (value) => `double_bits(${value})`,
    take: (words) => `double_value(${words})`,
  },
};

/**
 * The functions of an API for kernels of ordinary control flow: `math.hypot` becomes
 * `fn math_hypot(a0: f32, a1: f32) -> f32`. Put the text in front of a kernel's own.
 *
 * Kernels have no doubles: an `f64` is a `f32` there, widened exactly and rounded to the nearest on its
 * way back. Integers of 64 bits and handles are `vec2u`, low word first. `host_errno` is C's `errno` of
 * the lane's last call.
 *
 * A function whose arguments or result do not fit a packet (texts, arrays, structs) is left out, and a
 * comment in its place says so.
 *
 * @throws {RangeError} when two functions have the same opcode: rename one
 *
 * @example
 * ```ts
 * import { f64 } from "../declare/kind.ts";
 * import { fn, hostApi } from "../declare/signature.ts";
 * import { wgslStubs } from "./wgsl_stubs.ts";
 * const text = wgslStubs(hostApi("math", { hypot: fn([f64, f64], f64) }));
 * if (!text.includes("fn math_hypot(a0: f32, a1: f32) -> f32 {")) throw new Error(text);
 * ```
 */
export function wgslStubs(...apis: readonly HostApi[]): string {
  const functions = apis.flatMap((api) => Object.values(api.functions));
  checkOpcodes(functions);
  const stubs = functions.map(stubText);
  return [doubles, "var<private> host_errno: i32;", ...stubs, ""].join("\n");
}

/** A server moves one of two that meet; the text that is compiled here could not follow. */
function checkOpcodes(functions: readonly ApiFunction[]): void {
  const names = new Map<number, string>();
  for (const { name } of functions) {
    const opcode = functionOpcode(name);
    const other = names.get(opcode);
    if (other !== undefined) {
      throw new RangeError(
        `Cannot call ${name} from kernels as ${other} has its opcode: rename one`,
      );
    }
    names.set(opcode, name);
  }
}

function stubText(target: ApiFunction): string {
  const { name, hash, signature } = target;
  const stub = name.replace(".", "_");
  if (!callShape(signature).flat) return `// ${target.text}: not for kernels, it needs a stream\n`;
  const slots = signature.parameters.filter(({ kind }) => kind !== "constant").map(slotText);
  const head = slots.map(({ type }, index) => `a${index}: ${type}`).join(", ");
  const result = resultText(signature.result);
  const words = ["head: vec2u", ...slots.map((_, index) => `a${index}: vec2u`)].join(", ");
  const given = slots.map(({ put }, index) => `, ${put(`a${index}`)}`).join("");
  return [
    `// ${target.text}`,
    `@service(${functionOpcode(name)}u) fn ${stub}_call(${words}) -> array<vec2u, 2>;`,
    `fn ${stub}(${head})${result ? ` -> ${result.type}` : ""} {`,
    `  let reply = ${stub}_call(vec2u(${hash}u, 0u)${given});`,
    "  host_errno = bitcast<i32>(reply[0].x);",
    ...result ? [`  return ${result.take("reply[1]")};`] : [],
    "}\n",
  ].join("\n");
}

function slotText(kind: Parameter | Result): SlotText {
  return kind.kind === "scalar" ? SLOT_TEXTS[kind.type] : PAIR;
}

function resultText(result: Result): SlotText | undefined {
  return result.kind === "void" ? undefined : slotText(result);
}
