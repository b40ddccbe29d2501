import { checkCondition, refuseAt } from "./printf_arguments.ts";
import { checkStatement, PrintfError, readCall } from "./printf_calls.ts";
import { closingOf, listParts, type Token, type TokenRange } from "../syntax/tokens.ts";
import type { WgslText } from "../syntax/wgsl_text.ts";

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
  const { tokens, declarations } = text;
  const isInside = declarations.functions.some(({ body }) => at >= body.start && at < body.end);
  if (!isInside && tokens[at - 1]?.text !== "fn") {
    const reason =
      "assert stands outside of a function: write const_assert for what is known before";
    refuseAt(text, tokens[at]!, reason);
  }
  checkStatement(text, at, "checks");
  if (isInHead(tokens, at)) {
    refuseAt(text, tokens[at]!, "assert is a statement of its own, and no part of a for");
  }
  const end = closingOf(tokens, at + 1);
  const [condition, format] = listParts(tokens, { start: at + 2, end });
  if (!condition) {
    return refuseAt(
      text,
      tokens[at]!,
      'assert has no condition: write assert(x < 4u, "x is %u", x)',
    );
  }
  const first = tokens[condition.start]!;
  if (first.kind === "string") {
    const wayOut = `write assert(false, ${text.textOf(condition)})`;
    refuseAt(text, first, `a condition comes first, then the text: ${wayOut}`);
  }
  const late = tokens.slice(condition.start, condition.end).find(({ kind }) => kind === "string");
  if (late) refuseAt(text, late, `a comma is missing: write , ${late.text}`);
  checkCondition(text, condition, "assert takes a bool");
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

/** Whether a token is in the head of a statement. */
function isInHead(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let before = at - 1; before >= 0 && !/^[{}]$/.test(tokens[before]!.text); before--) {
    const { text } = tokens[before]!;
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
  }
  return depth > 0;
}
