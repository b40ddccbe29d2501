import type { TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import {
  closingOf,
  listParts,
  stringOf,
  stringsBeside,
  type Token,
  type TokenRange,
} from "../syntax/tokens.ts";
import {
  argumentWords,
  type Conversion,
  type FormatPiece,
  joinTexts,
  parseFormat,
} from "../../text/conversion.ts";
import { formatText, numberFormat } from "../../text/format_number.ts";
import {
  checkArgument,
  conditionOf,
  type PrintfParameter,
  refuseAt,
  valueOfArgument,
} from "./printf_arguments.ts";

export { PrintfError } from "../print/printf_error.ts";

/** One `printf` of a shader. */
export interface PrintfCall {
  /** Its position in the author's text. */
  readonly position: TextPosition;
  /** Text, and conversions of numbers and vectors, with `%s` and `%v` resolved. */
  readonly pieces: readonly FormatPiece[];
  /** The arguments that the device evaluates, in their order; first the condition of `printf_if`. */
  readonly parameters: readonly PrintfParameter[];
  /** Whether it is a `printf_if`. */
  readonly isConditional: boolean;
  /** The token index of its name. */
  readonly at: number;
  /** Tokens to hide from compilers: the format, and the texts of `%s`, with their commas. */
  readonly hidden: readonly Token[];
}

/** What prints; `printf_if` takes a condition first. */
export const PRINTING: readonly string[] = ["printf", "printf_if"];

/**
 * Finds the calls of `printf` and `printf_if` in a shader, and checks each format against its arguments.
 *
 * @throws {PrintfError} at the first invalid one
 */
export function printfCalls(text: WgslText): readonly PrintfCall[] {
  const { tokens } = text;
  const calls: PrintfCall[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!PRINTING.includes(tokens[at]!.text) || tokens[at + 1]?.text !== "(") continue;
    checkStatement(text, at, "prints");
    calls.push(readCall(text, at));
  }
  return calls;
}

/**
 * Refuses strings that nothing prints, before a compiler calls them an unexpected sign.
 *
 * @param names what takes strings
 * @throws {PrintfError} at the first
 */
export function refuseStrings(text: WgslText, names: readonly string[]): void {
  const [found] = stringsBeside(text.tokens, new Set(names));
  if (!found) return;
  const reason = `WGSL has no strings, and only ${names.join(", ")} take them`;
  refuseAt(text, found.token, `${reason}: write printf(${found.token.text})`);
}

/**
 * Checks that a call by a name of this library is a statement of its own, in a function.
 *
 * @param does says what it does, as "prints"
 * @throws {PrintfError} at its name
 */
export function checkStatement(text: WgslText, at: number, does: string): void {
  const { tokens, declarations } = text;
  const { text: name } = tokens[at]!;
  const refuse = (reason: string) => refuseAt(text, tokens[at]!, reason);
  const before = tokens[at - 1]?.text ?? "";
  if (before === "fn") {
    refuse(`${name} is declared here, and is the name of what ${does}: rename it`);
  }
  const isInside = declarations.functions.some(({ body }) => at >= body.start && at < body.end);
  if (!isInside) refuse(`${name} stands outside of a function: it ${does} when a shader runs`);
  const after = tokens[closingOf(tokens, at + 1) + 1]?.text ?? "";
  const isFirst = /^[;{}]$/.test(before) || (before === "(" && tokens[at - 2]?.text === "for");
  if (isFirst && /^[;)]$/.test(after)) return;
  refuse(`${name} has no value and is a statement of its own: write ${name}(...);`);
}

/**
 * Reads one call, and checks its format against its arguments: of whatever has another name than `printf` a
 * condition comes first.
 *
 * @throws {PrintfError} when it is invalid
 */
export function readCall(text: WgslText, at: number): PrintfCall {
  const { tokens } = text;
  const end = closingOf(tokens, at + 1);
  const isConditional = tokens[at]!.text !== "printf";
  const [head, ...args] = splitCall(text, at, { start: at + 2, end });
  const format = literalText(text, args[0], tokens[at]!, "its format");
  const pieces = piecesOf(text, args[0]!, format);
  checkCount(text, tokens[at]!, { pieces, count: args.length - 1, format, at });
  const hidden = tokens.slice(args[0]!.start - Number(isConditional), args[0]!.end);
  let [next, isFirst] = [1, !isConditional];
  // Hides each string with its comma, and the comma before the first other argument.
  const take: TakeArgument = (isString) => {
    const range = args[next++]!;
    if (isString) hidden.push(...tokens.slice(range.start - 1, range.end));
    else if (isFirst) hidden.push(tokens[range.start - 1]!);
    isFirst &&= isString;
    return range;
  };
  const parameters: PrintfParameter[] = head ? [conditionOf(text, head)] : [];
  const placed = pieces.flatMap((piece) =>
    typeof piece === "string" ? piece : place(text, piece, { take, parameters })
  );
  const last = tokens[end - 1]!;
  if (last.text === ",") hidden.push(last);
  return {
    position: text.positionAt(tokens[at]!.index),
    pieces: joinTexts(placed),
    parameters,
    isConditional,
    at,
    hidden,
  };
}

