import { type Conversion, LETTER_OF_SCALAR, scalarOf } from "../../text/conversion.ts";
import type { Expression } from "../syntax/expression.ts";
import {
  COMPARES,
  concreteType,
  declarationOf,
  expressionOf,
  typeOfPart,
} from "../syntax/expression_type.ts";
import { nameHint } from "../../text/nearest.ts";
import { PrintfError } from "../print/printf_error.ts";
import type { Token, TokenRange } from "../syntax/tokens.ts";
import { type Scope, typeText, type ValueType } from "../syntax/value_type.ts";
import type { WgslText } from "../syntax/wgsl_text.ts";
import {
  numberOf,
  type ShownValue,
  showOpenArray,
  showValue,
  type ValuePart,
  vectorOf,
  vectorParts,
} from "./shown_value.ts";

/** Throws a {@linkcode PrintfError} at a token of a text. */
export function refuseAt(text: WgslText, { index }: Token, reason: string): never {
  throw new PrintfError(reason, text, text.positionAt(index));
}

/** An argument of a `printf` that the device evaluates. */
export interface PrintfParameter {
  /** The author's tokens; empty where nothing was parsed. */
  readonly range: TokenRange;
  /** What the generated function takes. */
  readonly type: ValueType;
  /** The numbers that it prints; none of a condition. */
  readonly parts: readonly ValuePart[];
  /** What makes a value of the argument: text before and after it. */
  readonly around?: readonly [before: string, after: string];
}

/** How to print a value: a conversion, and the value in the form that it takes. */
interface WayOut {
  readonly conversion?: string;
  readonly value?: string;
}

/** The simplest letter for each scalar. */
const LETTERS: Readonly<Record<string, string>> = { ...LETTER_OF_SCALAR, f32: "f", f16: "f" };

/** How a value can be printed; `undefined` if its type is unknown. */
function wayOutOf({ declarations }: Scope, type: ValueType, text: string): WayOut | undefined {
  const { size, scalar } = vectorOf(concreteType(type));
  if (LETTERS[scalar]) return { conversion: `%${size > 1 ? `v${size}` : ""}${LETTERS[scalar]}` };
  if (type.name === "ptr") return { value: `*${text}, what it points to` };
  if (type.name === "atomic") return { value: `atomicLoad(&${text})` };
  const isShown = type.name === "array" || type.name.startsWith("mat") ||
    declarations.structs.has(type.name);
  return isShown ? { conversion: "%v" } : undefined;
}

/** Names a type in error messages. */
function nameOf(type: ValueType, isNegative = false): string {
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
): PrintfParameter {
  const token = text.tokens[range.start]!;
  const written = text.textOf(range);
  const wanted = isExtent ? "i32" : scalarOf(conversion)!;
  const wantedSize = isExtent ? 1 : conversion.size;
  const taken = sized(wantedSize, wanted);
  const refuse = (is: string, wayOut: string) => {
    const taking = `${isExtent ? "the * of " : ""}${conversion.text} takes ${typeText(taken)}`;
    return refuseAt(text, token, `${taking} and ${written} is ${is}: write ${wayOut}`);
  };
  if (token.kind === "string") refuse("a string", isExtent ? "the number" : "%s");
  const type = typeOfArgument(text, range);
  const asked = { range, type: taken, parts: vectorParts(taken) };
  if (!type) return asked;
  const { size, scalar } = vectorOf(type);
  const isNegative = token.text === "-" && range.end - range.start === 2;
  const isHalf = scalar === "f16" && wanted === "f32" && !isExtent;
  const isTaken = scalar === "int"
    ? wanted !== "bool" && (!isNegative || wanted !== "u32")
    : isHalf || scalar === wanted || (scalar === "float" && wanted === "f32");
  if (isTaken && size === wantedSize) {
    return isHalf ? { range, type, parts: vectorParts(type) } : asked;
  }
  const is = nameOf(type, isNegative);
  if (isExtent && /^(?:u32|f32|f16|float)$/.test(scalar) && size === 1) {
    refuse(is, `i32(${written})`);
  }
  const wayOut = wayOutOf(text, type, written);
  if (!wayOut) return asked;
  return refuse(is, wayOut.conversion ?? wayOut.value!);
}

function sized(size: number, scalar: string): ValueType {
  const type = { name: scalar, args: [] };
  return size > 1 ? { name: `vec${size}`, args: [type] } : type;
}

/**
 * Resolves `%v` for its argument: what a pointer points to, what an atomic holds, and any other value.
 *
 * @throws {PrintfError} when its type is unknown, or holds what has no value
 */
export function valueOfArgument(
  text: WgslText,
  range: TokenRange,
  conversion: Conversion,
): { readonly parameters: readonly PrintfParameter[] } & Pick<ShownValue, "pieces"> {
  const token = text.tokens[range.start]!;
  const written = text.textOf(range);
  if (token.kind === "string") {
    refuseAt(text, token, `%v takes a value and ${written} is a string: write %s`);
  }
  const { type, around } = valueBehind(typeOfArgument(text, range));
  if (!type) {
    refuseUnknown(text, range);
    return refuseAt(
      text,
      token,
      `%v takes a value whose type shows, and that of ${written} does not: write its size and letter, as %v3f or %u`,
    );
  }
  const concrete = concreteType(type);
  const [element, length] = concrete.args;
  const isOpen = concrete.name === "array" && length === undefined;
  const [before, behind] = around ?? ["", ""];
  const shown = isOpen
    ? showOpenArray(text, element!, { written: `(${before}${written}${behind})`, conversion })
    : showValue(text, concrete, conversion);
  if ("reason" in shown) {
    return refuseAt(text, token, `%v cannot show ${written}: ${shown.reason}`);
  }
  const { pieces, parts, first } = shown;
  const isStar = conversion.width === "*" || conversion.precision === "*";
  if (isStar && (isOpen || pieces.length > 1)) {
    const reason = `the * of ${conversion.text} is for one number or vector and ${written} is ${
      typeText(concrete)
    }: write the number in its place`;
    refuseAt(text, token, reason);
  }
  if (!first) {
    return { pieces, parameters: [{ range, type: concrete, parts, ...around && { around } }] };
  }
  const word = { name: "u32", args: [] };
  const count = [`arrayLength(&${before}`, `${behind}), ${first.text}`] as const;
  const none = { start: range.end, end: range.end };
  return {
    pieces,
    parameters: [
      { range, type: word, parts: vectorParts(word), around: count },
      { range: none, type: first.type, parts },
    ],
  };
}

