import { nameHint } from "../../text/nearest.ts";
import { keywordAt, type VariableDeclaration } from "../syntax/declarations.ts";
import { concreteType, typeOfRange } from "../syntax/expression_type.ts";
import { namedType, typeText } from "../syntax/value_type.ts";
import type { TextEdit, WgslText } from "../syntax/wgsl_text.ts";
import { refuseAt } from "../wgsl/kernel_compile.ts";
import { RUN } from "./run_options.ts";

/** Values of `override` constants, by name. */
export type OverrideValues = Readonly<Record<string, number | boolean>>;

/**
 * Makes constants of all `override`s, with the values that they are given or have, in every way of running a
 * kernel: so a frame may hold an array of their length, and translators without overrides take the text.
 *
 * @throws {TypeError} when the text has no such constant, or its value has the wrong type
 * @throws {KernelCompileError} at one that has no value, and is given none
 */
export function overrideEdits(author: WgslText, values: OverrideValues): readonly TextEdit[] {
  const overrides = author.declarations.variables.filter(({ keyword }) => keyword === "override");
  const names = overrides.map(({ name }) => name.text);
  for (const name of Object.keys(values)) {
    if (names.includes(name)) continue;
    throw new TypeError(
      `Cannot ${RUN} as its text has no override ${name}: ${nameHint(name, names)}`,
    );
  }
  return overrides.flatMap((one) => {
    const value = Object.hasOwn(values, one.name.text) ? values[one.name.text] : undefined;
    if (value === undefined && one.value.end > one.value.start) return [asConstant(author, one)];
    if (value !== undefined) return editsOf(author, one, value);
    const { text, index } = one.name;
    const reason = `${text} has no value: pass one in constants: { ${text}: 1 }, or write one`;
    return refuseAt(author, index, reason);
  });
}

/** Where the attributes of a declaration begin, or it does; and where its keyword is. */
function headOf({ tokens }: WgslText, one: VariableDeclaration) {
  const keyword = keywordAt(tokens, one);
  let first = keyword;
  while (first > 0 && !/^[;}]$/.test(tokens[first - 1]!.text)) first--;
  return { start: tokens[first]!.index, head: tokens[keyword]!.index };
}

function asConstant(author: WgslText, one: VariableDeclaration): TextEdit {
  const { start, head } = headOf(author, one);
  const blanks = author.source.slice(start, head).replaceAll(/[^\n]/g, " ");
  return { index: start, end: head + "override".length, text: `${blanks}const   ` };
}

function editsOf(
  author: WgslText,
  one: VariableDeclaration,
  value: number | boolean,
): readonly TextEdit[] {
  const { tokens } = author;
  const { name, type, value: written } = one;
  const hasType = type.end > type.start;
  const inferred = hasType ? namedType(author, type) : typeOfRange(author, written);
  const scalar = inferred ? typeText(concreteType(inferred)) : "";
  const text = valueText(name.text, scalar, value);
  const { start, head } = headOf(author, one);
  const nameEnd = name.index + name.text.length;
  const last = tokens[(hasType ? Math.max(type.end, written.end) : written.end) - 1]!;
  const end = Math.max(nameEnd, last.index + last.text.length);
  const blanks = author.source.slice(start, head).replaceAll(/[^\n]/g, " ");
  // A value over several lines keeps them, as edits change no lines.
  const lines = author.source.slice(nameEnd, end).replaceAll(/[^\n]/g, "");
  const whole = `${blanks}const ${name.text}: ${scalar} = ${text}${lines}`;
  return [{ index: start, end, text: whole }];
}

function valueText(name: string, scalar: string, value: number | boolean): string {
  const refuse = (wanted: string): never => {
    throw new TypeError(
      `Cannot ${RUN} as the constant ${name} must be ${wanted}: current value is ${value}`,
    );
  };
  const isInteger = Number.isInteger(value);
  switch (scalar) {
    case "bool":
      return typeof value === "boolean" ? String(value) : refuse("true or false");
    case "u32":
      return isInteger && Number(value) >= 0 && Number(value) < 2 ** 32
        ? `${value}u`
        : refuse("an integer from 0 to 4294967295, u32");
    case "i32":
      return isInteger && value === (Number(value) | 0)
        ? `i32(${value})`
        : refuse("an integer from -2147483648 to 2147483647, i32");
    case "f32":
    case "f16":
      return typeof value === "number" && Number.isFinite(value)
        ? `${scalar}(${value})`
        : refuse(`a finite number, ${scalar}`);
    default:
      return refuse("of a type that shows: write it, as in override n: u32");
  }
}
