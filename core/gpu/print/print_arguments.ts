import { type Conversion, LETTER_OF_SCALAR, scalarOf } from "../../text/conversion.ts";
import { nameHint } from "../../text/nearest.ts";
import type { Types } from "../text/inference.ts";
import { TextFault } from "../text/lines.ts";
import type { Expression } from "../text/syntax.ts";
import { behind, COMPARES, concrete, plain, type Type, typeText } from "../text/value_type.ts";
import {
  numberOf,
  type ShownValue,
  showOpenArray,
  showValue,
  type ValuePart,
  vectorOf,
  vectorParts,
} from "./shown.ts";

/** An argument of a `printf` that the device evaluates. */
export interface PrintParameter {
  /** As written; absent where all is generated. */
  readonly node?: Expression;
  /** What the generated function takes. */
  readonly type: Type;
  /** The numbers that it prints. */
  readonly parts: readonly ValuePart[];
  /** What makes a value of the argument: text before and after it. */
  readonly around?: readonly [before: string, after: string] | undefined;
}

/** What is wrong with a `printf` or `assert`. */
export class PrintFault extends TextFault {}

/** Refuses a call at one of its nodes. */
export function refuse(at: { readonly start: number }, reason: string): never {
  throw new PrintFault(at.start, reason);
}

/** Whether an expression is a string. */
export function isString(one: Expression | undefined): boolean {
  return one?.kind === "literal" && one.text.startsWith('"');
}

/** The simplest letter for each scalar. */
const LETTERS: Readonly<Record<string, string>> = { ...LETTER_OF_SCALAR, f32: "f", f16: "f" };

/** How a value can be printed: a conversion, or the value in another form; `undefined` if nothing is known. */
function wayOutOf(
  types: Types,
  type: Type,
  text: string,
): { readonly conversion?: string; readonly value?: string } | undefined {
  const { size, scalar } = vectorOf(concrete(type));
  if (LETTERS[scalar]) return { conversion: `%${size > 1 ? `v${size}` : ""}${LETTERS[scalar]}` };
  if (type.name === "ptr") return { value: `*${text}, what it points to` };
  if (type.name === "atomic") return { value: `atomicLoad(&${text})` };
  const isShown = type.name === "array" || type.name.startsWith("mat") ||
    types.module.byName.get(type.name)?.kind === "struct";
  return isShown ? { conversion: "%v" } : undefined;
}

/** Names a type in error messages. */
function nameOf(type: Type, isNegative = false): string {
  const names: Readonly<Record<string, string>> = {
    bool: "a bool",
    int: isNegative ? "negative" : "a number",
    ptr: "a pointer",
  };
  return names[type.name] ?? typeText(concrete(type));
}

/**
 * Checks an argument against its conversion; where its type is unknown, the compiler does.
 *
 * @throws {PrintFault} when the conversion does not take it
 */
export function checkArgument(
  types: Types,
  node: Expression,
  { conversion, isExtent }: { readonly conversion: Conversion; readonly isExtent: boolean },
): PrintParameter {
  const written = types.module.textOf(node);
  const wanted = isExtent ? "i32" : scalarOf(conversion)!;
  const wantedSize = isExtent ? 1 : conversion.size;
  const taken = wantedSize > 1 ? plain(`vec${wantedSize}`, plain(wanted)) : plain(wanted);
  const wrong = (is: string, wayOut: string): never => {
    const taking = `${isExtent ? "the * of " : ""}${conversion.text} takes ${typeText(taken)}`;
    return refuse(node, `${taking} and ${written} is ${is}: write ${wayOut}`);
  };
  if (isString(node)) wrong("a string", isExtent ? "the number" : "%s");
  const type = typeOf(types, node);
  const asked = { node, type: taken, parts: vectorParts(taken) };
  if (!type) return asked;
  const { size, scalar } = vectorOf(type);
  const isNegative = node.kind === "unary" && node.text === "-" &&
    node.operands[0]!.kind === "literal";
  const isHalf = scalar === "f16" && wanted === "f32" && !isExtent;
  const isTaken = scalar === "int"
    ? wanted !== "bool" && (!isNegative || wanted !== "u32")
    : isHalf || scalar === wanted || (scalar === "float" && wanted === "f32");
  if (isTaken && size === wantedSize) {
    return isHalf ? { node, type, parts: vectorParts(type) } : asked;
  }
  const is = nameOf(type, isNegative);
  if (isExtent && /^(?:u32|f32|f16|float)$/.test(scalar) && size === 1) {
    wrong(is, `i32(${written})`);
  }
  const wayOut = wayOutOf(types, type, written);
  return wayOut ? wrong(is, wayOut.conversion ?? wayOut.value!) : asked;
}

/** What a pointer points to, and what an atomic holds, with the text that gets there. */
function valueBehind(given: Type | undefined): Pick<PrintParameter, "around"> & { type?: Type } {
  const held = behind(given);
  if (!held) return {};
  const isPointer = given?.name === "ptr";
  if (held.name === "atomic") {
    return {
      type: held.args[0]!,
      around: isPointer ? ["atomicLoad(", ")"] : ["atomicLoad(&(", "))"],
    };
  }
  return { type: held, around: isPointer ? ["*(", ")"] : undefined };
}

