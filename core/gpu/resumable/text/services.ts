import { calledNames, type FunctionDeclaration } from "../../syntax/declarations.ts";
import { plainText, type TokenRange } from "../../syntax/tokens.ts";
import {
  memberType,
  namedType,
  type Scope,
  typeText,
  type ValueType,
} from "../../syntax/value_type.ts";
import {
  FUNCTION_OPCODE_FIRST,
  Opcode,
  OPCODE_MAX,
  USER_OPCODE_FIRST,
} from "../../../memory/opcode.ts";
import { LANE_BYTES, LANE_WORDS } from "../../../memory/packet.ts";
import { valueOf } from "../../syntax/type_layout.ts";
import type { KernelModule, ModuleText } from "./kernel_module.ts";

/** A function of the host, declared as `@service(40000) fn square(x: u32) -> u32;`. */
export interface Service {
  readonly name: string;
  /** The position of its declaration. */
  readonly index: number;
  /** The opcode, as an expression of WGSL. */
  readonly opcode: TokenRange;
  /** The opcode's value; `NaN` if it is unknown. */
  readonly opcodeNumber: number;
  /** Whether the lane does not wait for the host: `@cast`. */
  readonly isCast: boolean;
  readonly parameters: readonly ServiceParameter[];
  /** The type of the result, if there is one. */
  readonly result: ValueType | undefined;
}

/** A parameter, and its words of the packet. */
export interface ServiceParameter {
  readonly name: string;
  readonly type: ValueType;
  readonly words: readonly PacketWord[];
}

/** A text, and the words of its packets. */
type Text = ModuleText & Pick<KernelModule, "laneWords">;

/**
 * The functions of the host that a kernel declares.
 *
 * @throws {KernelCompileError} at an invalid declaration
 */
export function servicesOf(module: Text): ReadonlyMap<string, Service> {
  const services = new Map<string, Service>();
  for (const declared of module.declarations.functions) {
    const { name, attributes, body } = declared;
    const opcode = attributes.find((attribute) => attribute.name === "service")?.args;
    const isBodyless = module.tokens[body.start]?.text === ";" && body.end === body.start;
    const refuse = (reason: string) => module.refuse(name.index, `${name.text} ${reason}`);
    if (!opcode) {
      if (isBodyless) {
        refuse("has no body: write one, or @service(40000) before a function of the host");
      }
      continue;
    }
    if (!isBodyless) refuse("is a function of the host: write ; for its body");
    if (opcode.end === opcode.start) {
      refuse("needs the opcode that the host serves: write @service(40000)");
    }
    services.set(name.text, readService(module, declared, opcode));
  }
  return services;
}

function readService(
  module: Text,
  declared: FunctionDeclaration,
  opcode: TokenRange,
): Service {
  const { name, attributes, result } = declared;
  const isCast = attributes.some((attribute) => attribute.name === "cast");
  if (isCast && result.end > result.start) {
    module.refuseAt(result.start, `${name.text} gives nothing back, as a @cast does not wait`);
  }
  const parameters = declared.parameters.map(({ name, type: range }) => {
    const type = namedType(module, range);
    return { name: name.text, type, words: packetWords(module, type, name.index) };
  });
  const opcodeNumber = opcodeOf(module, name.text, opcode);
  const service = { name: name.text, index: name.index, opcode, opcodeNumber, isCast, parameters };
  if (result.end === result.start) return { ...service, result: undefined };
  const type = namedType(module, result);
  const { length } = packetWords(module, type, module.tokens[result.start]!.index);
  checkWordCount(module, service, { does: "gives back", wordCount: length });
  return { ...service, result: type };
}

function opcodeOf(module: Text, name: string, range: TokenRange): number {
  const written = plainText(module.tokens, range);
  const opcode = valueOf(module, written);
  // Only the generated part knows the numbers of this library's own services.
  if (!Number.isInteger(opcode) && !/\bOPCODE_\w+/.test(written)) {
    const reason =
      `an opcode is a whole number or a constant of the text, from ${USER_OPCODE_FIRST} to ${OPCODE_MAX}`;
    module.refuseAt(range.start, `${reason}: current value is ${written}`);
  }
  // Functions that stubs call by name have opcodes below those of users.
  const isStubCall = name.endsWith("_call") && opcode >= FUNCTION_OPCODE_FIRST;
  const isReserved = opcode < USER_OPCODE_FIRST && !isStubCall;
  if (opcode > OPCODE_MAX || isReserved) {
    const reason = `an opcode is a number from ${USER_OPCODE_FIRST} to ${OPCODE_MAX}`;
    module.refuseAt(range.start, `${reason}: current value is ${opcode}`);
  }
  return opcode;
}

/** The author's name for a function of the host, and its callers. */
export interface ServiceName {
  readonly name: string;
  /** The calling lines, as in "in line 4 or 7"; empty if there are none. */
  readonly place: string;
}

/** Functions that call services which kernels use without a declaration. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [Opcode.printf, "printf"],
  [Opcode.writeStdout, "print"],
]);

/** The names that are known for steps written by hand. */
export const BUILT_IN_NAMES: ReadonlyMap<number, ServiceName> = new Map(
  [...BUILT_IN].map(([opcode, name]) => [opcode, { name, place: "" }]),
);

/**
 * The author's names for the functions of the host, by opcode; for a function that ends with `_call`,
 * the name of its stub.
 */
