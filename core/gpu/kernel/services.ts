import {
  FUNCTION_OPCODE_FIRST,
  Opcode,
  OPCODE_MAX,
  USER_OPCODE_FIRST,
} from "../../memory/opcode.ts";
import { LANE_BYTES, LANE_WORDS } from "../../memory/packet.ts";
import type { Types } from "../text/inference.ts";
import { TextFault } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Piece } from "../text/printer.ts";
import type { Expression, Func } from "../text/syntax.ts";
import { type Type, typeText } from "../text/value_type.ts";
import type { KernelText } from "./kernel_text.ts";

/** A function of the host, declared as `@service(40000) fn square(x: u32) -> u32;`. */
export interface Service {
  readonly of: Func;
  readonly name: string;
  /** An expression of WGSL. */
  readonly opcode: Piece;
  /** The opcode's value; `NaN` if only the library knows it. */
  readonly opcodeNumber: number;
  /** Whether the lane does not wait for the host: `@cast`. */
  readonly isCast: boolean;
  readonly parameters: readonly ServiceParameter[];
  /** The type of the result, if there is one. */
  readonly result: Type | undefined;
}

/** A parameter, and its words of the packet. */
export interface ServiceParameter {
  readonly name: string;
  readonly type: Type;
  readonly words: readonly PacketWord[];
}

/** One word of a value in a packet, and its path in the value: `.x`, `[2]`, `.at.y`, or nothing. */
export interface PacketWord {
  readonly path: string;
  readonly scalar: "u32" | "i32" | "f32" | "bool";
}

/**
 * The functions of the host that a text declares.
 *
 * @throws {TextFault} at an invalid declaration
 */
export function servicesOf(text: KernelText, laneWords: number): ReadonlyMap<Func, Service> {
  const services = new Map<Func, Service>();
  for (const one of text.module.functions) {
    const { name, nameStart, attributes, body } = one;
    const refuse = (reason: string): never => {
      throw new TextFault(nameStart, `${name} ${reason}`);
    };
    const attribute = attributes.find((one) => one.name === "service");
    if (!attribute) {
      if (!body) refuse("has no body: write one, or @service(40000) before a function of the host");
      continue;
    }
    if (body) refuse("is a function of the host: write ; for its body");
    const [written] = attribute.args;
    const given = text.opcodes.get(one);
    const opcode = written ?? (given === undefined ? undefined : `${given}`);
    if (opcode === undefined) {
      return refuse("needs the opcode that the host serves: write @service(40000)");
    }
    const opcodeNumber = given ?? opcodeOf(text.types, name, written!);
    services.set(one, { ...readService(text.types, one, laneWords), opcode, opcodeNumber });
  }
  return services;
}

function readService(
  types: Types,
  of: Func,
  laneWords: number,
): Omit<Service, "opcode" | "opcodeNumber"> {
  const { name } = of;
  const isCast = of.attributes.some(({ name }) => name === "cast");
  if (isCast && of.result) {
    throw new TextFault(of.result.start, `${name} gives nothing back, as a @cast does not wait`);
  }
  const parameters = of.parameters.map(({ name, nameStart, type: written }) => {
    const type = types.named(written!);
    return { name, type, words: packetWords(types, type, nameStart) };
  });
  const result = of.result && types.named(of.result);
  if (result) {
    const wordCount = packetWords(types, result, of.result!.start).length;
    checkWordCount(of, laneWords, { does: "gives back", wordCount });
  }
  return { of, name, isCast, parameters, result };
}

function opcodeOf(types: Types, name: string, expression: Expression): number {
  const written = types.module.textOf(expression);
  const opcode = types.value(expression);
  const refuse = (is: string, given: unknown): never => {
    throw new TextFault(
      expression.start,
      `an opcode is ${is} from ${USER_OPCODE_FIRST} to ${OPCODE_MAX}: current value is ${given}`,
    );
  };
  // Only the generated part knows the numbers of this library's own services.
  if (!Number.isInteger(opcode) && !/\bOPCODE_\w+/.test(written)) {
    refuse("a whole number or a constant of the text,", written);
  }
  // Functions that stubs call by name have opcodes below those of users.
  const isStubCall = name.endsWith("_call") && opcode >= FUNCTION_OPCODE_FIRST;
  if (opcode > OPCODE_MAX || (opcode < USER_OPCODE_FIRST && !isStubCall)) {
    refuse("a number", opcode);
  }
  return opcode;
}

/**
 * The words of a value in a packet.
 *
 * @throws {TextFault} at `start` when a packet cannot hold the type
 */
export function packetWords(types: Types, type: Type, start: number): readonly PacketWord[] {
  const words = wordsOf(types, type);
  if (words) return words;
  throw new TextFault(
    start,
    `a packet holds numbers, bools, vectors, matrices, structs of these, and arrays whose length is a number: current value is ${
      typeText(type)
    }`,
  );
}

/** @throws {TextFault} when the arguments or the result of a function do not fit into a packet */
export function checkWordCount(
  { name, nameStart }: Pick<Func, "name" | "nameStart">,
  laneWords: number,
  { does, wordCount }: { readonly does: string; readonly wordCount: number },
): void {
  if (wordCount <= laneWords) return;
  const bytes = Math.ceil(wordCount / LANE_WORDS) * LANE_BYTES;
  throw new TextFault(
    nameStart,
    `${name} ${does} ${wordCount} words, and a packet has ${laneWords}: give the channel laneBytes of ${bytes}, or make two calls of it`,
  );
}

