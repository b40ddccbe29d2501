import {
  argumentWords,
  type Conversion,
  type FormatPiece,
  joinTexts,
  parseFormat,
} from "../../text/conversion.ts";
import { formatText, numberFormat } from "../../text/format_number.ts";
import type { Types } from "../text/inference.ts";
import { stringOf } from "../text/lexer.ts";
import type { Position } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Call, Expression, Node } from "../text/syntax.ts";
import {
  checkArgument,
  checkCondition,
  isString,
  type PrintParameter,
  refuse,
  valueOfArgument,
} from "./print_arguments.ts";

export { PrintFault, type PrintParameter } from "./print_arguments.ts";

/** One `printf` or `printf_if`, checked. */
export interface PrintCall {
  readonly call: Call;
  readonly position: Position;
  /** Text, and conversions of numbers and vectors, with `%s` and `%v` resolved. */
  readonly pieces: readonly FormatPiece[];
  readonly parameters: readonly PrintParameter[];
  readonly condition: Expression | undefined;
}

/** One `assert`: what it prints if its condition does not hold. */
export interface AssertCall extends PrintCall {
  readonly condition: Expression;
}

/** What takes strings. */
export const PRINTING: ReadonlySet<string> = new Set(["printf", "printf_if", "assert"]);

/** The reason that is told at a string which nothing prints. */
export function noStrings(literal: string): string {
  const names = [...PRINTING].join(", ");
  return `WGSL has no strings, and only ${names} take them: write printf(${literal})`;
}

/** The reason that is told at a call which is no statement. */
export function noValue(name: string): string {
  return `${name} has no value and is a statement of its own: write ${name}(...);`;
}

/** Whether it is a call of what prints, and not of what the text declares by that name. */
export function isPrinting(node: Node): node is Call {
  if (node.kind !== "call" || !PRINTING.has(node.text)) return false;
  const { declared } = node.callee;
  return declared === undefined || declared.kind === "variable"; // which nobody can call
}

/**
 * Finds what prints in a text.
 *
 * @throws {PrintFault} at one that is no statement of its own, and at a string that nothing takes
 */
export function printingCalls(module: Module): readonly Call[] {
  const found: Call[] = [];
  const visit = (node: Node, parents: readonly Node[]): void => {
    const [parent, outer] = parents;
    if (isPrinting(node)) {
      const { text } = node;
      if (!parents.some(({ kind }) => kind === "function")) {
        const does = text === "assert" ? "checks" : "prints";
        refuse(node, `${text} stands outside of a function: it ${does} when a shader runs`);
      }
      if (parent?.kind !== "do") refuse(node, noValue(text));
      const isHead = outer?.kind === "loop" && outer.keyword === "for";
      if (isHead && text === "assert") {
        refuse(node, "assert is a statement of its own, and no part of a for");
      }
      found.push(node);
    }
    // Of `printf("a" + b)` it is told below that a format is a literal.
    const taker = parent?.kind === "binary" ? outer : parent;
    const isTaken = taker !== undefined && isPrinting(taker);
    if (node.kind === "literal" && node.text.startsWith('"') && !isTaken) {
      refuse(node, noStrings(node.text));
    }
    for (const part of node.parts) visit(part, [node, ...parents]);
  };
  for (const one of module.globals) visit(one, []);
  return found;
}

/**
 * Reads a `printf` or `printf_if`, and checks its format against its arguments.
 *
 * @throws {PrintFault} when it is invalid
 */
export function printOf(types: Types, call: Call): PrintCall {
  const isConditional = call.text === "printf_if";
  const [head, ...others] = call.operands;
  const condition = isConditional ? head : undefined;
  if (isConditional && (!head || isString(head))) {
    refuse(head ?? call, 'its condition is missing: write printf_if(x > 1, "text\\n")');
  }
  if (condition) checkCondition(types, condition, "printf_if takes a bool before its format");
  const args = isConditional ? others : call.operands;
  return { ...readFormat(types, call, { args, wayOut: 'write printf("text\\n")' }), condition };
}

/**
 * Reads an `assert`: without a text, it has no pieces.
 *
 * @throws {PrintFault} when it is invalid
 */
