import ringSource from "../ring/printf.wgsl" with { type: "text" };
import { type FormatPiece, joinTexts } from "../../../text/conversion.ts";
import { Types } from "../../text/inference.ts";
import { tokensOf } from "../../text/lexer.ts";
import type { Position } from "../../text/lines.ts";
import type { Module } from "../../text/module.ts";
import { blank, type Piece, Printer } from "../../text/printer.ts";
import type { Func, Node } from "../../text/syntax.ts";
import { refusePartPointers } from "../../text/text_rules.ts";
import { entryHeads, type PrintingEntry, STAGES } from "./entry_heads.ts";
import {
  assertOf,
  type PrintCall,
  PrintFault,
  printingCalls,
  printOf,
  type PrintParameter,
} from "../print_calls.ts";
import { ringFunction, silentFunction } from "../print_functions.ts";
import { StopRules } from "./stop_rules.ts";

/** Where the generated code finds the ring. */
export interface RingBindings {
  readonly group: number;
  readonly binding: number;
  /** Whether the number of the dispatch follows at the next binding. */
  readonly hasDispatch: boolean;
}

/** A `printf`, `printf_if` or `assert` of a shader. */
export interface ShaderCall extends PrintCall {
  /** The function that takes its place. */
  readonly name: string;
  readonly isAssert: boolean;
}

/** What generated code takes from WGSL, and a text can hide. */
const NEEDED =
  "u32 f32 bool vec2 vec3 vec4 array atomic bitcast select arrayLength atomicLoad atomicAdd".split(
    " ",
  );
/** The most parameters of a function of WGSL. */
const PARAMETERS_MAX = 255;
/** What the head of a record can number. */
const CALLS_MAX = 1023;

/** A shader in which `printf` and `assert` were found and checked, and the texts that are made of it. */
export class PrintingShader {
  readonly module: Module;
  /** In the order of the text. */
  readonly calls: readonly ShaderCall[];
  /** The entry points that print. */
  readonly printing: readonly PrintingEntry[];
  readonly #types: Types;
  readonly #prefix: string;
  readonly #byCall: ReadonlyMap<Node, ShaderCall>;
  /** Functions that a stage reaches which can print. */
  readonly #live: ReadonlySet<Func>;
  /** Those of them that print, and that a vertex stage reaches as well: it gets plain copies. */
  readonly #shared: ReadonlySet<Func>;
  readonly #stops: StopRules;