/** @throws {PrintfError} when it shows why the range has no value */
function refuseUnknown(text: WgslText, range: TokenRange): void {
  const expression = expressionOf(text, range);
  if (!expression) return;
  const { kind, text: name, start, operands: [base] } = expression;
  const refuse = (reason: string) => refuseAt(text, text.tokens[start]!, `${name} ${reason}`);
  const { functions, structs } = text.declarations;
  if (kind === "call" && functions.some((one) => one.name.text === name)) {
    refuse("gives nothing back");
  }
  if (kind === "member") {
    const members = structs.get(valueBehind(typeOfPart(text, base!)).type?.name ?? "");
    if (members) refuse(`is no member: ${nameHint(name, members.map((one) => one.name.text))}`);
  }
  if (kind !== "name" || declarationOf(text, start)) return;
  const isCalled = text.tokens.some((one, at) =>
    one.text === name && /^[(<]$/.test(text.tokens[at + 1]?.text ?? "")
  );
  const isType = /^(?:vec|mat)\d|^[uif](?:32|16)$|^(?:array|bool)$/.test(name);
  refuse(isCalled || isType ? `is no value: write ${name}(...)` : "is not declared here");
}

/**
 * The type of an argument, if it is known.
 *
 * @throws {PrintfError} at a comparison or a `*` of what has none
 */
function typeOfArgument(text: WgslText, range: TokenRange): ValueType | undefined {
  const expression = expressionOf(text, range);
  if (!expression) return undefined;
  checkOperators(text, expression);
  return typeOfPart(text, expression);
}

function checkOperators(text: WgslText, { text: sign, operands, start }: Expression): void {
  const isStar = sign === "*" && operands.length === 1;
  for (const operand of operands) {
    checkOperators(text, operand);
    const type = isStar || COMPARES.has(sign) ? typeOfPart(text, operand) : undefined;
    if (!type || (isStar && type.name === "ptr")) continue;
    const written = text.textOf(operand);
    const { value, conversion } = (isStar ? { value: written } : wayOutOf(text, type, written)) ??
      {};
    if (!value && conversion !== "%v") continue;
    const told = value ? `write ${value}` : "compare its parts";
    refuseAt(text, text.tokens[start]!, `${written} is ${nameOf(type)}: ${told}`);
  }
}

/** What a pointer points to, and what an atomic holds, and how to get there. */
function valueBehind(
  type: ValueType | undefined,
): { readonly type?: ValueType; readonly around?: readonly [string, string] } {
  if (!type) return {};
  const isPointer = type.name === "ptr";
  const value = isPointer ? type.args[1] : type;
  if (value?.name === "atomic") {
    return {
      type: value.args[0]!,
      around: isPointer ? ["atomicLoad(", ")"] : ["atomicLoad(&(", "))"],
    };
  }
  if (!value) return {};
  return isPointer ? { type: value, around: ["*(", ")"] } : { type: value };
}

/** The condition of a `printf_if`, as `checkCondition` allows it. */
export function conditionOf(text: WgslText, range: TokenRange): PrintfParameter {
  checkCondition(text, range, "printf_if takes a bool before its format");
  const asked = { range, type: { name: "bool", args: [] }, parts: [] };
  // A compiler would take the > of another argument for the end of a list.
  const isLess = text.tokens.slice(range.start, range.end).some(({ text }) => text === "<");
  return isLess ? { ...asked, around: ["(", ")"] } : asked;
}

/**
 * Checks a condition.
 *
 * @param takes begins the error message, as "assert takes a bool"
 * @throws {PrintfError} when it assigns, as in C it might, or is known to be something else than a bool
 */
export function checkCondition(text: WgslText, range: TokenRange, takes: string): void {
  const { start, end } = range;
  const equals = text.tokens.findIndex(({ text: sign }, at) =>
    at >= start && at < end && sign === "="
  );
  if (equals >= 0) {
    const [left, right] = [{ start, end: equals }, { start: equals + 1, end }];
    const comparison = `${text.textOf(left)} == ${text.textOf(right)}`;
    refuseAt(text, text.tokens[equals]!, `a condition compares: write ${comparison}`);
  }
  const expression = expressionOf(text, range);
  if (expression && /^(?:&&|\|\||\(\))$/.test(expression.text)) {
    return expression.operands.forEach((operand) => checkCondition(text, operand, takes));
  }
  const type = typeOfArgument(text, range);
  if (!type || type.name === "bool") return;
  const written = text.textOf(range);
  const { size, scalar } = vectorOf(type);
  const wayOut = size === 1 && numberOf(concreteType(type).name) !== undefined
    ? `${written} != 0`
    : scalar === "bool"
    ? `all(${written}), or any(${written})`
    : "a comparison";
  const reason = `${takes} and ${written} is ${nameOf(type)}: write ${wayOut}`;
  refuseAt(text, text.tokens[start]!, reason);
}
