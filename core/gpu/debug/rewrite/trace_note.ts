import { concreteType, typeOfPart } from "../../syntax/expression_type.ts";
import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import type { Declaration, Statement } from "../../syntax/statements.ts";
import { valueOf } from "../../syntax/type_layout.ts";
import { namedType, type Scope, typeText, type ValueType } from "../../syntax/value_type.ts";
import { DebugKind, type DebugRewrite, headed } from "./debug_rewrite.ts";

/** A value that a trace shows: how it is written, and its type if that is known. */
export interface TracedValue {
  readonly text: string;
  readonly type: ValueType | undefined;
}

/** A format, and the expressions that it takes. */
interface ShownValue {
  readonly format: string;
  readonly values: readonly string[];
}

/** More numbers of one value are left out. */
const NUMBERS_MAX = 32;

/** The type of an expression whose value a trace can show. */
function tracedType({ text }: DebugRewrite, range: Expression): ValueType | undefined {
  const type = typeOfPart(text, range);
  return type && concreteType(type);
}

/** The statement that records a value, if the invocation is the traced one. */
export function traceNote(
  rewrite: DebugRewrite,
  site: number,
  { text, type }: TracedValue,
): string {
  const shown = type && shownValue(rewrite.text, type, "value");
  const { prefix, way } = rewrite;
  const isShown = shown !== undefined && shown.values.length <= NUMBERS_MAX;
  const key = isShown ? `trace ${typeText(type!)}` : "trace";
  const name = rewrite.helper(key, (name) => {
    const parameter = isShown ? `, value: ${typeText(type!)}` : "";
    const list = isShown ? shown.values.map((value) => `, ${value}`).join("") : "";
    const format = headed(isShown ? shown.format : "?", DebugKind.trace, "%u");
    return `fn ${name}(site: u32, way: u32${parameter}) {
  if ${prefix}traced { printf(${format}, site, way${list}); }
}`;
  });
  return ` ${name}(${site}u, ${way}${isShown ? `, ${text}` : ""});`;
}

/** The statements that record that a function was entered, and its parameters. */
export function enterNotes(rewrite: DebugRewrite, of: FunctionDeclaration): string {
  const { text } = rewrite;
  const at = text.tokens.indexOf(of.name);
  const enter = rewrite.site({ of, start: at, end: at + 1, verb: "enter" });
  const notes = of.parameters.map(({ name, type: range }) => {
    const type = namedType(text, range);
    if (/^(?:ptr$|texture_|sampler)/.test(type.name)) return "";
    const token = text.tokens.indexOf(name);
    const site = rewrite.site({ of, start: token, end: token + 1, verb: "parameter" });
    return traceNote(rewrite, site, { text: name.text, type });
  });
  return traceNote(rewrite, enter, { text: "", type: undefined }) + notes.join("");
}

/** The statement that records what a statement has changed; empty if it changes nothing. */
export function changeNote(
  rewrite: DebugRewrite,
  statement: Statement,
  of: FunctionDeclaration,
): string {
  if (statement.kind === "declare") return declarationNote(rewrite, statement, of);
  const isChange = statement.kind === "assign" || statement.kind === "increment";
  const target = isChange ? statement.target : undefined;
  if (!target) return "";
  const site = rewrite.site({ of, start: target.start, end: target.end, verb: "set" });
  const isPlain = [...partsOf(target)].every(({ kind }) => kind !== "call");
  const type = isPlain ? tracedType(rewrite, target) : undefined;
  return traceNote(rewrite, site, { text: rewrite.writtenOf(target), type });
}

function declarationNote(
  rewrite: DebugRewrite,
  { keyword, name, type: { start, end }, value }: Declaration,
  of: FunctionDeclaration,
): string {
  const { text } = rewrite;
  if (keyword === "const") return "";
  const written = end > start ? namedType(text, { start, end }) : undefined;
  const type = written ?? (value && tracedType(rewrite, value));
  if (type?.name === "ptr") return "";
  const site = rewrite.site({ of, start: name, end: name + 1, verb: keyword });
  return traceNote(rewrite, site, { text: text.tokens[name]!.text, type });
}