  /** @throws {PrintFault} at an invalid call */
  constructor(module: Module) {
    const types = this.#types = new Types(module);
    this.module = module;
    const prefix = this.#prefix = module.freePrefix("printf_");
    const short = shortPrefix(module);
    this.calls = printingCalls(module).map((call, at): ShaderCall => {
      const name = `${short}${at + 1}`;
      if (call.text !== "assert") return { ...printOf(types, call), name, isAssert: false };
      const checked = assertOf(types, call);
      const pieces = failurePieces(module.textOf(checked.condition), checked.pieces);
      return { ...checked, pieces, name, isAssert: true };
    });
    this.#byCall = new Map(this.calls.map((one) => [one.call, one]));
    this.#check();
    this.#live = module.reached(STAGES.flatMap((stage) => module.entries(stage)));
    const inVertex = module.reached(module.entries("vertex"));
    const own = module.functions.filter((one) => this.#callIn(one) !== undefined);
    const printing = module.reaching(own);
    this.#shared = new Set(
      module.functions.filter((one) =>
        printing.has(one) && inVertex.has(one) && this.#live.has(one)
      ),
    );
    this.printing = STAGES.flatMap((stage) =>
      module.entries(stage).filter((one) => printing.has(one)).map(({ name }) => ({ name, stage }))
    );
    const lost = own.find((one) => inVertex.has(one) && !this.#live.has(one));
    if (lost) this.#refuseVertex(lost);
    const asserts = this.calls.filter(({ isAssert }) => isAssert).map(({ call }) => call);
    this.#stops = new StopRules(module, { types, asserts, flag: `${prefix}stopped` });
  }

  /** The functions that print, and that a vertex stage shares, where they do not. */
  get sharedNames(): readonly string[] {
    return [...this.#shared].map(({ name }) => name);
  }

  #callIn({ start, end }: Func): ShaderCall | undefined {
    return this.calls.find(({ call }) => call.start > start && call.end <= end);
  }

  #check(): void {
    const { module, calls } = this;
    refusePartPointers(this.#types);
    const hidden = NEEDED.map((name) => module.byName.get(name)).find((one) => one !== undefined);
    if (hidden && calls.length > 0) {
      const reason = `${hidden.name} is declared here, and printf needs what WGSL means by it`;
      throw new PrintFault(hidden.nameStart, `${reason}: rename it`);
    }
    const large = calls.find(({ parameters, condition }) =>
      parameters.length + Number(condition !== undefined) > PARAMETERS_MAX
    );
    if (large) {
      const reason = `a printf takes at most ${PARAMETERS_MAX} arguments: make two of it`;
      throw new PrintFault(large.call.start, reason);
    }
    if (calls.length <= CALLS_MAX) return;
    const reason = `a text has at most ${CALLS_MAX} calls of printf: there are ${calls.length}`;
    throw new PrintFault(calls[CALLS_MAX]!.call.start, reason);
  }

  /** @param lost the function of a call, which only vertex stages reach */
  #refuseVertex(lost: Func): never {
    const { module } = this;
    const way: Func[] = [];
    const leads = (one: Func) => module.reached([one]).has(lost) && !way.includes(one);
    for (let one = module.entries("vertex").find(leads); one;) {
      way.push(one);
      one = one === lost ? undefined : module.calleesOf(one).values().find(leads);
    }
    const names = way.map(({ name }) => name).join(" > ");
    const reason =
      `the vertex stage of ${names} reaches it, and a vertex stage writes no storage buffers in WebGPU`;
    throw new PrintFault(
      this.#callIn(lost)!.call.start,
      `${reason}: hand the value to a fragment stage`,
    );
  }

  /** The text that prints to a ring. */
  ringText(bindings: RingBindings): Printer {
    const prefix = this.#prefix;
    const { inserted, stopped: silence } = this.#stops;
    const heads = entryHeads(this.#types, { printing: this.printing, prefix });
    const printer = this.#printed(
      (one) => this.#ringPieces(one),
      (node) => this.#stops.rewrite(node),
      new Map([...inserted, ...heads]),
    );
    if (silence) printer.write(`var<private> ${silence}: bool;\n`);
    printer.write(ringSourceAt(bindings, { prefix, callCount: this.calls.length }));
    const functions = this.calls.map((call, at) => {
      const condition = call.isAssert ? undefined : call.condition;
      const made = { name: call.name, prefix, number: at + 1, silence };
      return ringFunction({ ...call, condition }, made);
    });
    return printer.write(functions.join("\n"));
  }

  /** The text whose arguments are evaluated, and which prints nothing and stops nobody. */
  silentText(): Printer {
    const { module } = this;
    const printer = this.#printed((one) => callPieces(module.source, one, one.condition));
    return printer.write(this.calls.map((call) => silentFunction(call, call.name)).join("\n"));
  }

  /** A compiler's words, with the names that the author wrote. */
  authorWords(said: string): string {
    return this.calls.reduce(
      (text, { name, call }) => text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), call.text),
      said,
    );
  }

  #ringPieces(one: ShaderCall): readonly Piece[] {
    const { source } = this.module;
    if (!one.isAssert) return callPieces(source, one, one.condition);
    const { call, condition } = one;
    const rest = { ...one, call: { ...call, start: condition!.end } };
    const head = filled(blank(source, { start: call.start, end: condition!.start }), "if !(", "");
    const stop = this.#stops.stopText(call);
    return [head, condition!, ") { ", ...callPieces(source, rest), `; ${stop} }`];
  }

  /** Prints the author's text with other calls, and behind it the plain functions of vertex stages. */
  #printed(
    piecesOf: (call: ShaderCall) => readonly Piece[],
    others: (node: Node) => readonly Piece[] | undefined = () => undefined,
    inserted: ReadonlyMap<number, string> = new Map(),
  ): Printer {
    const { module } = this;
    let isPlain = false;
    const printer = new Printer(module.source, (node) => {
      if (node.kind === "function") isPlain = !this.#live.has(node);
      const call = this.#byCall.get(node);
      if (call) return isPlain ? [blank(module.source, node)] : piecesOf(call);
      if (!isPlain) return others(node);
      const called = node.kind === "name" ? node.declared : undefined;
      return called?.kind === "function" && this.#shared.has(called)
        ? [this.#plainName(called)]
        : undefined;
    }, inserted);
    printer.module(module.globals).write("\n");
    isPlain = true;
    for (const one of this.#shared) {
      const rest = { ...one, start: one.nameStart + one.name.length };
      printer.write(`fn ${this.#plainName(one)}`).print({ as: rest }).write("\n");
    }
    return printer;
  }

  #plainName({ name }: Func): string {
    return `${this.#prefix}plain_${name}`;
  }
}