export function serviceNames(module: KernelModule): ReadonlyMap<number, ServiceName> {
  const names = new Map([...BUILT_IN].map(([opcode, name]) => [opcode, [name]]));
  const { functions } = module.declarations;
  for (const { name, opcodeNumber } of module.services.values()) {
    const stub = name.endsWith("_call")
      ? functions.find((one) => calledNames(module.declarations, one).has(name))?.name.text
      : undefined;
    names.set(opcodeNumber, [...names.get(opcodeNumber) ?? [], stub ?? name]);
  }
  return new Map(
    [...names].map(([opcode, all]) => [
      opcode,
      { name: all.join(" or "), place: placeOf(module, new Set(all)) },
    ]),
  );
}

/** The most lines that are listed. */
const LINES_MAX = 4;

/** Lists the lines that call one of the functions. */
function placeOf({ tokens, text }: KernelModule, names: ReadonlySet<string>): string {
  const calls = tokens.filter((token, at) =>
    names.has(token.text) && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== "fn"
  );
  const lines = [...new Set(calls.map(({ index }) => text.positionAt(index).line))];
  if (lines.length === 0) return "";
  const told = lines.length > LINES_MAX
    ? [...lines.slice(0, LINES_MAX - 1), `${lines.length - LINES_MAX + 1} others`]
    : lines;
  return `in line ${told.join(", ").replace(/, (?=[^,]*$)/, " or ")}`;
}

function packetWords(module: Text, type: ValueType, index: number): readonly PacketWord[] {
  return wordsOf(module, type) ??
    module.refuse(
      index,
      `a packet holds numbers, bools, vectors, matrices, structs of these, and arrays whose length is a number: current value is ${
        typeText(type)
      }`,
    );
}

/** @throws {KernelCompileError} when the arguments or the result of a function do not fit into a packet */
export function checkWordCount(
  { refuse, laneWords }: Text,
  { name, index }: Pick<Service, "name" | "index">,
  { does, wordCount }: { readonly does: string; readonly wordCount: number },
): void {
  if (wordCount <= laneWords) return;
  refuse(
    index,
    `${name} ${does} ${wordCount} words, and a packet has ${laneWords}: give the channel laneBytes of ${
      Math.ceil(wordCount / LANE_WORDS) * LANE_BYTES
    }, or make two calls of it`,
  );
}

/** One word of a value in a packet. */
export interface PacketWord {
  /** Its path in the value: `.x`, `[2]`, `.at.y`, or nothing. */
  readonly path: string;
  readonly scalar: "u32" | "i32" | "f32" | "bool";
}

const COMPONENTS = ["x", "y", "z", "w"];

/**
 * The consecutive words of a value in a packet: components, columns, elements and members in order.
 * `undefined` if a packet cannot hold the type.
 */
export function wordsOf(
  scope: Scope,
  type: ValueType,
  depth = 0,
): readonly PacketWord[] | undefined {
  const { name } = type;
  // A struct that contains itself is invalid.
  if (depth > DEPTH_MAX) return undefined;
  if (name === "u32" || name === "i32" || name === "f32" || name === "bool") {
    return [{ path: "", scalar: name }];
  }
  const parts = partsOf(scope, type);
  if (parts === undefined) return undefined;
  const words: PacketWord[] = [];
  for (const part of parts) {
    const inner = part.type && wordsOf(scope, part.type, depth + 1);
    if (!inner) return undefined;
    words.push(...inner.map(({ path, scalar }) => ({ path: part.path + path, scalar })));
  }
  return words;
}

const DEPTH_MAX = 16;

/** A component, column, element or member of a value. */
export interface Part {
  /** Its path in the value. */
  readonly path: string;
  readonly type: ValueType | undefined;
}

/** More elements do not fit anyway. */
const ELEMENTS_MAX = 64;

/** The parts of a value in order; `undefined` for a number, and for types that a packet cannot hold. */
export function partsOf(scope: Scope, { name, args }: ValueType): readonly Part[] | undefined {
  const [, vector] = /^vec([234])$/.exec(name) ?? [];
  if (vector) {
    return COMPONENTS.slice(0, Number(vector)).map((at) => ({ path: `.${at}`, type: args[0] }));
  }
  const [, columns, rows] = /^mat([234])x([234])$/.exec(name) ?? [];
  if (columns) return elements(Number(columns), { name: `vec${rows}`, args });
  const [, length] = /^(\d+)[iu]?$/.exec(args[1]?.name ?? "") ?? [];
  if (name === "array") {
    return length && Number(length) <= ELEMENTS_MAX ? elements(Number(length), args[0]) : undefined;
  }
  return scope.declarations.structs.get(name)?.map((member) => ({
    path: `.${member.name.text}`,
    type: memberType(scope, { name, args }, member.name.text) ?? namedType(scope, member.type),
  }));
}

function elements(count: number, type: ValueType | undefined): Part[] {
  return Array.from({ length: count }, (_, index) => ({ path: `[${index}]`, type }));
}

/** The text before and after a value in an expression of its word as u32. */
export function aroundWord({ path, scalar }: PacketWord): readonly [string, string] {
  if (scalar === "bool") return ["select(0u, 1u, ", `${path})`];
  return scalar === "u32" ? ["", path] : ["bitcast<u32>(", `${path})`];
}

/** Writes a value of a packet, from a word on, as an expression of its type. */
export function replyText(
  scope: Scope,
  type: ValueType,
  { firstWord = 0, reply: name = "reply" } = {},
): string {
  let word = firstWord;
  const value = (one: ValueType): string => {
    const parts = partsOf(scope, one);
    if (parts) return `${typeText(one)}(${parts.map((part) => value(part.type!)).join(", ")})`;
    const reply = `${name}(${word++}u)`;
    if (one.name === "bool") return `(${reply} != 0u)`;
    return one.name === "u32" ? reply : `bitcast<${one.name}>(${reply})`;
  };
  return value(type);
}
