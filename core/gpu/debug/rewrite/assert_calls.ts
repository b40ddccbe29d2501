import { PrintfError, readCall, refuseAt } from "../../printf/printf_calls.ts";
import { refuseAssignment } from "../../printf/printf_arguments.ts";
import { concreteType, typeOfRange } from "../../syntax/expression_type.ts";
import { closingOf, listParts, stringOf, type TokenRange } from "../../syntax/tokens.ts";
import { typeText } from "../../syntax/value_type.ts";
import type { WgslText } from "../../syntax/wgsl_text.ts";
import { DebugKind, type DebugRewrite, headed } from "./debug_rewrite.ts";

/** One `assert` of a shader. */
export interface AssertCall {
  /** The token of its name. */
  readonly at: number;
  /** The token of its closing parenthesis. */
  readonly end: number;
  readonly condition: TokenRange;
  /** The token of its format, if it has one. */
  readonly format?: number;
}

/**
 * Finds the calls of `assert`, and checks their conditions and formats.
 *
 * @throws {PrintfError} at the first invalid one
 */
export function assertCalls(text: WgslText): ReadonlyMap<number, AssertCall> {
  const { tokens } = text;
  const calls = new Map<number, AssertCall>();
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text: name } = tokens[at]!;
    if (kind !== "name" || name !== "assert" || tokens[at - 1]?.text === ".") continue;
    if (tokens[at + 1]?.text === "(") calls.set(at, readAssert(text, at));
  }
  return calls;
}

function readAssert(text: WgslText, at: number): AssertCall {
  const { tokens } = text;
  checkPlace(text, at);
  const end = closingOf(tokens, at + 1);
  const [condition, format] = listParts(tokens, { start: at + 2, end });
  if (!condition) {
    return refuseAt(
      text,
      tokens[at]!,
      'assert has no condition: write assert(x < 4u, "x is %u", x)',
    );
  }
  checkCondition(text, condition);
  if (!format) return { at, end, condition };
  try {
    readCall(text, at);
  } catch (error) {
    throw error instanceof PrintfError
      ? new PrintfError(
        error.reason.replace('write printf("text\\n")', "leave its comma out"),
        text,
        error,
      )
      : error;
  }
  return { at, end, condition, format: format.start };
}

function checkPlace(text: WgslText, at: number): void {
  const { tokens, declarations } = text;
  const refuse = (reason: string) => refuseAt(text, tokens[at]!, reason);
  const before = tokens[at - 1]?.text ?? "";
  if (before === "fn") refuse("assert is declared here, and is the name of what checks: rename it");
  const isInside = declarations.functions.some(({ body }) => at >= body.start && at < body.end);
  if (!isInside) {
    refuse("assert stands outside of a function: write const_assert for what is known before");
  }
  const after = tokens[closingOf(tokens, at + 1) + 1]?.text ?? "";
  if (/^[;{}]$/.test(before) && after === ";" && !isInHead(text, at)) return;
  refuse("assert has no value and is a statement of its own: write assert(...);");
}

/** Whether a token after a semicolon is in the head of a `for`. */
function isInHead({ tokens }: WgslText, at: number): boolean {
  let depth = 0;
  for (let before = at - 1; before >= 0 && !/^[{}]$/.test(tokens[before]!.text); before--) {
    const { text } = tokens[before]!;
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
  }
  return depth > 0;
}

function checkCondition(text: WgslText, condition: TokenRange): void {
  const token = text.tokens[condition.start]!;
  const written = text.textOf(condition);
  if (token.kind === "string") {
    refuseAt(
      text,
      token,
      `a condition comes first, then the text: write assert(false, ${written})`,
    );
  }
  refuseAssignment(text, condition);
  const type = typeOfRange(text, condition);
  if (!type || type.name === "bool") return;
  const shown = typeText(concreteType(type));
  const isNumber = /^(?:[iu]32|int|[ f]16|f32|float)$/.test(type.name);
  const wayOut = /^vec/.test(type.name) && type.args[0]?.name === "bool"
    ? `write all(${written})`
    : isNumber
    ? `write ${written} != 0`
    : "write a comparison";
  refuseAt(text, token, `assert takes a bool and ${written} is ${shown}: ${wayOut}`);
}

/**
 * Makes an `if` that prints of an `assert`.
 *
 * @param stop the statements that end the invocation; may be empty
 */
export function rewriteAssert(
  rewrite: DebugRewrite,
  { at, end, condition, format }: AssertCall,
  { site, stop }: { readonly site: number; readonly stop: string },
): void {
  const { text: { tokens }, way } = rewrite;
  rewrite.replace(at, "if !");
  const behind = stop === "" ? "; }" : `; ${stop} }`;
  const comma = tokens[condition.end]!.text === ",";
  if (format === undefined) {
    if (comma) rewrite.replace(condition.end, " ");
    rewrite.replace(end, `) { printf(${headed("", DebugKind.assert, site)}, ${way})${behind}`);
    return;
  }
  rewrite.replace(condition.end, ") { printf(");
  const written = stringOf(tokens[format]!.text)!;
  rewrite.replace(format, `${headed(written, DebugKind.assert, site)}, ${way}`);
  rewrite.behind(end + 1, behind);
}
