import {
  type Field,
  innerKind,
  type Parameter,
  type Result,
  type ScalarName,
  type Struct,
  type Union,
} from "../../signature/declare/kind.ts";
import { type ApiFunction, functionsOf, type HostApi } from "../../signature/declare/signature.ts";
import { structLayout } from "../../signature/declare/struct_layout.ts";
import { functionOpcode } from "../../signature/server/function_table.ts";
import { requestSlots, resultSlots } from "../../signature/wire/argument_kinds.ts";
import { callShape } from "../../signature/wire/call_shape.ts";
import { opcodeToLlvm } from "../../toggle/wire/llvm_headers.ts";
import support from "./cpp_stubs.hpp" with { type: "text" };

const SCALARS: Readonly<Record<ScalarName, string>> = {
  bool: "bool",
  i8: "int8_t",
  u8: "uint8_t",
  i16: "int16_t",
  u16: "uint16_t",
  i32: "int32_t",
  u32: "uint32_t",
  i64: "int64_t",
  u64: "uint64_t",
  isize: "int64_t",
  usize: "uint64_t",
  f32: "float",
  f64: "double",
};
/** A handle is a number there, 0 for none. */
const HANDLE = "uint64_t";
const SLOT_BYTES = 8;

/**
 * Writes a C++ header by which programs that have LLVM libc's `shared/rpc.h` call the functions of an API, in
 * the manner of its `rpc::dispatch`: for device code and for hosts. Who includes it has included that header
 * before. Each function is called as C's, with the client in front, behind `bytes` how many there are, and gives a
 * `portlab::answer`: `error` and `value`. Structs have names by their places: `math::divide_result`.
 *
 * What points somewhere crosses in one stream there and one back, in memory of the caller's stack. Handles are
 * numbers, callbacks the names of the host's. It is served by `serveApi` or `serveLibrary` on a channel of
 * LLVM's wire.
 *
 * @throws {TypeError} for a function that gives a text, or takes a variable number of values
 *
 * @example
 * ```ts
 * import { f64, fn, hostApi } from "../../signature/mod.ts";
 * import { cppStubs } from "./cpp_stubs.ts";
 * const text = cppStubs(hostApi("math", { hypot: fn([f64, f64], f64) }));
 * if (!text.includes("hypot(C &client, double a0, double a1)")) throw new Error(text);
 * ```
 */
export function cppStubs(...apis: readonly HostApi[]): string {
  const bodies = apis.map((api) =>
    `namespace ${api.name} {\n${
      functionsOf(api).map(([key, target]) => new Stub(key, target).text()).join("\n")
    }} // namespace ${api.name}\n`
  );
  return `/* Functions of the host for programs with LLVM's shared/rpc.h. Made by: deno task c-header --api */
#pragma once

#include <stdint.h>
${support}
${bodies.join("\n")}`;
}

/** One function. */
class Stub {
  readonly #key: string;
  readonly #target: ApiFunction;
  readonly #structs: string[] = [];

  constructor(key: string, target: ApiFunction) {
    this.#key = key;
    this.#target = target;
  }

  text(): string {
    const { signature, hash, name } = this.#target;
    const { parameters, result } = signature;
    const value = this.#resultType(result);
    const head = parameters.flatMap((one, index) => this.#argument(one, index)).join(", ");
    const opcode = `0x${opcodeToLlvm(functionOpcode(name)).toString(16)}u`;
    const isPacket = callShape(signature).flat !== undefined;
    const body = isPacket ? this.#packetBody(opcode) : this.#streamBody(opcode);
    return `${this.#structs.join("")}/* ${this.#target.text} */
template <typename C> portlab::answer<${value}> ${this.#key}(C &client${head && `, ${head}`}) {
  constexpr uint32_t hash = 0x${hash.toString(16)}u;
${body.map((line) => `  ${line}\n`).join("")}}
`;
  }

  #packetBody(opcode: string): string[] {
    const { parameters, result } = this.#target.signature;
    const slots = parameters.reduce((sum, one) => sum + requestSlots(one), 2);
    return [
      `uint64_t memory[${slots}];`,
      `portlab::request sent(memory, sizeof memory, sizeof memory, hash);`,
      ...parameters.flatMap((one, index) => put(one, index)),
      `int32_t error = portlab::call_packet<${opcode}>(client, memory, sizeof memory);`,
      ...this.#taken(result, []),
    ];
  }

