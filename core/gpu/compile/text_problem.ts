import { declarationOf, expressionOf } from "../syntax/expression_type.ts";
import { closingOf, listParts, type Token, type TokenRange } from "../syntax/tokens.ts";
import { namedType, type Scope } from "../syntax/value_type.ts";

/** A problem that is found before compiling. */
export interface TextProblem {
  readonly token: Token;
  readonly reason: string;
}

/** Runtimes read nested brackets by recursion: 3000 of them ended the process. */
const NESTING_MAX = 250;
/** The language feature that allows pointers to a part of a variable as arguments. */
const PART_POINTERS = "unrestricted_pointer_parameters";

/**
 * Finds where a text would continue into the text that follows it, or where a runtime would end the
 * whole process instead of reporting an error.
 */
export function textProblem(scope: Scope): TextProblem | undefined {
  // Only Deno's runtime ends the process. Where a package brings the GPU, nothing says what it allows.
  const { gpu } = globalThis.navigator ?? {};
  const allowsParts = gpu === undefined || gpu.wgslLanguageFeatures?.has(PART_POINTERS);
  return openText(scope) ?? deepNesting(scope) ?? openFunction(scope) ??
    (allowsParts ? undefined : partPointer(scope));
}

/** Finds a comment or string without an end. */
function openText({ tokens }: Scope): TextProblem | undefined {
  for (const token of tokens) {
    const { kind, text } = token;
    if (text.startsWith("/*")) return { token, reason: "this comment is not closed: write */" };
    if (kind !== "string" || /^"(?:[^"\\]|\\[^])*"$/.test(text)) continue;
    const reason =
      'this string is not closed on its line: write " at its end, and \\n for a new line';
    return { token, reason };
  }
  return undefined;
}

function deepNesting({ tokens }: Scope): TextProblem | undefined {
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "string" || token.kind === "name") continue;
    const isOpening = /^[([]$/.test(token.text) ||
      (token.kind === "template" && token.text === "<");
    const isClosing = /^[)\]]$/.test(token.text) ||
      (token.kind === "template" && token.text === ">");
    depth += Number(isOpening) - Number(isClosing);
    if (depth <= NESTING_MAX) continue;
    const reason =
      `more than ${NESTING_MAX} brackets are open here: keep inner values in variables`;
    return { token, reason };
  }
  return undefined;
}

function openFunction({ tokens, declarations }: Scope): TextProblem | undefined {
  const open = declarations.functions.find(({ body }) => body.end >= tokens.length);
  if (!open) return undefined;
  const reason = `the end of ${open.name.text} is missing: some bracket is not closed`;
  return { token: open.name, reason };
}

/** Finds a pointer to an element, member or component that is passed to a function of the text. */
function partPointer(scope: Scope): TextProblem | undefined {
  const { tokens, declarations } = scope;
  const pointers = new Map(declarations.functions.map(({ name, parameters }) => [
    name.text,
    parameters.map(({ type }) => namedType(scope, type).name === "ptr"),
  ]));
  for (let at = 0; at < tokens.length; at++) {
    const isPointer = pointers.get(tokens[at]!.text);
    const isCall = tokens[at + 1]?.text === "(" && !/^(?:fn|\.)$/.test(tokens[at - 1]?.text ?? "");
    if (!isPointer?.includes(true) || !isCall) continue;
    const args = listParts(tokens, { start: at + 2, end: closingOf(tokens, at + 1) });
    const found = args.find((arg, index) => isPointer[index] && isPartPointer(scope, arg));
    if (!found) continue;
    const { text } = tokens[at]!;
    const reason =
      `${text} is handed a pointer to a part of a variable, which this runtime does not take: put the part into a var, hand over the pointer to that, and put it back`;
    return { token: tokens[found.start]!, reason };
  }
  return undefined;
}

function isPartPointer(scope: Scope, range: TokenRange): boolean {
  let target = expressionOf(scope, range);
  for (let isTaken = false; target; [target] = target.operands) {
    const { kind, text, start } = target;
    if (isTaken && (kind === "member" || kind === "index")) return true;
    if (kind === "unary" && text === "&") isTaken = true;
    else if (kind === "unary") isTaken = false;
    if (kind !== "name" || isTaken) continue;
    const { value } = declarationOf(scope, start) ?? {};
    return value !== undefined && value.end > value.start && isPartPointer(scope, value);
  }
  return false;
}