/** Where what a compiler says of a printed text stands in the author's. */
export function authorPosition(module: Module, printed: Printer, position: Position): Position {
  return module.positionAt(printed.origin(position) ?? 0);
}

/** The beginning of names that are as short as `assert`, so that columns stay where there is room. */
function shortPrefix(module: Module): string {
  const prefixes = Array.from("pqrstuvwxyzabcdefghijklmno", (letter) => `${letter}_`);
  return prefixes.find((one) => module.freePrefix(one) === one) ?? module.freePrefix("p_");
}

/** Blanks with texts at their beginning and end, which move what is behind them only where they find no room. */
function filled(blanks: string, head: string, tail: string): string {
  const lines = blanks.split("\n");
  const last = lines.pop()!;
  if (lines.length === 0) return head + tail.padStart(last.length - head.length);
  lines[0] = head.padEnd(lines[0]!.length);
  return [...lines, tail.padStart(last.length)].join("\n");
}

/** The call of the function that takes a call's place, with the arguments where they are written. */
function callPieces(
  source: string,
  { name, call, parameters }: ShaderCall,
  condition?: PrintParameter["node"],
): readonly Piece[] {
  const made: Piece[] = [];
  let [head, at, isFirst] = [`${name}(`, call.start, true];
  const all = condition
    ? [{ node: condition, around: ["(", ")"] as const }, ...parameters]
    : parameters;
  for (const { node, around: [before, after] = ["", ""] } of all) {
    if (!isFirst) head += ",";
    isFirst = false;
    if (node) {
      made.push(filled(blank(source, { start: at, end: node.start }), head, before), node);
      [head, at] = [after, node.end];
    } else head += ` ${before}${after}`;
  }
  return [...made, filled(blank(source, { start: at, end: call.end }), head, ")")];
}

/** What a failed `assert` prints: its condition in one line, and the author's text. */
function failurePieces(condition: string, pieces: readonly FormatPiece[]): readonly FormatPiece[] {
  let [written, end] = ["", 0];
  for (const { text, start } of tokensOf(condition)) {
    written += end > 0 && start > end ? ` ${text}` : text;
    end = start + text.length;
  }
  const own = pieces.map((piece, at) =>
    typeof piece === "string" && at === pieces.length - 1 ? piece.replace(/\n+$/, "") : piece
  );
  return joinTexts([
    `assertion failed: ${written}`,
    ...own.length > 0 ? [": ", ...own] : [],
    "\n",
  ]);
}

function ringSourceAt(
  { group, binding, hasDispatch }: RingBindings,
  { prefix, callCount }: { readonly prefix: string; readonly callCount: number },
): string {
  const dispatch = hasDispatch
    ? `@group(${group}) @binding(${binding + 1}) var<uniform> printf_dispatch`
    : "var<private> printf_dispatch";
  return ringSource
    .replace("@group(0) @binding(0)", `@group(${group}) @binding(${binding})`)
    .replace("@group(0) @binding(1) var<uniform> printf_dispatch", dispatch)
    .replace("printf_call_count = 1u", `printf_call_count = ${Math.max(1, callCount)}u`)
    .replaceAll("printf_", prefix);
}
