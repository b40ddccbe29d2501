import { lostError } from "../device/device.ts";
import type { FunctionDeclaration } from "../syntax/declarations.ts";
import { concreteType, typeOfRange } from "../syntax/expression_type.ts";
import { closingOf, listParts, type Token, type TokenRange } from "../syntax/tokens.ts";
import { namedType, typeText } from "../syntax/value_type.ts";
import { type TextPosition, WgslText } from "../syntax/wgsl_text.ts";

/** Why a text does not compile, and where; line 0 if that is unknown. */
export interface Fault {
  readonly position: TextPosition;
  readonly reason: string;
}

/** Matches how a runtime names the function that is wrong. */
const NAMED =
  /^Shader validation error: (?:Function \[\d+\] '|Entry point )([\p{XID_Start}_]\p{XID_Continue}*)/mu;

/** What a compiler says of a text that is wrong, in the words of the runtime. */
export interface Said {
  readonly text: string;
  readonly position: TextPosition;
}

/** Compiles a text, or says what is wrong. */
export type TryText<T extends object> = (code: string) => T | Said | Promise<T | Said>;

/** How many texts of a device are kept. */
const KEPT_MAX = 8;
/** What became of the last texts of a device, the most recently used last. */
const compiled = new WeakMap<GPUDevice, Map<string, Promise<GPUShaderModule | Fault>>>();

/**
 * Compiles a text, or finds out what is wrong where. The last texts of a device are compiled only once,
 * even if that is asked for at the same time.
 *
 * @throws {DOMException} `OperationError` when the device was lost
 */
export function compileWgsl(device: GPUDevice, code: string): Promise<GPUShaderModule | Fault> {
  const kept = compiled.get(device) ?? new Map<string, Promise<GPUShaderModule | Fault>>();
  compiled.set(device, kept);
  const compiling = kept.get(code) ?? compileOnce(device, code);
  kept.delete(code);
  kept.set(code, compiling);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return compiling;
}

async function compileOnce(device: GPUDevice, code: string): Promise<GPUShaderModule | Fault> {
  const whole = await tryText(device, code);
  if (!isSaid(whole)) return whole;
  // The message may arrive before the promise `lost` resolves.
  const isLost = whole.position.line === 0 && /\bdevice is lost\b/.test(whole.text);
  const lost = await Promise.race([device.lost, ...isLost ? [] : [undefined]]);
  if (lost) throw lostError("compile the text", lost);
  return faultOf(code, whole, (text) => tryText(device, text));
}

function isSaid(tried: object): tried is Said {
  return "text" in tried;
}

/**
 * Finds the fault of a text. Compilers name the place where a value was made, or a whole function. The
 * statement is found by leaving out those after it.
 *
 * @param whole what the compiler says of the text
 */
export async function faultOf<T extends object>(
  code: string,
  whole: Said,
  tryText: TryText<T>,
): Promise<Fault> {
  const text = new WgslText(code);
  const cuts = new StatementCuts(text);
  const { parts } = cuts;
  const name = NAMED.exec(whole.text)?.[1];
  const own = parts.findIndex(({ of }) => of.name.text === name);
  // Runtimes print some mistakes each time that they find them, so the search tries few texts that
  // fail.
  const stride = own < 0
    ? 0
    : Math.ceil(Math.sqrt(parts.filter(({ of }) => of === parts[own]!.of).length));
  let [right, wrong, said] = [Math.max(0, own), parts.length, whole];
  const isOutside = parts.length === 0 || (own < 0 && isSaid(await tryText(cuts.first(0))));
  if (isOutside) return { position: drawnPosition(whole, text), reason: reasonOf(whole.text) };
  while (wrong - right > 1) {
    const rest = wrong - right;
    const middle = right + (own < 0 ? rest >> 1 : rest > stride ? stride : 1);
    const found = await tryText(cuts.first(middle));
    if (isSaid(found)) [wrong, said] = [middle, found];
    else right = middle;
  }
  return faultIn(text, cuts.parts[right]!, said);
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

function faultIn(text: WgslText, part: CutPart, said: Said): Fault {
  const { tokens } = text;
  const { name } = part.of;
  if (part.kind === "end") {
    const position = text.positionAt(name.index);
    const lacksReturn = part.of.result.end > part.of.result.start;
    const reason = `${name.text} gives a value back, and a way through it has no return`;
    return { position, reason: lacksReturn ? reason : reasonOf(said.text) };
  }
  const [start, last] = [tokens[part.start]!.index, tokens[part.end - 1]!.index];
  const index = [text.indexAt(said.position), ...marksIn(said.text, text)]
    .find((mark) => mark >= start && mark <= last) ?? start;
  return wrongArgument(text, said, index) ?? wrongStore(text, said, part) ??
    { position: text.positionAt(index), reason: reasonOf(said.text) };
}

/** Describes a wrong argument of the call at a character, if that is the fault. */
function wrongArgument(text: WgslText, said: Said, index: number): Fault | undefined {
  const { tokens, declarations } = text;
  const number = Number(/^.*Argument (\d+) value/m.exec(said.text)?.[1] ?? -1);
  const at = tokens.findIndex((token) => token.index === index);
  const called = declarations.functions.find(({ name }) => name.text === tokens[at]?.text);
  const argument = called && number >= 0 &&
    listParts(tokens, { start: at + 2, end: closingOf(tokens, at + 1) })[number];
  if (!argument) return undefined;
  const taken = typeText(namedType(text, called.parameters[number]!.type));
  const type = typeOfRange(text, argument);
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
    position: text.positionAt(tokens[argument.start]!.index),
    reason: `${taken} is taken here and ${given} is given${wayOut}`,
  };
}

/** Describes an assignment whose value has the wrong type, if that is the fault. */
function wrongStore(
  text: WgslText,
  said: Said,
  { start, end }: TokenRange,
): Fault | undefined {
  if (!/doesn't match the type stored in/.test(said.text)) return undefined;
  const { tokens } = text;
  const equals = tokens.findIndex((token, at) => at > start && at < end && token.text === "=");
  const taken = typeOfRange(text, { start, end: equals });
  const given = typeOfRange(text, { start: equals + 1, end: end - 1 });
  if (!taken || !given) return undefined;
  return {
    position: text.positionAt(tokens[equals + 1]!.index),
    reason: `${typeText(taken)} is taken here and ${typeText(concreteType(given))} is given`,
  };
}

/**
 * Finds the characters marked by `^` in a runtime's drawing. Drawings replace tabs by blanks and indent
 * what spans several lines, so only other characters are counted.
 */
function marksIn(message: string, text: WgslText): number[] {
  const marks: number[] = [];
  let shown: { readonly line: number; readonly drawn: string } | undefined;
  for (const drawn of message.split("\n")) {
    const [head, line] = /^\s*(\d+) │(?: [│╭])? /u.exec(drawn) ?? [];
    if (head !== undefined) {
      shown = { line: Number(line), drawn: drawn.slice(head.length).padStart(drawn.length) };
    } // The last line of something marked has its own mark at the edge.
    else if (shown && !drawn.includes("╰")) {
      for (const { index } of drawn.matchAll(/\^+/g)) marks.push(markedIndex(text, shown, index));
    }
  }
  return marks;
}

function markedIndex(
  text: WgslText,
  { line, drawn }: { readonly line: number; readonly drawn: string },
  column: number,
): number {
  let count = drawn.slice(0, column).replaceAll(/\s/g, "").length;
  const { source } = text;
  let index = text.indexAt({ line, column: 1 });
  for (; index >= 0 && index < source.length; index++) {
    if (/\s/.test(source[index]!)) continue;
    if (count === 0) break;
    count--;
  }
  return index;
}

/** Finds the position of a fault outside of statements, where a runtime's drawing is exact. */
function drawnPosition({ text: said, position }: Said, text: WgslText): TextPosition {
  // Of two declarations, the second is the wrong one.
  if (/^\S.*redefinition of/m.test(said)) {
    return text.positionAt(Math.max(...marksIn(said, text)));
  }
  const [, line, column] = /┌─ \S*?:(\d+):(\d+)\s*$/mu.exec(said) ?? [];
  return line === undefined ? position : { line: Number(line), column: Number(column) };
}

/**
 * Shortens a compiler's message to one line. A runtime draws the source around the fault: only the
 * first sentence and the words next to the marks are kept.
 */
export function reasonOf(message: string): string {
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line);
  const said = (lines[0] ?? "").replace(/^Shader '.*?' parsing error: /, "");
  const marked = lines.filter((line) =>
    line.startsWith("=") || (line.includes("^") && !/[╰]|naga::/u.test(line))
  );
  const details = marked.map((line) => plainWords(line.replace(/^[│╭─|=^ ]+/u, "")))
    .filter((part) => !SAYS_NOTHING.test(part));
  // If a function is invalid as a whole, only the reason is kept.
  const isWhole = /^Shader validation error: (?:Function|Entry point) .* is invalid$/.test(said);
  const parts = isWhole && details.length > 0 ? details : [plainWords(said), ...details];
  return [...new Set(parts)].join("; ");
}

const SAYS_NOTHING =
  /^(?:Call to is invalid|Expression is invalid|see msg|invalid function call|invalid accessor|unknown identifier|definition of `\w+`)?$/;
const SIZES: Readonly<Record<string, number>> = { Bi: 2, Tri: 3, Quad: 4 };
const KINDS: Readonly<Record<string, string>> = { Uint: "u", Sint: "i", Float: "f" };

/** Rewrites a runtime's words, with types as in WGSL and without numbers of expressions. */
function plainWords(words: string): string {
  return words
    .replaceAll(
      /Scalar \{ kind: (\w+), width: (\d) \}/g,
      (_, kind: string, width: string) =>
        kind in KINDS ? `${KINDS[kind]}${Number(width) * 8}` : kind.toLowerCase(),
    )
    .replaceAll(/Scalar\((\w+)\)/g, "$1")
    .replaceAll(/\{AbstractFloat\}/g, "a fraction")
    .replaceAll(/\{AbstractInt\}/g, "an integer")
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

/** A statement, the head of one with a block, or a brace; or the end of a function. */
export interface CutPart extends TokenRange {
  readonly kind: "statement" | "end";
  readonly of: FunctionDeclaration;
}

/**
 * A module whose last statements can be left out without breaking the rest, so that a compiler can tell
 * which statement is the first wrong one.
 */
export class StatementCuts {
  /** Of all functions, in the order of the text. */
  readonly parts: readonly CutPart[];
  readonly #text: WgslText;

  /** @param text that may be wrong */
  constructor(text: WgslText) {
    this.#text = text;
    this.parts = text.declarations.functions.flatMap((one) => partsOf(text.tokens, one));
  }

  /** The text with only the first parts. A function without its end returns a zero. */
  first(count: number): string {
    const { source, tokens, declarations } = this.#text;
    const endOf = (token: number) => {
      const { index, text } = tokens[token] ?? { index: 0, text: "" };
      return index + text.length;
    };
    const kept = this.parts.slice(0, count);
    const texts: string[] = [];
    let done = 0;
    for (const one of declarations.functions) {
      const parts = kept.filter(({ of }) => of === one);
      const { body, result } = one;
      if (parts.at(-1)?.kind === "end" || body.end >= tokens.length) continue;
      const end = endOf((parts.at(-1)?.end ?? body.start) - 1);
      const zero = result.end > result.start ? ` return ${this.#text.textOf(result)}();` : "";
      texts.push(source.slice(done, end), this.#closing(parts), zero);
      done = tokens[body.end]!.index;
    }
    return [...texts, source.slice(done)].join("");
  }

  /** Closes the open blocks; a `switch` needs a default. */
  #closing(parts: readonly CutPart[]): string {
    const open: string[] = [];
    for (const { start, end } of parts) {
      const texts = this.#text.tokens.slice(start, end).map(({ text }) => text);
      if (texts.includes("default")) open[open.length - 1] = "}";
      if (texts.at(-1) === "{") open.push(texts.includes("switch") ? " default: {} }" : "}");
      if (texts.at(-1) === "}") open.pop();
    }
    return open.toReversed().join("");
  }
}

function partsOf(tokens: readonly Token[], of: FunctionDeclaration): CutPart[] {
  const { start: first, end: last } = of.body;
  const parts: CutPart[] = [];
  let [start, depth] = [first, 0];
  for (let at = first; at < last; at++) {
    const { text, kind } = tokens[at]!;
    if (kind !== "mark") continue;
    if (text === "(" || text === "[") depth++;
    if (text === ")" || text === "]") depth--;
    if (depth > 0 || !/^[;{}]$/.test(text)) continue;
    parts.push({ kind: "statement", of, start, end: at + 1 });
    start = at + 1;
  }
  return last > 0 ? [...parts, { kind: "end", of, start: last, end: last + 1 }] : parts;
}
