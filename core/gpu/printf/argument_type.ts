import { concreteType } from "../syntax/expression_type.ts";
import { typeOfRange } from "../syntax/name_type.ts";
import type { TokenRange } from "../syntax/tokens.ts";
import { type ScalarName, type Scope, typeText, type ValueType } from "../syntax/value_type.ts";
import { type Conversion, LETTER_OF_SCALAR, scalarOf } from "../../text/conversion.ts";
import { refuseAt } from "./printf_error.ts";

/** A text, and what is declared in it. */
type Text = Scope & { readonly source: string };

/** What would print a value: a conversion, and the value as that takes it. */
interface WayOut {
  readonly conversion?: string;
  readonly value?: string;
}

/** The plainest letter for each scalar. */
const LETTERS: Readonly<Record<ScalarName, string>> = { ...LETTER_OF_SCALAR, f32: "f" };

function isScalar(name: string): name is ScalarName {
  return name in LETTERS;
}

/** Components of a vector and their type; 1 and the type itself of what is none. */
function partsOf(type: ValueType): { readonly size: 1 | 2 | 3 | 4; readonly scalar: string } {
  const size = Number(/^vec([2-4])$/.exec(type.name)?.[1] ?? 1) as 1 | 2 | 3 | 4;
  return { size, scalar: size === 1 ? type.name : type.args[0]?.name ?? "" };
}

/** How a value can be printed; `undefined` of an unknown type. */
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

/** The argument as it is written. */
function textOf({ source, tokens }: Text, { start, end }: TokenRange): string {
  const last = tokens[end - 1]!;
  return source.slice(tokens[start]!.index, last.index + last.text.length);
}

/** What a message calls a type. */
function nameOf(type: ValueType, isNegative: boolean): string {
  const names: Readonly<Record<string, string>> = {
    bool: "a bool",
    int: isNegative ? "negative" : "a number",
    ptr: "a pointer",
  };
  return names[type.name] ?? typeText(concreteType(type));
}

/**
 * Refuses an argument of a type that its conversion does not take. Where the type does not show, the
 * compiler says it.
 *
 * @throws {PrintfError} with the way out
 */
export function checkArgument(
  text: Text,
  range: TokenRange,
  { conversion, isExtent }: {
    readonly conversion: Conversion;
    /** Whether it is the width or precision of a `*`. */
    readonly isExtent: boolean;
  },
): void {
  const { source, tokens } = text;
  const { index, kind, text: first } = tokens[range.start]!;
  const written = textOf(text, range);
  const wanted = isExtent ? "i32" : scalarOf(conversion)!;
  const wantedSize = isExtent ? 1 : conversion.size;
  const refuse = (is: string, wayOut: string) => {
    const taken = wantedSize > 1 ? `vec${wantedSize}<${wanted}>` : wanted;
    const taking = `${isExtent ? "the * of " : ""}${conversion.text} takes ${taken}`;
    refuseAt(source, index, `${taking} and ${written} is ${is}: write ${wayOut}`);
  };
  if (kind === "string") refuse("a string", isExtent ? "the number" : "%s");
  const type = typeOfRange(text, range);
  if (!type) return;
  const { size, scalar } = partsOf(type);
  const isNegative = first === "-" && range.end - range.start === 2;
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
 * What `%v` is for its argument.
 *
 * @throws {PrintfError} when that is no vector of 32 bits, or its type does not show
 */
export function vectorConversion(
  text: Text,
  range: TokenRange,
  conversion: Conversion,
): Conversion {
  const type = typeOfRange(text, range);
  const { size, scalar } = partsOf(type ? concreteType(type) : { name: "", args: [] });
  if (size > 1 && isScalar(scalar)) {
    return { ...conversion, size, letter: LETTER_OF_SCALAR[scalar] };
  }
  const written = textOf(text, range);
  const wayOut = type && wayOutOf(text, type, written);
  const reason = wayOut
    ? `%v takes a vector of numbers and ${written} is ${nameOf(type, false)}: write ${
      [wayOut.conversion, wayOut.value].filter((one) => one).join(" and ")
    }`
    : `%v takes a vector whose type shows, and that of ${written} does not: say its size and letter in the format, as %v3f, %v2d or %v4u`;
  return refuseAt(text.source, text.tokens[range.start]!.index, reason);
}
