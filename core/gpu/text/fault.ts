import { Types } from "./inference.ts";
import { Lines, type Position, TextFault } from "./lines.ts";
import { type Module, tryModule } from "./module.ts";
import { type Block, type Call, type Func, nodesIn, type Statement } from "./syntax.ts";
import { concrete, typeText } from "./value_type.ts";

/** Why a text does not compile, and where; line 0 if that is unknown. */
export interface Fault {
  readonly position: Position;
  readonly reason: string;
}

/** What a compiler says of a text that is wrong, in the words of the runtime. */
export interface Said {
  readonly text: string;
  readonly position: Position;
}

/** Compiles a text, or says what is wrong. */
export type TryText<T extends object> = (code: string) => T | Said | Promise<T | Said>;

/** Whether a text was wrong. */
export function isSaid(tried: object): tried is Said {
  return "text" in tried;
}

/** Matches how a runtime names the function that is wrong. */
const NAMED =
  /^Shader validation error: (?:Function \[\d+\] '|Entry point )([\p{XID_Start}_]\p{XID_Continue}*)/mu;

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
  const module = tryModule(code);
  const drawn = { position: placeIn(whole, new Lines(code)), reason: reasonOf(whole.text) };
  if (module instanceof TextFault) return drawn;
  const cuts = new StatementCuts(module);
  const { parts } = cuts;
  const name = NAMED.exec(whole.text)?.[1];
  const own = parts.findIndex(({ of }) => of.name === name);
  // Runtimes print some mistakes each time that they find them, so the search tries few texts that
  // fail.
  const stride = own < 0
    ? 0
    : Math.ceil(Math.sqrt(parts.filter(({ of }) => of === parts[own]!.of).length));
  let [right, wrong, said] = [Math.max(0, own), parts.length, whole];
  const isOutside = parts.length === 0 || (own < 0 && isSaid(await tryText(cuts.first(0))));
  if (isOutside) return drawn;
  while (wrong - right > 1) {
    const rest = wrong - right;
    const middle = right + (own < 0 ? rest >> 1 : rest > stride ? stride : 1);
    const found = await tryText(cuts.first(middle));
    if (isSaid(found)) [wrong, said] = [middle, found];
    else right = middle;
  }
  return faultIn(module, parts[right]!, said);
}

function faultIn(module: Module, part: CutPart, said: Said): Fault {
  const { of, start, end } = part;
  if (part.isEnd) {
    const position = module.positionAt(of.nameStart);
    const reason = `${of.name} gives a value back, and a way through it has no return`;
    return { position, reason: of.result ? reason : reasonOf(said.text) };
  }
  const isGiven = said.position.line > 0;
  const index = [
    ...isGiven ? [module.indexAt(said.position)] : [],
    ...marksIn(said.text, module),
  ].find((mark) => mark >= start && mark < end) ?? start;
  return wrongArgument(module, said, { of, index }) ?? wrongStore(module, said, part) ??
    { position: module.positionAt(index), reason: reasonOf(said.text) };
}

/** Describes a wrong argument of the call at a character, if that is the fault. */
function wrongArgument(
  module: Module,
  said: Said,
  { of, index }: { readonly of: Func; readonly index: number },
): Fault | undefined {
  const number = Number(/^.*Argument (\d+) value/m.exec(said.text)?.[1] ?? -1);
  const call = module.calls.get(of)!.find((one: Call) =>
    one.start === index && one.callee.declared?.kind === "function"
  );
  const declared = call?.callee.declared;
  const argument = call?.operands[number];
  if (!argument || declared?.kind !== "function") return undefined;
  const types = new Types(module);
  const taken = typeText(types.named(declared.parameters[number]!.type!));
  const type = types.of(argument);
  const isPointer = type?.name === "ptr";
  const shown = isPointer ? type.args[1] : type;
  const given = `${isPointer ? "a pointer to " : ""}${
    shown ? typeText(concrete(shown)) : "another type"
  }`;
  const isNumber = /^(?:[iuf]32|f16|bool)$/;
  const wayOut = isNumber.test(taken) && (!type || isNumber.test(given))
    ? `: write ${taken}(...)`
    : "";
  return {
    position: module.positionAt(argument.start),
    reason: `${taken} is taken here and ${given} is given${wayOut}`,
  };
}

