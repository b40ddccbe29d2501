import { closingOf, listParts, type Token, type TokenRange } from "../syntax/tokens.ts";
import { type Conversion, type FormatPiece, parseFormat } from "../../text/conversion.ts";
import { formatText, numberFormat } from "../../text/format_number.ts";
import { checkArgument, vectorConversion } from "./argument_type.ts";
import { refuseAt } from "./printf_error.ts";
import { positionAt, type TextPosition } from "../syntax/text_position.ts";
import type { Scope } from "../syntax/value_type.ts";

/** One `printf` of a shader. */
export interface PrintfCall {
  /** Where it stands in the author's text. */
  readonly position: TextPosition;
  /** Text, and conversions of numbers and vectors: what `%s` and `%v` mean is filled in. */
  readonly pieces: readonly FormatPiece[];
  /** Which token is its name. */
  readonly at: number;
  /** Tokens that no compiler may see: the format, and the texts of `%s`, with their commas. */
  readonly hidden: readonly Token[];
}

/** A shader whose calls are being read. */
export interface PrintfScope extends Scope {
  readonly source: string;
}

/**
 * Finds the calls of `printf` in a shader, and checks each format against its arguments.
 *
 * @throws {PrintfError} at the first that cannot be
 */
export function printfCalls(scope: PrintfScope): readonly PrintfCall[] {
  const { tokens } = scope;
  const calls: PrintfCall[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.text !== "printf" || tokens[at + 1]?.text !== "(") continue;
    checkStatement(scope, at);
    calls.push(readCall(scope, at));
  }
  return calls;
}

function checkStatement({ source, tokens, declarations }: PrintfScope, at: number): void {
  const refuse = (reason: string) => refuseAt(source, tokens[at]!.index, reason);
  const before = tokens[at - 1]?.text ?? "";
  if (before === "fn") refuse("printf is declared here, and is the name of what prints: rename it");
  const isInside = declarations.functions.some(({ body }) => at >= body.start && at < body.end);
  if (!isInside) refuse("printf stands outside of a function: it prints when a kernel runs");
  const after = tokens[closingOf(tokens, at + 1) + 1]?.text ?? "";
  const isFirst = /^[;{}]$/.test(before) || (before === "(" && tokens[at - 2]?.text === "for");
  if (isFirst && /^[;)]$/.test(after)) return;
  refuse("printf has no value and is a statement of its own: write printf(...);");
}

/** Reads the arguments one after the other. */
class ArgumentReader {
  readonly #scope: PrintfScope;
  readonly #args: readonly TokenRange[];
  readonly hidden: Token[] = [];
  #next = 1;
  #isShown = false;

  constructor(scope: PrintfScope, args: readonly TokenRange[]) {
    this.#scope = scope;
    this.#args = args;
    this.#hide(args[0]!);
  }

  /** Takes the next one away from the compiler. */
  takeHidden(): TokenRange {
    const range = this.#args[this.#next]!;
    this.#hide({ start: range.start - 1, end: range.end });
    this.#next += 1;
    return range;
  }

  /** Leaves the next one to the compiler; the first of these has no comma in front. */
  takeShown(): TokenRange {
    const range = this.#args[this.#next]!;
    if (!this.#isShown) this.#hide({ start: range.start - 1, end: range.start });
    this.#isShown = true;
    this.#next += 1;
    return range;
  }

  #hide({ start, end }: TokenRange): void {
    this.hidden.push(...this.#scope.tokens.slice(start, end));
  }
}

function readCall(scope: PrintfScope, at: number): PrintfCall {
  const { source, tokens } = scope;
  const end = closingOf(tokens, at + 1);
  const args = listParts(tokens, { start: at + 2, end });
  const format = literalText(scope, args[0], tokens[at]!, "its format");
  const pieces = piecesOf(scope, args[0]!, format);
  checkCount(scope, tokens[at]!, { pieces, count: args.length - 1, format });
  const reader = new ArgumentReader(scope, args);
  const placed = pieces.map((piece) =>
    typeof piece === "string" ? piece : place(scope, piece, reader)
  );
  const last = tokens[end - 1]!;
  return {
    position: positionAt(source, tokens[at]!.index),
    pieces: joined(placed),
    at,
    hidden: last.text === "," ? [...reader.hidden, last] : reader.hidden,
  };
}

function joined(pieces: readonly FormatPiece[]): FormatPiece[] {
  const result: FormatPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece !== "string" || typeof last !== "string") result.push(piece);
    else result[result.length - 1] = last + piece;
  }
  return result;
}

function piecesOf({ source, tokens }: PrintfScope, range: TokenRange, format: string) {
  try {
    return parseFormat(format);
  } catch (error) {
    refuseAt(source, tokens[range.start]!.index, (error as Error).message);
  }
}

/** The text of an argument that has to be a string and nothing else. */
function literalText(
  { source, tokens }: PrintfScope,
  range: TokenRange | undefined,
  name: Token,
  what: string,
): string {
  const token = range && tokens[range.start];
  if (!token) return refuseAt(source, name.index, `${what} is missing: write printf("text\\n")`);
  const written = source.slice(token.index, tokens[range.end - 1]!.index) +
    tokens[range.end - 1]!.text;
  if (token.kind !== "string" || range.end - range.start > 1) {
    refuseAt(
      source,
      token.index,
      `${what} has to be a string literal, which the host keeps, as WGSL has no strings: current value is ${written}`,
    );
  }
  try {
    return JSON.parse(token.text) as string;
  } catch {
    return refuseAt(source, token.index, `a string must be written like one in JSON: ${written}`);
  }
}

function argumentCount(piece: FormatPiece): number {
  if (typeof piece === "string") return 0;
  return 1 + Number(piece.width === "*") + Number(piece.precision === "*");
}

function checkCount(
  { source }: PrintfScope,
  name: Token,
  call: {
    readonly pieces: readonly FormatPiece[];
    readonly count: number;
    readonly format: string;
  },
): void {
  const wanted = call.pieces.reduce((sum, piece) => sum + argumentCount(piece), 0);
  if (wanted === call.count) return;
  const format = JSON.stringify(call.format);
  const takes = `takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  const given = `${call.count} ${call.count === 1 ? "is" : "are"} given`;
  refuseAt(
    source,
    name.index,
    `the format ${format} ${takes} and ${given}: each conversion takes one, each * one more, and %% none`,
  );
}

/** Checks what a conversion takes, and makes text of `%s`, and a vector of known type of `%v`. */
function place(scope: PrintfScope, conversion: Conversion, reader: ArgumentReader): FormatPiece {
  if (conversion.letter === "s") return placeText(scope, conversion, reader);
  for (const extent of [conversion.width, conversion.precision]) {
    if (extent === "*") checkArgument(scope, reader.takeShown(), { conversion, isExtent: true });
  }
  const range = reader.takeShown();
  if (conversion.size === 0) return vectorConversion(scope, range, conversion);
  checkArgument(scope, range, { conversion, isExtent: false });
  return conversion;
}

function placeText(scope: PrintfScope, conversion: Conversion, reader: ArgumentReader): string {
  const range = reader.takeHidden();
  const token = scope.tokens[range.start]!;
  const text = literalText(scope, range, token, "the argument of %s");
  const refuseStar = () =>
    refuseAt(scope.source, token.index, `${conversion.text} has a *: write the number there`);
  return formatText(text, numberFormat(conversion, refuseStar));
}
