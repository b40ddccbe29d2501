import ringSource from "./ring/printf.wgsl" with { type: "text" };
import { textProblem } from "../compile/text_problem.ts";
import { freePrefix, type Token } from "../syntax/tokens.ts";
import { insertion, type TextEdit, type TextPosition, type WgslText } from "../syntax/wgsl_text.ts";
import { entryPoints, type PrintingEntry } from "./entry_points.ts";
import { type PrintfCall, printfCalls, PRINTING, refuseStrings } from "../printf/printf_calls.ts";
import { refuseAt } from "./printf_error.ts";
import { argumentTypes, printfFunction, silentFunction } from "../printf/printf_functions.ts";
import type { BindingPlace } from "./ring_place.ts";

/** The most parameters of a WGSL function. */
const PARAMETERS_MAX = 255;
/** Far more than a person writes, and few enough for names as long as `printf`. */
const CALLS_MAX = 1023;

/** What generated code takes from WGSL, and a text can hide. */
const NEEDED = new Set(
  "u32 f32 bool vec2 vec3 vec4 array atomic bitcast select arrayLength atomicLoad atomicAdd".split(
    " ",
  ),
);

/** Where the generated code finds the ring. */
export interface RingBindings extends BindingPlace {
  /** Whether the number of the dispatch follows at the next binding. */
  readonly hasDispatch: boolean;
}

/** A shader in which `printf` was found and checked, and the texts that are made of it. */
export class PrintfShader {
  /** As the author wrote it. */
  readonly text: WgslText;
  /** In the order of the text. */
  readonly calls: readonly PrintfCall[];
  /** The entry points that print. */
  readonly printing: readonly PrintingEntry[];
  readonly #prefix: string;
  readonly #names: readonly string[];
  readonly #printingEdits: readonly TextEdit[];
  readonly #silentEdits: readonly TextEdit[];

  /** @throws {PrintfError} at the line and column of an invalid `printf` */
  constructor(text: WgslText) {
    const problem = textProblem(text);
    if (problem) refuseAt(text, problem.token, problem.reason);
    this.text = text;
    this.calls = printfCalls(text);
    refuseStrings(text, PRINTING);
    checkSizes(text, this.calls);
    checkNames(text, this.calls);
    this.#prefix = freePrefix(text.tokens, "printf_");
    this.#names = callNames(text.tokens, this.calls.length);
    const { edits, printing } = entryPoints({ text, calls: this.calls, prefix: this.#prefix });
    this.printing = printing;
    this.#silentEdits = this.calls.flatMap((call, at) => replaced(text, call, this.#names[at]!));
    this.#printingEdits = [...edits, ...this.#silentEdits];
  }

  /** The text that prints to a ring. */
  printingSource(bindings: RingBindings): string {
    return [
      this.text.edited(this.#printingEdits),
      ringText(this.#prefix, bindings, this.calls.length),
      ...this.calls.map((call, at) =>
        printfFunction(call, { name: this.#names[at]!, prefix: this.#prefix, number: at + 1 })
      ),
    ].join("\n");
  }

  /** The text whose arguments are evaluated, and which prints nothing. */
  get silentSource(): string {
    const functions = this.calls.map((call, at) => silentFunction(call, this.#names[at]!));
    return [this.text.edited(this.#silentEdits), ...functions].join("\n");
  }

  /** A compiler's words, with the names that the author wrote. */
  authorWords(said: string): string {
    return this.#names.reduce((text, name, at) => {
      const { text: written } = this.text.tokens[this.calls[at]!.at]!;
      return text.replaceAll(name, written);
    }, said);
  }

  /** Maps a compiler's position in one of the texts to the author's. */
  authorPosition(of: "printing" | "silent", position: TextPosition): TextPosition {
    const edits = of === "printing" ? this.#printingEdits : this.#silentEdits;
    return this.text.originalPosition(edits, position);
  }
}

function checkSizes(text: WgslText, calls: readonly PrintfCall[]): void {
  const large = calls.find((call) => argumentTypes(call).length > PARAMETERS_MAX);
  if (large) {
    const reason = `a printf takes at most ${PARAMETERS_MAX} arguments: make two of it`;
    refuseAt(text, text.tokens[large.at]!, reason);
  }
  if (calls.length <= CALLS_MAX) return;
  const reason = `a text has at most ${CALLS_MAX} calls of printf: there are ${calls.length}`;
  refuseAt(text, text.tokens[calls[CALLS_MAX]!.at]!, reason);
}

/** Chooses unused names of six letters, the length of `printf`. */
function callNames(tokens: readonly Token[], count: number): readonly string[] {
  const used = new Set(tokens.map(({ text }) => text));
  for (const letter of "pqrstuvwxyzabcdefghijklmno") {
    const names = Array.from(
      { length: count },
      (_, number) => `${letter}f_${number.toString(36).padStart(3, "0")}`,
    );
    if (!names.some((name) => used.has(name))) return names;
  }
  throw new RangeError(
    "Cannot name the calls of printf as the text uses every name of six letters",
  );
}

function replaced(
  { tokens }: WgslText,
  { at, hidden, parameters }: PrintfCall,
  name: string,
): TextEdit[] {
  const { index, text } = tokens[at]!;
  const around = parameters.flatMap(({ range, around }) => {
    if (!around) return [];
    const last = tokens[range.end - 1]!;
    const [start, end] = [tokens[range.start]!.index, last.index + last.text.length];
    return [insertion(start, around[0]), insertion(end, around[1])];
  });
  const blanks = hidden.map((token) => ({
    index: token.index,
    end: token.index + token.text.length,
    text: " ".repeat(token.text.length),
  }));
  const padded = name.padEnd(text.length);
  // What is inserted comes before a comma that is hidden in the same place.
  return [{ index, end: index + text.length, text: padded }, ...around, ...blanks];
}

function checkNames(text: WgslText, calls: readonly PrintfCall[]): void {
  const hidden = text.declarations.names.find(({ text: name }) => NEEDED.has(name));
  if (!hidden || calls.length === 0) return;
  const reason =
    `${hidden.text} is declared here, and printf needs what WGSL means by it: rename it`;
  refuseAt(text, hidden, reason);
}

function ringText(
  prefix: string,
  { group, binding, hasDispatch }: RingBindings,
  callCount: number,
): string {
  const dispatch = hasDispatch
    ? `@group(${group}) @binding(${binding + 1}) var<uniform> PREFIXdispatch: vec4<u32>;`
    : "const PREFIXdispatch = vec4<u32>();";
  return ringSource
    .replace("GROUP", String(group))
    .replace("BINDING", String(binding))
    .replace("DISPATCH", dispatch)
    .replace("CALL_COUNT", String(Math.max(1, callCount)))
    .replaceAll("PREFIX", prefix);
}