export function assertOf(types: Types, call: Call): AssertCall {
  const [condition, ...args] = call.operands;
  if (!condition) refuse(call, 'assert has no condition: write assert(x < 4u, "x is %u", x)');
  if (isString(condition)) {
    const wayOut = `write assert(false, ${types.module.textOf(condition)})`;
    refuse(condition, `a condition comes first, then the text: ${wayOut}`);
  }
  checkCondition(types, condition, "assert takes a bool");
  if (args.length > 0) {
    return { ...readFormat(types, call, { args, wayOut: "leave its comma out" }), condition };
  }
  const position = types.module.positionAt(call.start);
  return { call, position, pieces: [], parameters: [], condition };
}

function readFormat(
  types: Types,
  call: Call,
  { args: [first, ...args], wayOut }: {
    readonly args: readonly Expression[];
    readonly wayOut: string;
  },
): Omit<PrintCall, "condition"> {
  const { module } = types;
  if (!first) refuse(call, `its format is missing: ${wayOut}`);
  const format = literalText(module, first, "its format");
  let pieces: readonly FormatPiece[];
  try {
    pieces = parseFormat(format);
  } catch (error) {
    refuse(first, (error as Error).message);
  }
  checkCount(call, { pieces, count: args.length, format });
  const parameters: PrintParameter[] = [];
  let next = 0;
  const placed = pieces.flatMap((piece): readonly FormatPiece[] => {
    if (typeof piece === "string") return [piece];
    if (piece.letter === "s") return [placeText(module, piece, args[next++]!)];
    for (const extent of [piece.width, piece.precision]) {
      if (extent !== "*") continue;
      parameters.push(checkArgument(types, args[next++]!, { conversion: piece, isExtent: true }));
    }
    const argument = args[next++]!;
    if (piece.size > 0) {
      parameters.push(checkArgument(types, argument, { conversion: piece, isExtent: false }));
      return [piece];
    }
    const shown = valueOfArgument(types, argument, piece);
    parameters.push(...shown.parameters);
    return shown.pieces;
  });
  return { call, position: module.positionAt(call.start), pieces: joinTexts(placed), parameters };
}

function literalText(module: Module, one: Expression, what: string): string {
  const written = module.textOf(one);
  if (!isString(one)) {
    refuse(
      one,
      `${what} has to be a string literal, as WGSL has no strings: current value is ${written}`,
    );
  }
  return stringOf(written) ?? refuse(one, `a string must be written like one in JSON: ${written}`);
}

function placeText(module: Module, conversion: Conversion, argument: Expression): string {
  const text = literalText(module, argument, "the argument of %s");
  const refuseStar = () => refuse(argument, `${conversion.text} has a *: write the number there`);
  return formatText(text, numberFormat(conversion, refuseStar));
}

/** Whether a template list may follow a name. */
export function takesList(name: string): boolean {
  return /^(?:vec|mat|array|bitcast|atomic|ptr)/.test(name);
}

/** Told at a call in which a comparison and another one are one list of types. */
export const READ_AS_LIST = "WGSL reads a < b, c > d as one list: write (a < b), (c > d)";

function checkCount(
  call: Call,
  { pieces, count, format }: {
    readonly pieces: readonly FormatPiece[];
    readonly count: number;
    readonly format: string;
  },
): void {
  const wanted = pieces.filter((piece) => typeof piece !== "string")
    .reduce((sum, piece) => sum + 1 + argumentWords({ ...piece, size: 0 }), 0);
  if (wanted === count) return;
  const takes = `takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  const given = `${count} ${count === 1 ? "is" : "are"} given`;
  // WGSL takes what stands between the signs for a list of types.
  const isList = call.operands.some((one) => {
    const name = one.kind === "call" ? one.callee : one;
    return name.kind === "name" && name.args.length > 0 && !takesList(name.text);
  });
  const wayOut = isList ? READ_AS_LIST : "each conversion takes one, each * one more, and %% none";
  refuse(call, `the format ${JSON.stringify(format)} ${takes} and ${given}: ${wayOut}`);
}