  #streamBody(opcode: string): string[] {
    const { parameters, result } = this.#target.signature;
    const slots = parameters.reduce((sum, one) => sum + requestSlots(one), 1);
    const lengths = parameters.flatMap((one, index) => payloadLength(one, index));
    const rooms = parameters.flatMap((one, index) => backRoom(one, index));
    const sum = (first: number, all: readonly string[]) =>
      [first, ...all.map((one) => `portlab::request::round(${one})`)].join(" + ");
    return [
      ...parameters.flatMap((one, index) =>
        innerKind(one).kind === "string"
          ? [`const uint64_t a${index}_bytes = portlab::length_of(a${index});`]
          : []
      ),
      `const uint64_t total = ${sum(slots * SLOT_BYTES, lengths)};`,
      `const uint64_t room = ${sum((1 + resultSlots(result)) * SLOT_BYTES, rooms)};`,
      `portlab::request sent(__builtin_alloca(total), ${slots * SLOT_BYTES}, total, hash);`,
      ...parameters.flatMap((one, index) => put(one, index)),
      `void *memory = __builtin_alloca(room);`,
      `int32_t error = portlab::call_stream<${opcode}>(client, sent, memory, room);`,
      ...this.#taken(result, parameters.flatMap((one, index) => back(one, index))),
    ];
  }

  #taken(result: Result, backs: readonly string[]): string[] {
    const value = this.#resultType(result);
    if (value === "void" && backs.length === 0) return ["return {error};"];
    return [
      `portlab::answer<${value}> given{error${value === "void" ? "" : ", {}"}};`,
      "if (error < 0) return given;",
      "portlab::reply came{reinterpret_cast<const uint8_t *>(memory)};",
      ...value === "void" ? [] : ["came.take(given.value);"],
      ...backs,
      "return given;",
    ];
  }

  #argument(parameter: Parameter, index: number): string[] {
    const kind = innerKind(parameter);
    const name = `a${index}`;
    switch (kind.kind) {
      case "constant":
        return [];
      case "scalar":
        return [`${SCALARS[kind.type]} ${name}`];
      case "handle":
        return [`${HANDLE} ${name}`];
      case "string":
      case "callback":
        return [`const char *${name}`];
      case "bytes":
        return [
          `${kind.direction === "in" ? "const " : ""}void *${name}`,
          `uint64_t ${name}_bytes`,
        ];
      case "struct":
        return [`const ${this.#struct(kind, name)} &${name}`];
      case "reference": {
        const constant = kind.direction === "in" ? "const " : "";
        return [`${constant}${this.#struct(kind.struct, name)} *${name}`];
      }
      default:
        return this.#refuse("takes a variable number of values: declare one for each use");
    }
  }

  #resultType(result: Result): string {
    const kind = innerKind(result);
    switch (kind.kind) {
      case "void":
        return "void";
      case "scalar":
        return SCALARS[kind.type];
      case "handle":
        return HANDLE;
      case "struct":
        return this.#struct(kind, "result");
      default:
        return this.#refuse('gives a text: let it fill bytes("out")');
    }
  }

  /** Declares a struct once; returns its name. */
  #struct(struct: Struct, place: string): string {
    if (structLayout(struct).texts.length > 0) {
      this.#refuse("has a struct with texts in it: take them as parameters");
    }
    const name = `${this.#key}_${place}`;
    const text = `struct ${name} {\n${fieldsText(struct, "  ")}};
static_assert(sizeof(${name}) == ${structLayout(struct).sizeBytes}, "as C lays it out");\n`;
    if (!this.#structs.includes(text)) this.#structs.push(text);
    return name;
  }

  #refuse(why: string): never {
    throw new TypeError(`Cannot write a stub of ${this.#target.name} in C++ as it ${why}`);
  }
}

function fieldsText({ fields }: Struct | Union, indent: string): string {
  return Object.entries(fields).map(([name, field]) => {
    const { type, counts } = fieldType(field, indent);
    return `${indent}${type} ${name}${counts};\n`;
  }).join("");
}

function fieldType(
  field: Field,
  indent: string,
): { readonly type: string; readonly counts: string } {
  if (field.kind === "array") {
    const { type, counts } = fieldType(field.of, indent);
    return { type, counts: `[${field.count}]${counts}` };
  }
  if (field.kind === "struct" || field.kind === "union") {
    return { type: `${field.kind} {\n${fieldsText(field, `${indent}  `)}${indent}}`, counts: "" };
  }
  return { type: field.kind === "scalar" ? SCALARS[field.type] : HANDLE, counts: "" };
}

function put(parameter: Parameter, index: number): string[] {
  const kind = innerKind(parameter);
  const name = `a${index}`;
  const isNullable = parameter.kind === "nullable";
  switch (kind.kind) {
    case "constant":
      return [];
    case "callback":
      return [`sent.put<uint64_t>(portlab::name_of(${name}));`];
    case "bytes":
    case "string": {
      const length = `${name}, ${name}_bytes`;
      const isOut = kind.kind === "bytes" && kind.direction === "out";
      return [`sent.put_length(${length});`, ...isOut ? [] : [`sent.put_payload(${length});`]];
    }
    case "reference":
      if (kind.direction !== "out") return [`sent.put_pointer(${name}, ${isNullable});`];
      return isNullable ? [`sent.put<uint64_t>(${name} != nullptr);`] : [];
    default:
      return [`sent.put(${name});`];
  }
}

/** How many bytes an argument has behind the slots. */
function payloadLength(parameter: Parameter, index: number): string[] {
  const kind = innerKind(parameter);
  const isPayload = kind.kind === "string" || kind.kind === "bytes" && kind.direction !== "out";
  return isPayload ? [`a${index}_bytes`] : [];
}

/** How many bytes of it may come back. */
function backRoom(parameter: Parameter, index: number): string[] {
  const kind = innerKind(parameter);
  if (kind.kind !== "bytes" && kind.kind !== "reference" || kind.direction === "in") return [];
  return [`8 + ${kind.kind === "bytes" ? `a${index}_bytes` : `sizeof *a${index}`}`];
}

function back(parameter: Parameter, index: number): string[] {
  const kind = innerKind(parameter);
  if (kind.kind !== "bytes" && kind.kind !== "reference" || kind.direction === "in") return [];
  const room = kind.kind === "bytes" ? `a${index}_bytes` : `sizeof *a${index}`;
  return [`came.take_back(a${index}, ${room});`];
}
