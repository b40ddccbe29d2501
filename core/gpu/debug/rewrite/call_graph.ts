import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { type BlockStatement, readBlock } from "../../syntax/statements.ts";
import { type TextPosition, WgslText } from "../../syntax/wgsl_text.ts";
import { TokenReader } from "../../syntax/tokens.ts";

/** A call of a function of the text. */
export interface CallSite {
  readonly caller: FunctionDeclaration;
  readonly callee: FunctionDeclaration;
  /** The token of the name. */
  readonly at: number;
}

/** A call on the way from an entry point to where something happened. */
export interface CallFrame {
  /** The function. */
  readonly name: string;
  /** Where it was left: the innermost frame where something happened, the others at a call. */
  readonly position: TextPosition;
}

/** The functions of a text, and which of them call which. */
export class CallGraph {
  readonly text: WgslText;
  readonly functions: readonly FunctionDeclaration[];
  /** All calls, in the order of the text. */
  readonly calls: readonly CallSite[];

  /** Finds the calls of a text. */
  constructor(text: WgslText) {
    this.text = text;
    const { tokens, declarations } = text;
    this.functions = declarations.functions.filter(({ body }) => body.end > body.start - 1);
    const byName = new Map(this.functions.map((one) => [one.name.text, one]));
    this.calls = this.functions.flatMap((caller) => {
      const calls: CallSite[] = [];
      for (let at = caller.body.start; at < caller.body.end; at++) {
        const { kind, text: name } = tokens[at]!;
        if (kind !== "name" || tokens[at + 1]?.text !== "(" || tokens[at - 1]?.text === ".") {
          continue;
        }
        const callee = byName.get(name);
        if (callee && callee !== caller) calls.push({ caller, callee, at });
      }
      return calls;
    });
  }

  /** These functions, and those that call them directly or indirectly. */
  callersOf(wanted: Iterable<FunctionDeclaration>): ReadonlySet<FunctionDeclaration> {
    const found = new Set(wanted);
    for (const one of found) {
      for (const { caller, callee } of this.calls) if (callee === one) found.add(caller);
    }
    return found;
  }

  /** These functions, and those that they call directly or indirectly. */
  calledBy(from: Iterable<FunctionDeclaration>): ReadonlySet<FunctionDeclaration> {
    const found = new Set(from);
    for (const one of found) {
      for (const { caller, callee } of this.calls) if (caller === one) found.add(callee);
    }
    return found;
  }

  /** The statements of a function; `undefined` if they are no WGSL, which the compiler says. */
  bodyOf({ body }: FunctionDeclaration): BlockStatement | undefined {
    const reader = new TokenReader(this.text.tokens, body.start - 1, (_, reason) => {
      throw new SyntaxError(reason);
    });
    try {
      return readBlock(reader);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** The numbers that one word holds. */
const WORD = 2 ** 32;

/**
 * Numbers the ways from entry points to each function, so that one word tells a whole chain of calls:
 * a call adds a constant to the number of its caller. Functions of WGSL are not recursive, and so the
 * ways are finite.
 */
export class CallWays {
  readonly #graph: CallGraph;
  readonly #counts = new Map<FunctionDeclaration, number>();
  readonly #offsets = new Map<number, number>();

  /** Counts the ways of a text. */
  constructor(graph: CallGraph) {
    this.#graph = graph;
    for (const one of graph.functions) this.#count(one, []);
  }

  /** What the call at a token adds to its caller's number. */
  offsetOf(at: number): number {
    return (this.#offsets.get(at) ?? 0) % WORD;
  }

  /** The calls that lead to a function, the innermost first; empty if the number does not tell them. */
  chainOf(one: FunctionDeclaration, way: number): readonly CallSite[] {
    const chain: CallSite[] = [];
    for (let [to, left] = [one, way];;) {
      const calls = this.#graph.calls.filter(({ callee }) => callee === to);
      if (calls.length === 0) return left === 0 ? chain : [];
      if (this.#counts.get(to)! > WORD) return [];
      const call = calls.find(({ at, caller }) => {
        const offset = this.#offsets.get(at)!;
        return left >= offset && left < offset + this.#counts.get(caller)!;
      });
      if (!call) return [];
      chain.push(call);
      [to, left] = [call.caller, left - this.#offsets.get(call.at)!];
    }
  }

  #count(one: FunctionDeclaration, way: readonly FunctionDeclaration[]): number {
    const known = this.#counts.get(one);
    if (known !== undefined) return known;
    // A function that calls itself is refused by the compiler.
    if (way.includes(one)) return 0;
    const calls = this.#graph.calls.filter(({ callee }) => callee === one);
    let count = 0;
    for (const { caller, at } of calls) {
      this.#offsets.set(at, count);
      count += this.#count(caller, [...way, one]);
    }
    this.#counts.set(one, calls.length === 0 ? 1 : count);
    return this.#counts.get(one)!;
  }
}