const DEPTH_MAX = 16;
const WORDS_MAX = 4096;

/** A component, column, element or member of a value. */
interface Part {
  readonly path: string;
  readonly type: Type;
}

/** The parts of a value in order; `undefined` for a number, and for types that a packet cannot hold. */
export function partsOf(types: Types, type: Type): readonly Part[] | undefined {
  const { name, args } = type;
  const vector = Number(/^vec([234])$/.exec(name)?.[1] ?? 0);
  if (vector) return [..."xyzw"].slice(0, vector).map((at) => ({ path: `.${at}`, type: args[0]! }));
  const [, columns, rows] = /^mat([234])x([234])$/.exec(name) ?? [];
  const elements = (count: number, type: Type) =>
    Array.from({ length: count }, (_, index) => ({ path: `[${index}]`, type }));
  if (columns) return elements(Number(columns), { name: `vec${rows}`, args });
  if (name === "array") {
    const count = Number(args[1]?.name ?? NaN);
    return count <= WORDS_MAX ? elements(count, args[0]!) : undefined;
  }
  return types.members(type)?.map((member) => ({ path: `.${member.name}`, type: member.type }));
}

/** The consecutive words of a value in a packet; `undefined` if a packet cannot hold the type. */
export function wordsOf(types: Types, type: Type, depth = 0): readonly PacketWord[] | undefined {
  const { name } = type;
  if (depth > DEPTH_MAX) return undefined; // a struct that contains itself is invalid
  if (name === "u32" || name === "i32" || name === "f32" || name === "bool") {
    return [{ path: "", scalar: name }];
  }
  const words: PacketWord[] = [];
  for (const part of partsOf(types, type) ?? [undefined]) {
    const inner = part && wordsOf(types, part.type, depth + 1);
    if (!inner) return undefined;
    words.push(...inner.map(({ path, scalar }) => ({ path: part.path + path, scalar })));
  }
  return words;
}

/** The text before and after a value in an expression of its word as u32. */
export function aroundWord({ path, scalar }: PacketWord): readonly [string, string] {
  if (scalar === "bool") return ["select(0u, 1u, ", `${path})`];
  return scalar === "u32" ? ["", path] : ["bitcast<u32>(", `${path})`];
}

/** Writes a value of a packet as an expression of its type: `reply` gives a word of it. */
export function replyText(
  types: Types,
  type: Type,
  { reply, firstWord = 0 }: { readonly reply: string; readonly firstWord?: number },
): string {
  let word = firstWord;
  const value = (one: Type): string => {
    const parts = partsOf(types, one);
    if (parts) return `${typeText(one)}(${parts.map((part) => value(part.type)).join(", ")})`;
    const got = `${reply}(${word++}u)`;
    if (one.name === "bool") return `(${got} != 0u)`;
    return one.name === "u32" ? got : `bitcast<${one.name}>(${got})`;
  };
  return value(type);
}

/** How the author calls a function of the host, and where, for error messages. */
export interface ServiceName {
  /** All names of one opcode. */
  readonly name: string;
  /** Such as `in line 3 or 5`; empty if nothing calls it. */
  readonly place: string;
}

const BUILT_IN: ReadonlyMap<number, readonly string[]> = new Map([
  [Opcode.printf, ["printf"]],
  [Opcode.writeStdout, ["print"]],
]);
/** The names that every kernel has. */
export const BUILT_IN_NAMES: ReadonlyMap<number, ServiceName> = new Map(
  [...BUILT_IN].map(([opcode, [name]]) => [opcode, { name: name!, place: "" }]),
);

/** The author's names for the functions of the host, by opcode. */
export function serviceNames(
  module: Module,
  services: Iterable<Service>,
): ReadonlyMap<number, ServiceName> {
  const names = new Map(BUILT_IN);
  for (const { of, name, opcodeNumber } of services) {
    const stub = name.endsWith("_call") &&
      module.functions.find((one) => module.calleesOf(one).has(of));
    names.set(opcodeNumber, [...names.get(opcodeNumber) ?? [], stub ? stub.name : name]);
  }
  const calls = Map.groupBy([...module.calls.values()].flat(), ({ text }) => text);
  return new Map([...names].map(([opcode, all]) => {
    const lines = all.flatMap((name) => calls.get(name) ?? [])
      .map(({ start }) => module.positionAt(start).line);
    const place = placeOf([...new Set(lines)].sort((one, other) => one - other));
    return [opcode, { name: all.join(" or "), place }];
  }));
}

/** The most lines that are named. */
const LINES_MAX = 4;

function placeOf(lines: readonly number[]): string {
  if (lines.length === 0) return "";
  const told = lines.length > LINES_MAX
    ? [...lines.slice(0, LINES_MAX - 1), `${lines.length - LINES_MAX + 1} others`]
    : lines;
  return `in line ${told.join(", ").replace(/, (?=[^,]*$)/, " or ")}`;
}
