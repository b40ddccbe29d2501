import { innerKind, type Parameter, type Result, type ScalarName } from "../declare/kind.ts";
import { type ApiFunction, functionsOf, type HostApi } from "../declare/signature.ts";
import { functionOpcode } from "../server/function_table.ts";
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
 * Texts, arrays and structs are addresses, `u32`, in the kernel's heap: give the kernel `heapBytes`, and
 * the `ApiServer` its `heap`. 0 is null. The length of an array is what the declaration
 * says, or one more `u32` behind its address; a struct that is the result goes to one more address, the
 * last. A text that is the result is the kernel's to free. A callback is the address of its name.
 * Variadic arguments are the address of a list that `heap_list_i32` and the like have filled, and how
 * many there are.
 *
 * A kernel has one such text: hand all its APIs over at once.
 *
 * @throws {TypeError} when two functions would have one name
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
  const functions = apis.flatMap((api) => functionsOf(api).map(([, target]) => target));
  checkNames(functions);
  const stubs = functions.map(stubText);
  return [doubles, "var<private> host_errno: i32;", ...stubs, ""].join("\n");
}

const OWN = { name: "what stands in front of all stubs" };
/** `host.errno` would be one of these. */
const OWN_NAMES = [...doubles.matchAll(/^fn (\w+)/gm)].map(([, name]) => [name!, OWN] as const)
  .concat([["host_errno", OWN]]);

/** `a.b_c` and `a_b.c` are one name in WGSL, and `a.b_call` is what `a.b` goes through. */
function checkNames(functions: readonly ApiFunction[]): void {
  const owners = new Map<string, Pick<ApiFunction, "name">>(OWN_NAMES);
  for (const target of functions) {
    for (const name of [stubName(target), `${stubName(target)}_call`]) {
      const other = owners.get(name);
      owners.set(name, target);
      if (!other) continue;
      throw new TypeError(
        `Cannot write stubs as ${other.name} and ${target.name} are both ${name} in WGSL: hand each API over once, and rename one function`,
      );
    }
  }
}

function stubName({ name }: ApiFunction): string {
  return name.replace(".", "_");
}

function stubText(target: ApiFunction): string {
  const { name, hash, signature: { parameters, result: back } } = target;
  const stub = stubName(target);
  const taken = parameters.filter(({ kind }) => kind !== "constant");
  const slots = [
    ...taken.map((parameter, index) => argumentText(parameter, `a${index}`)),
    ...back.kind === "struct" ? [{ head: "result: u32", put: WORD.put("result") }] : [],
  ];
  const head = slots.map((slot) => slot.head).join(", ");
  const result = resultText(back);
  const words = ["head: vec2u", ...slots.map((_, index) => `a${index}: vec2u`)].join(", ");
  const given = slots.map(({ put }) => `, ${put}`).join("");
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

/** What an argument is in the head of a stub, and in its slot. */
function argumentText(
  parameter: Parameter,
  name: string,
): { readonly head: string; readonly put: string } {
  const kind = innerKind(parameter);
  const size = kind.kind === "variadic" ? "count" : "bytes";
  if (kind.kind === "variadic" || (kind.kind === "bytes" && !kind.length)) {
    return { head: `${name}: u32, ${name}_${size}: u32`, put: `vec2u(${name}, ${name}_${size})` };
  }
  const { type, put } = slotText(kind);
  return { head: `${name}: ${type}`, put: put(name) };
}

function slotText(kind: Parameter | Result): SlotText {
  if (kind.kind === "scalar") return SLOT_TEXTS[kind.type];
  return kind.kind === "handle" ? PAIR : WORD;
}

function resultText(result: Result): SlotText | undefined {
  if (result.kind === "void" || result.kind === "struct") return undefined;
  return slotText(innerKind(result));
}
