import type { TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import { closingOf, listParts, stringOf, type Token, type TokenRange } from "../syntax/tokens.ts";
import {
  argumentWords,
  type Conversion,
  type FormatPiece,
  joinTexts,
  LETTER_OF_SCALAR,
  parseFormat,
  scalarOf,
} from "../../text/conversion.ts";
import { formatText, numberFormat } from "../../text/format_number.ts";
import { type ScalarName, type Scope, typeText, type ValueType } from "../syntax/value_type.ts";
import { concreteType, typeOfRange } from "../syntax/expression_type.ts";

/** An invalid `printf` in a shader. The message shows the line and says how to fix it. */
export class PrintfError extends Error implements TextPosition {
  /** The name of the class. */
  override readonly name = "PrintfError";
  /** The line in the author's text, from 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** What is wrong, without the place. */
  readonly reason: string;

  /** @internal Made where a shader is rewritten or compiled. */
  constructor(reason: string, text: WgslText, { line, column }: TextPosition) {
    const shown = text.lineOf(line);
    super(`Cannot print as line ${line}, column ${column} is wrong: ${reason}\n${line} | ${shown}`);
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

/** Throws a {@linkcode PrintfError} at a token of a text. */
export function refuseAt(text: WgslText, { index }: Token, reason: string): never {
  throw new PrintfError(reason, text, text.positionAt(index));
}

/** One `printf` of a shader. */
export interface PrintfCall {
  /** Its position in the author's text. */
  readonly position: TextPosition;
  /** Text, and conversions of numbers and vectors, with `%s` and `%v` resolved. */
  readonly pieces: readonly FormatPiece[];
  /** The token index of its name. */
  readonly at: number;
  /** Tokens to hide from compilers: the format, and the texts of `%s`, with their commas. */
  readonly hidden: readonly Token[];
}

/**
 * Finds the calls of `printf` in a shader, and checks each format against its arguments.
 *
 * @throws {PrintfError} at the first invalid one
 */
export function printfCalls(text: WgslText): readonly PrintfCall[] {
  const { tokens } = text;
  const calls: PrintfCall[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.text !== "printf" || tokens[at + 1]?.text !== "(") continue;
    checkStatement(text, at);
    calls.push(readCall(text, at));
  }
  return calls;
}

function checkStatement(text: WgslText, at: number): void {
  const { tokens, declarations } = text;
  const refuse = (reason: string) => refuseAt(text, tokens[at]!, reason);
  const before = tokens[at - 1]?.text ?? "";
  if (before === "fn") refuse("printf is declared here, and is the name of what prints: rename it");
  const isInside = declarations.functions.some(({ body }) => at >= body.start && at < body.end);
  if (!isInside) refuse("printf stands outside of a function: it prints when a kernel runs");
  const after = tokens[closingOf(tokens, at + 1) + 1]?.text ?? "";
  const isFirst = /^[;{}]$/.test(before) || (before === "(" && tokens[at - 2]?.text === "for");
  if (isFirst && /^[;)]$/.test(after)) return;
  refuse("printf has no value and is a statement of its own: write printf(...);");
}

/**
 * Reads one call, and checks its format against its arguments.
 *
 * @param formatIndex the number of arguments before the format, which are not read
 * @throws {PrintfError} when it is invalid
 */
export function readCall(text: WgslText, at: number, formatIndex = 0): PrintfCall {
  const { tokens } = text;
  const end = closingOf(tokens, at + 1);
  const args = listParts(tokens, { start: at + 2, end }).slice(formatIndex);
  const format = literalText(text, args[0], tokens[at]!, "its format");
  const pieces = piecesOf(text, args[0]!, format);
  checkCount(text, tokens[at]!, { pieces, count: args.length - 1, format });
  const hidden = tokens.slice(args[0]!.start, args[0]!.end);
  let [next, isFirst] = [1, true];
  // Hides each string with its comma, and the comma before the first other argument.
  const take: TakeArgument = (isString) => {
    const range = args[next++]!;
    if (isString) hidden.push(...tokens.slice(range.start - 1, range.end));
    else if (isFirst) hidden.push(tokens[range.start - 1]!);
    isFirst &&= isString;
    return range;
  };
  const placed = pieces.map((piece) =>
    typeof piece === "string" ? piece : place(text, piece, take)
  );
  const last = tokens[end - 1]!;
  if (last.text === ",") hidden.push(last);
  return {
    position: text.positionAt(tokens[at]!.index),
    pieces: joinTexts(placed),
    at,
    hidden,
  };
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
  if (token.kind !== "string" || range.end - range.start > 1) {
    refuseAt(
      text,
      token,
      `${what} has to be a string literal, which the host keeps, as WGSL has no strings: current value is ${written}`,
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
  },
): void {
  const wanted = call.pieces.filter((piece) => typeof piece !== "string")
    .reduce((sum, piece) => sum + 1 + argumentWords({ ...piece, size: 0 }), 0);
  if (wanted === call.count) return;
  const format = JSON.stringify(call.format);
  const takes = `takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  const given = `${call.count} ${call.count === 1 ? "is" : "are"} given`;
  refuseAt(
    text,
    name,
    `the format ${format} ${takes} and ${given}: each conversion takes one, each * one more, and %% none`,
  );
}

/** Checks the arguments of a conversion, and resolves `%s` and `%v`. */
function place(scope: WgslText, conversion: Conversion, take: TakeArgument): FormatPiece {
  if (conversion.letter === "s") return placeText(scope, conversion, take);
  for (const extent of [conversion.width, conversion.precision]) {
    if (extent === "*") checkArgument(scope, take(false), { conversion, isExtent: true });
  }
  const range = take(false);
  if (conversion.size === 0) return vectorConversion(scope, range, conversion);
  checkArgument(scope, range, { conversion, isExtent: false });
  return conversion;
}

function placeText(scope: WgslText, conversion: Conversion, take: TakeArgument): string {
  const range = take(true);
  const token = scope.tokens[range.start]!;
  const text = literalText(scope, range, token, "the argument of %s");
  const refuseStar = () =>
    refuseAt(scope, token, `${conversion.text} has a *: write the number there`);
  return formatText(text, numberFormat(conversion, refuseStar));
}

/** How to print a value: a conversion, and the value in the form that it takes. */
interface WayOut {
  readonly conversion?: string;
  readonly value?: string;
}

/** The simplest letter for each scalar. */
const LETTERS: Readonly<Record<ScalarName, string>> = { ...LETTER_OF_SCALAR, f32: "f" };

function isScalar(name: string): name is ScalarName {
  return name in LETTERS;
}

/** The size of a vector and the type of its components; 1 and the type itself otherwise. */
function partsOf(type: ValueType): { readonly size: 1 | 2 | 3 | 4; readonly scalar: string } {
  const size = Number(/^vec([2-4])$/.exec(type.name)?.[1] ?? 1) as 1 | 2 | 3 | 4;
  return { size, scalar: size === 1 ? type.name : type.args[0]?.name ?? "" };
}

/** How a value can be printed; `undefined` if its type is unknown. */
function wayOutOf({ declarations }: Scope, type: ValueType, text: string): WayOut | undefined {
  const { size, scalar } = partsOf(concreteType(type));
  const [mark, shape] = size > 1 ? [`v${size}`, `vec${size}`] : ["", ""];
  if (isScalar(scalar)) return { conversion: `%${mark}${LETTERS[scalar]}` };
  if (scalar === "f16") {
    return { conversion: `%${mark}f`, value: `${shape || "f32"}${shape && "f"}(${text})` };
  }
  if (scalar === "bool") {
    const [zero, one] = shape ? [`${shape}u()`, `${shape}u(1)`] : ["0u", "1u"];
    return { conversion: `%${mark}u`, value: `select(${zero}, ${one}, ${text})` };
  }
  if (type.name === "ptr") return { value: `*${text}, what it points to` };
  if (type.name === "atomic") return { value: `atomicLoad(&${text})` };
  if (type.name === "array") return { value: `its elements, as ${text}[0]` };
  if (type.name.startsWith("mat")) return { value: `its columns, as ${text}[0]` };
  const member = declarations.structs.get(type.name)?.[0]?.name.text;
  return member === undefined ? undefined : { value: `its members, as ${text}.${member}` };
}

/** Names a type in error messages. */
function nameOf(type: ValueType, isNegative: boolean): string {
  const names: Readonly<Record<string, string>> = {
    bool: "a bool",
    int: isNegative ? "negative" : "a number",
    ptr: "a pointer",
  };
  return names[type.name] ?? typeText(concreteType(type));
}

/**
 * Rejects an argument whose type its conversion does not take. If the type is unknown, the compiler
 * checks it.
 *
 * @throws {PrintfError} that says how to fix it
 */
export function checkArgument(
  text: WgslText,
  range: TokenRange,
  { conversion, isExtent }: {
    readonly conversion: Conversion;
    /** Whether it is the width or precision of a `*`. */
    readonly isExtent: boolean;
  },
): void {
  const token = text.tokens[range.start]!;
  const written = text.textOf(range);
  const wanted = isExtent ? "i32" : scalarOf(conversion)!;
  const wantedSize = isExtent ? 1 : conversion.size;
  const refuse = (is: string, wayOut: string) => {
    const taken = wantedSize > 1 ? `vec${wantedSize}<${wanted}>` : wanted;
    const taking = `${isExtent ? "the * of " : ""}${conversion.text} takes ${taken}`;
    refuseAt(text, token, `${taking} and ${written} is ${is}: write ${wayOut}`);
  };
  if (token.kind === "string") refuse("a string", isExtent ? "the number" : "%s");
  const type = typeOfRange(text, range);
  if (!type) return;
  const { size, scalar } = partsOf(type);
  const isNegative = token.text === "-" && range.end - range.start === 2;
  const isTaken = scalar === "int"
    ? !isNegative || wanted !== "u32"
    : scalar === wanted || (scalar === "float" && wanted === "f32");
  if (isTaken && size === wantedSize) return;
  const is = nameOf(type, isNegative);
  if (isExtent && /^(?:u32|f32|f16|float)$/.test(scalar) && size === 1) {
    refuse(is, `i32(${written})`);
  }
  const wayOut = wayOutOf(text, type, written);
  if (!wayOut) return;
  const isAsked = size === wantedSize && wanted === (scalar === "f16" ? "f32" : "u32");
  const said = isAsked && wayOut.value ? [wayOut.value] : [wayOut.conversion, wayOut.value];
  refuse(is, said.filter((one) => one).join(" and "));
}

/**
 * Resolves `%v` for its argument.
 *
 * @throws {PrintfError} when that is not a vector of 32 bits, or its type is unknown
 */
export function vectorConversion(
  text: WgslText,
  range: TokenRange,
  conversion: Conversion,
): Conversion {
  const type = typeOfRange(text, range);
  const { size, scalar } = partsOf(type ? concreteType(type) : { name: "", args: [] });
  if (size > 1 && isScalar(scalar)) {
    return { ...conversion, size, letter: LETTER_OF_SCALAR[scalar] };
  }
  const written = text.textOf(range);
  const wayOut = type && wayOutOf(text, type, written);
  const reason = wayOut
    ? `%v takes a vector of numbers and ${written} is ${nameOf(type, false)}: write ${
      [wayOut.conversion, wayOut.value].filter((one) => one).join(" and ")
    }`
    : `%v takes a vector whose type shows, and that of ${written} does not: say its size and letter in the format, as %v3f, %v2d or %v4u`;
  return refuseAt(text, text.tokens[range.start]!, reason);
}