/** The condition if there is one, then the format and its arguments. */
function splitCall(
  text: WgslText,
  at: number,
  list: TokenRange,
): [TokenRange | undefined, ...TokenRange[]] {
  const { tokens } = text;
  const parts = listParts(tokens, list);
  const empty = parts.find(({ start, end }) => end <= start);
  if (empty) refuseAt(text, tokens[empty.end]!, "an argument is missing between two commas");
  if (tokens[at]!.text === "printf") return [undefined, ...parts];
  const [condition, ...args] = parts;
  if (!condition || tokens[condition.start]!.kind === "string") {
    const reason = 'its condition is missing: write printf_if(x > 1, "text\\n")';
    refuseAt(text, tokens[condition?.start ?? at]!, reason);
  }
  return [condition, ...args];
}

/** Takes the next argument, which is hidden if it is a string. */
type TakeArgument = (isString: boolean) => TokenRange;

function piecesOf(text: WgslText, { start }: TokenRange, format: string) {
  try {
    return parseFormat(format);
  } catch (error) {
    refuseAt(text, text.tokens[start]!, (error as Error).message);
  }
}

/** The text of an argument that must be a string literal. */
function literalText(
  text: WgslText,
  range: TokenRange | undefined,
  name: Token,
  what: string,
): string {
  if (!range) return refuseAt(text, name, `${what} is missing: write printf("text\\n")`);
  const token = text.tokens[range.start]!;
  const written = text.textOf(range);
  const next = text.tokens[range.start + 1]!;
  if (token.kind === "string" && range.end - range.start > 1 && next.kind !== "mark") {
    refuseAt(text, next, `a comma is missing: write , ${next.text}`);
  }
  if (token.kind !== "string" || range.end - range.start > 1) {
    refuseAt(
      text,
      token,
      `${what} has to be a string literal, as WGSL has no strings: current value is ${written}`,
    );
  }
  return stringOf(token.text) ??
    refuseAt(text, token, `a string must be written like one in JSON: ${written}`);
}

function checkCount(
  text: WgslText,
  name: Token,
  call: {
    readonly pieces: readonly FormatPiece[];
    readonly count: number;
    readonly format: string;
    readonly at: number;
  },
): void {
  const wanted = call.pieces.filter((piece) => typeof piece !== "string")
    .reduce((sum, piece) => sum + 1 + argumentWords({ ...piece, size: 0 }), 0);
  if (wanted === call.count) return;
  const format = JSON.stringify(call.format);
  const takes = `takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  const given = `${call.count} ${call.count === 1 ? "is" : "are"} given`;
  const end = closingOf(text.tokens, call.at + 1);
  // WGSL takes what stands between the signs for a list of types.
  const isList = text.tokens.slice(call.at, end).some(({ kind, text }, at, tokens) =>
    kind === "template" && text === "<" &&
    !/^(?:vec|mat|array|bitcast|atomic|ptr)/.test(tokens[at - 1]!.text)
  );
  const wayOut = isList
    ? "WGSL reads a < b, c > d as one list: write (a < b), (c > d)"
    : "each conversion takes one, each * one more, and %% none";
  refuseAt(
    text,
    name,
    `the format ${format} ${takes} and ${given}: ${wayOut}`,
  );
}

/** Checks the arguments of a conversion, and resolves `%s` and `%v`. */
function place(
  scope: WgslText,
  conversion: Conversion,
  { take, parameters }: {
    readonly take: TakeArgument;
    readonly parameters: PrintfParameter[];
  },
): readonly FormatPiece[] {
  if (conversion.letter === "s") return [placeText(scope, conversion, take)];
  for (const extent of [conversion.width, conversion.precision]) {
    if (extent !== "*") continue;
    parameters.push(checkArgument(scope, take(false), { conversion, isExtent: true }));
  }
  const range = take(false);
  if (conversion.size > 0) {
    parameters.push(checkArgument(scope, range, { conversion, isExtent: false }));
    return [conversion];
  }
  const { pieces, parameters: values } = valueOfArgument(scope, range, conversion);
  parameters.push(...values);
  return pieces;
}

function placeText(scope: WgslText, conversion: Conversion, take: TakeArgument): string {
  const range = take(true);
  const token = scope.tokens[range.start]!;
  const text = literalText(scope, range, token, "the argument of %s");
  const refuseStar = () =>
    refuseAt(scope, token, `${conversion.text} has a *: write the number there`);
  return formatText(text, numberFormat(conversion, refuseStar));
}