/**
 * Resolves `%v` for its argument: what a pointer points to, what an atomic holds, and any other value.
 *
 * @throws {PrintFault} when its type is unknown, or holds what has no value
 */
export function valueOfArgument(
  types: Types,
  node: Expression,
  conversion: Conversion,
): { readonly parameters: readonly PrintParameter[] } & Pick<ShownValue, "pieces"> {
  const written = types.module.textOf(node);
  if (isString(node)) refuse(node, `%v takes a value and ${written} is a string: write %s`);
  const { type, around } = valueBehind(typeOf(types, node));
  if (!type) {
    refuseUnknown(types, node);
    refuse(
      node,
      `%v takes a value whose type shows, and that of ${written} does not: write its size and letter, as %v3f or %u`,
    );
  }
  const whole = concrete(type);
  const [element, length] = whole.args;
  const isOpen = whole.name === "array" && length === undefined;
  const [before, after] = around ?? ["", ""];
  const shown = isOpen
    ? showOpenArray(types, element!, { written: `(${before}${written}${after})`, conversion })
    : showValue(types, whole, conversion);
  if ("reason" in shown) refuse(node, `%v cannot show ${written}: ${shown.reason}`);
  const { pieces, parts, first } = shown;
  const isStar = conversion.width === "*" || conversion.precision === "*";
  if (isStar && (isOpen || pieces.length > 1)) {
    const one = `the * of ${conversion.text} is for one number or vector`;
    refuse(node, `${one} and ${written} is ${typeText(whole)}: write the number in its place`);
  }
  if (!first) return { pieces, parameters: [{ node, type: whole, parts, around }] };
  const word = plain("u32");
  const count = [`arrayLength(&${before}`, after + ")"] as const;
  return {
    pieces,
    parameters: [
      { node, type: word, parts: vectorParts(word), around: count },
      { type: first.type, parts, around: [first.text, ""] },
    ],
  };
}

/** @throws {PrintFault} when it shows why the argument has no value */
function refuseUnknown(types: Types, node: Expression): void {
  const { module } = types;
  if (node.kind === "call" && node.callee.declared?.kind === "function") {
    refuse(node, `${node.text} gives nothing back`);
  }
  if (node.kind === "member") {
    const members = types.members(behind(types.of(node.operands[0]!)) ?? plain(""));
    const names = members?.map(({ name }) => name);
    if (names) refuse(node, `${node.text} is no member: ${nameHint(node.text, names)}`);
  }
  if (node.kind !== "name" || node.declared?.kind === "variable") return;
  const isCalled = [...module.calls.values()].flat().some(({ text }) => text === node.text);
  const isType = node.declared ||
    /^(?:vec|mat)\d|^[uif](?:32|16)$|^(?:array|bool)$/.test(node.text);
  const reason = isCalled || isType
    ? `is no value: write ${node.text}(...)`
    : "is not declared here";
  refuse(node, `${node.text} ${reason}`);
}

/** The type of an argument, if it is known. @throws {PrintFault} at a comparison or a `*` of what has none */
function typeOf(types: Types, node: Expression): Type | undefined {
  checkOperators(types, node);
  return types.of(node);
}

function checkOperators(types: Types, node: Expression): void {
  if (node.kind === "name") return;
  const { text: sign, operands } = node;
  const isStar = sign === "*" && operands.length === 1;
  for (const operand of operands) {
    checkOperators(types, operand);
    const type = isStar || COMPARES.has(sign) ? types.of(operand) : undefined;
    if (!type || (isStar && type.name === "ptr")) continue;
    const written = types.module.textOf(operand);
    const { value, conversion } = (isStar ? { value: written } : wayOutOf(types, type, written)) ??
      {} as { value?: string; conversion?: string };
    if (!value && conversion !== "%v") continue;
    const told = value ? `write ${value}` : "compare its parts";
    refuse(node, `${written} is ${nameOf(type)}: ${told}`);
  }
}

/**
 * Checks a condition.
 *
 * @param takes begins the reason, as "assert takes a bool"
 * @throws {PrintFault} when it is known to be something else than a bool
 */
export function checkCondition(types: Types, node: Expression, takes: string): void {
  if (node.kind === "group" || (node.kind === "binary" && /^(?:&&|\|\|)$/.test(node.text))) {
    return node.operands.forEach((operand) => checkCondition(types, operand, takes));
  }
  const type = typeOf(types, node);
  if (!type || type.name === "bool") return;
  const written = types.module.textOf(node);
  const { size, scalar } = vectorOf(type);
  const wayOut = size === 1 && numberOf(concrete(type).name) !== undefined
    ? `${written} != 0`
    : scalar === "bool"
    ? `all(${written}), or any(${written})`
    : "a comparison";
  refuse(node, `${takes} and ${written} is ${nameOf(type)}: write ${wayOut}`);
}