/** Describes an assignment whose value has the wrong type, if that is the fault. */
function wrongStore(module: Module, said: Said, { statement }: CutPart): Fault | undefined {
  const isStore = /doesn't match the type stored in/.test(said.text);
  if (!isStore || statement?.kind !== "assign" || !statement.target) return undefined;
  const types = new Types(module);
  const [taken, given] = [types.of(statement.target), types.of(statement.value)];
  if (!taken || !given) return undefined;
  return {
    position: module.positionAt(statement.value.start),
    reason: `${typeText(taken)} is taken here and ${typeText(concrete(given))} is given`,
  };
}

/**
 * Finds the characters marked by `^` in a runtime's drawing. Drawings replace tabs by blanks and indent
 * what spans several lines, so only other characters are counted.
 */
function marksIn(message: string, text: Lines): number[] {
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
  text: Lines,
  { line, drawn }: { readonly line: number; readonly drawn: string },
  column: number,
): number {
  let count = drawn.slice(0, column).replaceAll(/\s/g, "").length;
  const { source } = text;
  let index = text.indexAt({ line, column: 1 });
  for (; index < source.length; index++) {
    if (/\s/.test(source[index]!)) continue;
    if (count === 0) break;
    count--;
  }
  return index;
}

/** Finds the position of a fault outside of statements, where a runtime's drawing is exact. */
function placeIn({ text: said, position }: Said, text: Lines): Position {
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
  const head = plainWords(said);
  const parts = isWhole && details.length > 0
    ? details
    : [head, ...details.filter((one) => !head.includes(one))];
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

/** A statement, the head of one with blocks, or a brace; or the end of a function. */
export interface CutPart {
  readonly of: Func;
  readonly start: number;
  readonly end: number;
  /** The statement, where it is whole. */
  readonly statement?: Statement;
  /** What closes the function's text behind it; but for the function itself. */
  readonly closing: string;
  readonly isEnd?: boolean;
}

/**
 * A module whose last statements can be left out without breaking the rest, so that a compiler can tell
 * which statement is the first wrong one.
 */
export class StatementCuts {
  /** Of all functions, in the order of the text. */
  readonly parts: readonly CutPart[];
  readonly #module: Module;

  /** @param module of a text that may be wrong */
  constructor(module: Module) {
    this.#module = module;
    this.parts = module.functions.flatMap((of) => of.body ? partsOf(module, of, of.body) : []);
  }

  /** The text with only the first parts. A function without its end returns a zero. */
  first(count: number): string {
    const { source, functions } = this.#module;
    const kept = Map.groupBy(this.parts.slice(0, count), ({ of }) => of);
    let [text, done] = ["", 0];
    for (const of of functions) {
      const { body, result } = of;
      const last = kept.get(of)?.at(-1);
      if (!body || last?.isEnd) continue;
      const zero = result ? ` return ${this.#module.textOf(result)}();` : "";
      text += source.slice(done, last?.end ?? body.open + 1) + (last?.closing ?? "") + zero;
      done = body.end - 1;
    }
    return text + source.slice(done);
  }
}

/** The parts of a function: each can be the last that is kept. */
function partsOf({ source }: Module, of: Func, body: Block): CutPart[] {
  const parts: CutPart[] = [];
  let at = body.open + 1;
  const cut = (end: number, closing: string, statement?: Statement) => {
    parts.push({ of, start: startOf(at, end), end, closing, ...statement && { statement } });
    at = end;
  };
  const block = ({ open, end, statements }: Block, closing: string, isWhole = true) => {
    cut(open + 1, `}${closing}`);
    statements.forEach((one) => visit(one, `}${closing}`));
    if (isWhole) cut(end, closing);
  };
  const visit = (one: Statement, closing: string): void => {
    switch (one.kind) {
      case "block":
        return block(one, closing);
      case "if":
        block(one.then, closing);
        return one.otherwise && visit(one.otherwise, closing);
      case "switch": {
        let rest = " default: {} }";
        cut(one.clauses[0]?.start ?? one.end - 1, rest + closing);
        for (const { isDefault, body } of one.clauses) {
          if (isDefault) rest = "}";
          block(body, rest + closing);
        }
        return cut(one.end, closing);
      }
      case "loop":
        block(one.body, closing, one.keyword !== "loop");
        return one.keyword === "loop" ? cut(one.end, closing) : undefined;
      default:
        return cut(one.end, closing, one);
    }
  };
  body.statements.forEach((one) => visit(one, ""));
  const start = body.end - 1;
  return [...parts, { of, start, end: body.end, closing: "", isEnd: true }];

  /** Where the first of the nodes from a character on begins, before its part's end. */
  function startOf(from: number, end: number): number {
    for (const { start } of nodesIn(body)) if (start >= from && start < end) return start;
    return from + Math.max(0, source.slice(from, end).search(/\S/));
  }
}
