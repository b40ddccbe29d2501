import { lostError } from "../device/device.ts";
import { concreteType } from "../syntax/expression_type.ts";
import { typeOfRange } from "../syntax/name_type.ts";
import { indexAt, positionAt, type TextPosition } from "../syntax/text_position.ts";
import { closingOf, listParts } from "../syntax/tokens.ts";
import { namedType, typeText } from "../syntax/value_type.ts";
import { type CutPart, StatementCuts } from "./statement_cuts.ts";

/** Why a text does not compile, and where; line 0 where that is not known. */
export interface Fault {
  readonly position: TextPosition;
  readonly reason: string;
}

/** How a runtime names the function that is wrong. */
const NAMED =
  /^Shader validation error: (?:Function \[\d+\] '|Entry point )([\p{XID_Start}_]\p{XID_Continue}*)/mu;

/** What a compiler says. */
interface Said {
  readonly text: string;
  readonly position: TextPosition;
}

/**
 * Compiles a text, or says what is wrong where. Compilers name the place where a value was made, or a
 * whole function: the statement is found by leaving out those behind it.
 *
 * @throws {DOMException} `OperationError` when the device was lost
 */
export async function compileWgsl(
  device: GPUDevice,
  code: string,
): Promise<GPUShaderModule | Fault> {
  const whole = await tryText(device, code);
  if (whole instanceof GPUShaderModule) return whole;
  // A runtime says it before its promise does.
  const isLost = whole.position.line === 0 && /\bdevice is lost\b/.test(whole.text);
  const lost = await Promise.race([device.lost, ...isLost ? [] : [undefined]]);
  if (lost) throw lostError("compile the text", lost);
  const cuts = new StatementCuts(code);
  const { parts } = cuts;
  const name = NAMED.exec(whole.text)?.[1];
  const own = parts.findIndex(({ of }) => of.name.text === name);
  // Runtimes print some mistakes of a function each time that they find them: it is found in few of its
  // steps, of many that are right.
  const stride = own < 0
    ? 0
    : Math.ceil(Math.sqrt(parts.filter(({ of }) => of === parts[own]!.of).length));
  let [right, wrong, said] = [Math.max(0, own), parts.length, whole];
  const isOutside = parts.length === 0 ||
    (own < 0 && !(await tryText(device, cuts.first(0)) instanceof GPUShaderModule));
  if (isOutside) return { position: drawnPosition(whole, code), reason: reasonOf(whole.text) };
  while (wrong - right > 1) {
    const rest = wrong - right;
    const middle = right + (own < 0 ? rest >> 1 : rest > stride ? stride : 1);
    const found = await tryText(device, cuts.first(middle));
    if (found instanceof GPUShaderModule) right = middle;
    else [wrong, said] = [middle, found];
  }
  return faultIn(code, cuts, cuts.parts[right]!, said);
}

async function tryText(device: GPUDevice, code: string): Promise<GPUShaderModule | Said> {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const scopeError = await device.popErrorScope();
  const { messages } = await module.getCompilationInfo();
  const message = messages.find(({ type }) => type === "error");
  if (!message && !scopeError) return module;
  const position = { line: message?.lineNum ?? 0, column: message?.linePos ?? 0 };
  return { text: message?.message ?? scopeError!.message, position };
}

function faultIn(code: string, cuts: StatementCuts, part: CutPart, said: Said): Fault {
  const { tokens } = cuts;
  const { name } = part.of;
  if (part.kind === "end") {
    const position = positionAt(code, name.index);
    const lacksReturn = part.of.result.end > part.of.result.start;
    const reason = `${name.text} gives a value back, and a way through it has no return`;
    return { position, reason: lacksReturn ? reason : reasonOf(said.text) };
  }
  const [start, last] = [tokens[part.start]!.index, tokens[part.end - 1]!.index];
  const index = [indexAt(code, said.position), ...marksIn(said.text, code)]
    .find((mark) => mark >= start && mark <= last) ?? start;
  return wrongArgument(code, cuts, { index, text: said.text }) ??
    wrongStore(code, cuts, { part, text: said.text }) ??
    { position: positionAt(code, index), reason: reasonOf(said.text) };
}

/** What is wrong at a call that stands at a character, when it is one argument. */
function wrongArgument(
  code: string,
  { tokens, declarations }: StatementCuts,
  { index, text }: { readonly index: number; readonly text: string },
): Fault | undefined {
  const number = Number(/^.*Argument (\d+) value/m.exec(text)?.[1] ?? -1);
  const at = tokens.findIndex((token) => token.index === index);
  const called = declarations.functions.find(({ name }) => name.text === tokens[at]?.text);
  const argument = called && number >= 0 &&
    listParts(tokens, { start: at + 2, end: closingOf(tokens, at + 1) })[number];
  if (!argument) return undefined;
  const scope = { tokens, declarations };
  const taken = typeText(namedType(scope, called.parameters[number]!.type));
  const type = typeOfRange(scope, argument);
  const isPointer = type?.name === "ptr";
  const shown = isPointer ? type.args[1] : type;
  const given = `${isPointer ? "a pointer to " : ""}${
    shown ? typeText(concreteType(shown)) : "another type"
  }`;
  const isNumber = /^(?:[iuf]32|f16|bool)$/;
  const wayOut = isNumber.test(taken) && (!type || isNumber.test(given))
    ? `: write ${taken}(...)`
    : "";
  return {
    position: positionAt(code, tokens[argument.start]!.index),
    reason: `${taken} is taken here and ${given} is given${wayOut}`,
  };
}

/** What is wrong in an assignment, when its value has another type than what it is assigned to. */
function wrongStore(
  code: string,
  { tokens, declarations }: StatementCuts,
  { part, text }: { readonly part: CutPart; readonly text: string },
): Fault | undefined {
  if (!/doesn't match the type stored in/.test(text)) return undefined;
  const { start, end } = part;
  const equals = tokens.findIndex((token, at) => at > start && at < end && token.text === "=");
  const scope = { tokens, declarations };
  const taken = typeOfRange(scope, { start, end: equals });
  const given = typeOfRange(scope, { start: equals + 1, end: end - 1 });
  if (!taken || !given) return undefined;
  return {
    position: positionAt(code, tokens[equals + 1]!.index),
    reason: `${typeText(taken)} is taken here and ${typeText(concreteType(given))} is given`,
  };
}

/**
 * The characters at which the marks `^` of a runtime's drawing begin. Drawings have blanks for tabs, and
 * more of them beside what goes over several lines: other characters are counted.
 */
function marksIn(message: string, code: string): number[] {
  const marks: number[] = [];
  let shown: { readonly line: number; readonly drawn: string } | undefined;
  for (const drawn of message.split("\n")) {
    const [head, line] = /^\s*(\d+) │(?: [│╭])? /u.exec(drawn) ?? [];
    if (head !== undefined) {
      shown = { line: Number(line), drawn: drawn.slice(head.length).padStart(drawn.length) };
    } // The last line of something marked has its own mark at the edge.
    else if (shown && !drawn.includes("╰")) {
      for (const { index } of drawn.matchAll(/\^+/g)) marks.push(markedIndex(code, shown, index));
    }
  }
  return marks;
}

function markedIndex(
  code: string,
  { line, drawn }: { readonly line: number; readonly drawn: string },
  column: number,
): number {
  let count = drawn.slice(0, column).replaceAll(/\s/g, "").length;
  let index = indexAt(code, { line, column: 1 });
  for (; index >= 0 && index < code.length; index++) {
    if (/\s/.test(code[index]!)) continue;
    if (count === 0) break;
    count--;
  }
  return index;
}

/** Where a runtime says that something outside of statements is wrong: what it has drawn is exact. */
function drawnPosition({ text, position }: Said, code: string): TextPosition {
  // The second of two declarations is the one too many.
  if (/^\S.*redefinition of/m.test(text)) {
    return positionAt(code, Math.max(...marksIn(text, code)));
  }
  const [, line, column] = /┌─ \S*?:(\d+):(\d+)\s*$/mu.exec(text) ?? [];
  return line === undefined ? position : { line: Number(line), column: Number(column) };
}

/**
 * What a compiler says, on one line. A runtime's message has a drawing of the line around what is
 * wrong: kept are the first sentence and the words beside the marks.
 */
export function reasonOf(message: string): string {
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line);
  const said = (lines[0] ?? "").replace(/^Shader '.*?' parsing error: /, "");
  const marked = lines.filter((line) =>
    line.startsWith("=") || (line.includes("^") && !/[╰]|naga::/u.test(line))
  );
  const details = marked.map((line) => plainWords(line.replace(/^[│╭─|=^ ]+/u, "")))
    .filter((part) => !SAYS_NOTHING.test(part));
  // Of a function that is invalid as a whole, it is told why.
  const isWhole = /^Shader validation error: (?:Function|Entry point) .* is invalid$/.test(said);
  const parts = isWhole && details.length > 0 ? details : [plainWords(said), ...details];
  return [...new Set(parts)].join("; ");
}

const SAYS_NOTHING =
  /^(?:Call to is invalid|Expression is invalid|see msg|invalid function call|invalid accessor|unknown identifier|definition of `\w+`)?$/;
const SIZES: Readonly<Record<string, number>> = { Bi: 2, Tri: 3, Quad: 4 };
const KINDS: Readonly<Record<string, string>> = { Uint: "u", Sint: "i", Float: "f" };

/** A runtime's words, with types as WGSL writes them and without its numbers of expressions. */
function plainWords(words: string): string {
  return words
    .replaceAll(
      /Scalar \{ kind: (\w+), width: (\d) \}/g,
      (_, kind: string, width: string) =>
        kind in KINDS ? `${KINDS[kind]}${Number(width) * 8}` : kind.toLowerCase(),
    )
    .replaceAll(/Scalar\((\w+)\)/g, "$1")
    .replaceAll(
      /Vector \{ size: (\w+), scalar: (\w+) \}/g,
      (_, size: string, scalar: string) => `vec${SIZES[size]}<${scalar}>`,
    )
    .replaceAll(
      /Matrix \{ columns: (\w+), rows: (\w+), scalar: (\w+) \}/g,
      (_, columns: string, rows: string, scalar: string) =>
        `mat${SIZES[columns]}x${SIZES[rows]}<${scalar}>`,
    )
    .replace(
      /^the type of `\w+` is expected to be `(.+)`, but got `(.+)`$/,
      "$1 is taken here and $2 is given",
    )
    .replaceAll(/\[\d+\] \(of type ([^()]+)\)/g, "$1")
    .replaceAll(/ (?:Some\()?\[\d+\]\)?/g, "")
    .replace(/ with$/, " with this type")
    .replace(
      /^The type of doesn't match the type stored in$/,
      "the value has another type than its place",
    );
}