/** A `return` with a value. */
export type ReturnStatement = Statement & { readonly kind: "return" };

/** Keeps the value of a `return`; {@linkcode closeReturn} records it. */
export function openReturn(
  rewrite: DebugRewrite,
  { start }: ReturnStatement,
  { result }: FunctionDeclaration,
): void {
  const type = typeText(namedType(rewrite.text, result));
  rewrite.replace(start, `{ let ${rewrite.prefix}value: ${type} =`);
}

/** Records the value that a `return` gives back. */
export function closeReturn(
  rewrite: DebugRewrite,
  statement: ReturnStatement,
  of: FunctionDeclaration,
): void {
  const { start, end } = statement.value!;
  const site = rewrite.site({ of, start, end, verb: "return" });
  const text = `${rewrite.prefix}value`;
  const note = traceNote(rewrite, site, { text, type: namedType(rewrite.text, of.result) });
  rewrite.behind(statement.end, `${note} return ${text}; }`);
}

/** How to print a value of a type; `undefined` if it has no value that can be shown. */
export function shownValue(scope: Scope, type: ValueType, value: string): ShownValue | undefined {
  const { name, args: [element, length] } = type;
  const scalar = scalarValue(name, value);
  if (scalar) return scalar;
  const [, columns] = /^mat([2-4])x[2-4]$/.exec(name) ?? [];
  const size = /^vec([2-4])$/.exec(name)?.[1];
  if (size) return vectorValue(Number(size), element?.name ?? "", value);
  const count = columns
    ? Number(columns)
    : name === "array" && length
    ? valueOf(scope, length.name)
    : NaN;
  if (count <= NUMBERS_MAX) {
    const inner = columns ? { name: `vec${name.slice(-1)}`, args: [element!] } : element!;
    const parts = Array.from(
      { length: count },
      (_, at) => shownValue(scope, inner, `${value}[${at}]`),
    );
    return joined(parts, { open: "[", close: "]" });
  }
  const members = scope.declarations.structs.get(name);
  if (!members) return undefined;
  const parts = members.map((member) => {
    const { text } = member.name;
    const shown = shownValue(scope, namedType(scope, member.type), `${value}.${text}`);
    return shown && { ...shown, format: `${text}: ${shown.format}` };
  });
  return joined(parts, { open: "{", close: "}" });
}

function joined(
  parts: readonly (ShownValue | undefined)[],
  { open, close }: { readonly open: string; readonly close: string },
): ShownValue | undefined {
  if (parts.length === 0 || parts.some((part) => part === undefined)) return undefined;
  const format = parts.map((part) => part!.format).join(", ");
  return { format: `${open}${format}${close}`, values: parts.flatMap((part) => part!.values) };
}

function scalarValue(name: string, value: string): ShownValue | undefined {
  switch (name) {
    case "u32":
      return { format: "%u", values: [value] };
    case "i32":
      return { format: "%d", values: [value] };
    case "f32":
      return { format: "%.7g", values: [value] };
    case "f16":
      return { format: "%.4g", values: [`f32(${value})`] };
    case "bool":
      return { format: "\ue003%u\ue004", values: [`select(0u, 1u, ${value})`] };
    default:
      return undefined;
  }
}

function vectorValue(size: number, scalar: string, value: string): ShownValue | undefined {
  const letter: Readonly<Record<string, string>> = { u32: "u", i32: "d", f32: "g" };
  const mark = letter[scalar];
  if (mark) {
    return { format: `%${mark === "g" ? ".7" : ""}v${size}${mark}`, values: [value] };
  }
  const parts = [..."xyzw"].slice(0, size).map((at) => scalarValue(scalar, `${value}.${at}`));
  return joined(parts, { open: "(", close: ")" });
}

/** The text of a recorded value, with its bools in words. */
export function shownText(text: string): string {
  return text.replaceAll(/\ue003(\d+)\ue004/g, (_, bit: string) => bit === "0" ? "false" : "true");
}
