import { type Conversion, parseFormat } from "../../../text/conversion.ts";
import { concreteType, typeOfPart } from "../../syntax/expression_type.ts";
import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import type { Declaration, Statement } from "../../syntax/statements.ts";
import { namedType, typeText, type ValueType } from "../../syntax/value_type.ts";
import { showValue } from "../../printf/shown_value.ts";
import { DebugKind, type DebugRewrite, headed } from "./debug_rewrite.ts";

/** A value that a trace shows: how it is written, and its type if that is known. */
export interface TracedValue {
  readonly text: string;
  readonly type: ValueType | undefined;
}

/** More numbers of one value are left out. */
const NUMBERS_MAX = 32;
/** What shows a value; its floats so that they differ where their bits do, nearly always. */
const [FORMAT] = parseFormat("%.7v") as readonly [Conversion];

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
  const { prefix, way } = rewrite;
  const shown = type && showValue(rewrite.text, type, FORMAT);
  const isShown = shown !== undefined && "parts" in shown && shown.parts.length <= NUMBERS_MAX;
  const [key, parameter, value] = isShown
    ? [`trace ${typeText(type!)}`, `, value: ${typeText(type!)}`, ", value"]
    : ["trace", "", ""];
  const name = rewrite.helper(key, (name) => {
    const format = headed(isShown ? FORMAT.text : "?", DebugKind.trace, "%u");
    return `fn ${name}(site: u32, way: u32${parameter}) {
  if ${prefix}traced { printf(${format}, site, way${value}); }
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
