import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { positionAt } from "../../syntax/text_position.ts";
import type { TokenRange } from "../../syntax/tokens.ts";
import { namedType, typeText, type ValueType } from "../../syntax/value_type.ts";
import {
  FUNCTION_OPCODE_FIRST,
  Opcode,
  OPCODE_MAX,
  USER_OPCODE_FIRST,
} from "../../../memory/opcode.ts";
import { LANE_BYTES, LANE_WORDS } from "../../../memory/packet.ts";
import { codeOf } from "../../wgsl/author_text.ts";
import { valueOf } from "../../wgsl/frame_bytes.ts";
import { type PacketWord, wordsOf } from "./packet_words.ts";
import type { KernelModule } from "./kernel_module.ts";
import { calledNames } from "./suspending_names.ts";

/** A function of the host, declared as `@service(40000) fn square(x: u32) -> u32;`. */
export interface Service {
  readonly name: string;
  /** Where it is declared. */
  readonly index: number;
  /** The number that the host registers, as an expression of WGSL. */
  readonly opcode: TokenRange;
  /** That number; `NaN` where it does not show. */
  readonly opcodeNumber: number;
  /** Whether the lane goes on without waiting for the host: `@cast`. */
  readonly isCast: boolean;
  readonly parameters: readonly ServiceParameter[];
  /** `undefined` where nothing comes back. */
  readonly result: ValueType | undefined;
}

/** One parameter, and the words of the packet that it takes. */
export interface ServiceParameter {
  readonly name: string;
  readonly type: ValueType;
  readonly words: readonly PacketWord[];
}

/** What a module is before its services are known. */
type Text = Pick<
  KernelModule,
  "source" | "tokens" | "declarations" | "refuse" | "refuseAt" | "laneWords"
>;

/**
 * The functions of the host that a kernel declares.
 *
 * @throws {KernelCompileError} at a declaration that cannot be
 */
export function servicesOf(text: Text): ReadonlyMap<string, Service> {
  const services = new Map<string, Service>();
  for (const declared of text.declarations.functions) {
    const isBodyless = text.tokens[declared.body.start]?.text === ";" &&
      declared.body.end === declared.body.start;
    const attribute = declared.attributes.find(({ name }) => name === "service");
    const { name } = declared;
    if (!attribute && isBodyless) {
      text.refuse(
        name.index,
        `${name.text} has no body: write one, or @service(40000) before a function of the host`,
      );
    }
    if (!attribute) continue;
    if (!isBodyless) {
      text.refuse(name.index, `${name.text} is a function of the host: write ; for its body`);
    }
    if (attribute.args.end === attribute.args.start) {
      text.refuse(
        name.index,
        `${name.text} needs the opcode that the host serves: write @service(40000)`,
      );
    }
    services.set(name.text, readService(text, declared, attribute.args));
  }
  return services;
}

function readService(text: Text, declared: FunctionDeclaration, opcode: TokenRange): Service {
  const { name, attributes, result } = declared;
  const isCast = attributes.some((attribute) => attribute.name === "cast");
  if (isCast && result.end > result.start) {
    text.refuseAt(result.start, `${name.text} gives nothing back, as a @cast does not wait`);
  }
  const parameters = declared.parameters.map(({ name, type: range }) => {
    const type = namedType(text, range);
    return { name: name.text, type, words: packetWords(text, type, name.index) };
  });
  const opcodeNumber = opcodeOf(text, name.text, opcode);
  const service = { name: name.text, index: name.index, opcode, opcodeNumber, isCast, parameters };
  if (result.end === result.start) return { ...service, result: undefined };
  const type = namedType(text, result);
  const { length } = packetWords(text, type, text.tokens[result.start]!.index);
  checkWordCount(text, service, { does: "gives back", wordCount: length });
  return { ...service, result: type };
}

/** Functions that are served by name have the numbers below those of users; stubs call them. */
function isStubCall(name: string, opcode: number): boolean {
  return name.endsWith("_call") && opcode >= FUNCTION_OPCODE_FIRST;
}

function opcodeOf(text: Text, name: string, { start, end }: TokenRange): number {
  const words = text.tokens.slice(start, end).map((token) => token.text).join(" ");
  const isLiteral = end === start + 1 && text.tokens[start]!.kind === "number";
  const opcode = valueOf(isLiteral ? "" : codeOf(text.source), words);
  const isReserved = opcode < USER_OPCODE_FIRST && !isStubCall(name, opcode);
  if (opcode > OPCODE_MAX || isReserved) {
    const reason = `an opcode is a number from ${USER_OPCODE_FIRST} to ${OPCODE_MAX}`;
    text.refuseAt(start, `${reason}: current value is ${opcode}`);
  }
  return opcode;
}

/** What an author calls a function of the host, and where. */
export interface ServiceName {
  readonly name: string;
  /** As "in line 4 or 7"; empty where none of the text's lines calls it. */
  readonly place: string;
}

/** What calls the services that kernels use without a declaration. */
const BUILT_IN: readonly (readonly [number, string])[] = [
  [Opcode.printf, "printf"],
  [Opcode.writeStdout, "print"],
];

/** What is known of steps that are written by hand. */
export const BUILT_IN_NAMES: ReadonlyMap<number, ServiceName> = new Map(
  BUILT_IN.map(([opcode, name]) => [opcode, { name, place: "" }]),
);

/**
 * What an author calls the functions of the host, by their opcodes: where stubs call one that ends with
 * `_call`, the stub.
 */
export function serviceNames(module: KernelModule): ReadonlyMap<number, ServiceName> {
  const names = new Map(BUILT_IN.map(([opcode, name]) => [opcode, [name]]));
  const { functions } = module.declarations;
  for (const { name, opcodeNumber } of module.services.values()) {
    const stub = name.endsWith("_call")
      ? functions.find((one) => calledNames(module, one).has(name))?.name.text
      : undefined;
    names.set(opcodeNumber, [...names.get(opcodeNumber) ?? [], stub ?? name]);
  }
  return new Map(
    [...names].map(([opcode, all]) => [
      opcode,
      { name: all.join(" or "), place: placeOf(callLines(module, new Set(all))) },
    ]),
  );
}

/** The lines that call one of the functions, from the first. */
function callLines({ tokens, source }: KernelModule, names: ReadonlySet<string>): number[] {
  const isCall = (at: number) =>
    names.has(tokens[at]!.text) && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== "fn";
  const lines = tokens.flatMap(({ index }, at) =>
    isCall(at) ? [positionAt(source, index).line] : []
  );
  return [...new Set(lines)];
}

/** More lines than this are not told one by one. */
const LINES_MAX = 4;

function placeOf(lines: readonly number[]): string {
  if (lines.length === 0) return "";
  const told = lines.length > LINES_MAX
    ? [...lines.slice(0, LINES_MAX - 1), `${lines.length - LINES_MAX + 1} others`]
    : lines;
  return `in line ${told.join(", ").replace(/, (?=[^,]*$)/, " or ")}`;
}

function packetWords(text: Text, type: ValueType, index: number): readonly PacketWord[] {
  return wordsOf(text, type) ??
    text.refuse(
      index,
      `a packet holds numbers, bools, vectors, matrices, structs of these, and arrays whose length is a number: current value is ${
        typeText(type)
      }`,
    );
}

/** @throws {KernelCompileError} when what a function of the host takes or gives does not fit a packet */
export function checkWordCount(
  { refuse, laneWords }: Pick<Text, "refuse" | "laneWords">,
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
