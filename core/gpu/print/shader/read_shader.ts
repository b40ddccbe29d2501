import { plainLines, type Token, tokensOf } from "../../text/lexer.ts";
import { TextFault } from "../../text/lines.ts";
import { tryModule } from "../../text/module.ts";
import { blank } from "../../text/printer.ts";
import { noStrings, noValue, PRINTING, READ_AS_LIST, takesList } from "../print_calls.ts";
import { type PrintfError, WrittenText } from "../printf_error.ts";
import { PrintingShader } from "./printing_shader.ts";

/** By this comment, tools name the file of a text. */
const SOURCE_URL = /^\/\/# sourceURL=(\S+)\s*$/m;

/** The name of a text's file, if the text tells it. */
export function fileOf(written: string): string | undefined {
  return SOURCE_URL.exec(written)?.[1];
}

/** A text that is no WGSL for this reader, as newer WGSL may be. */
export interface UnreadText {
  /** The same text, with blanks in place of what prints: what is wrong with it, its compiler tells at its place. */
  readonly code: string;
  /** Whether it has anything that prints. */
  readonly isPrinting: boolean;
  /** Where reading ended. */
  readonly error: PrintfError;
}

/** A shader; or what is wrong with a `printf` or `assert` in it; or, of other texts, what a compiler may take. */
export function readShader(written: string): PrintingShader | PrintfError | UnreadText {
  const module = tryModule(written);
  const text = new WrittenText(written);
  if (module instanceof TextFault) {
    const calls = new UnreadCalls(plainLines(written));
    const own = calls.faultOf(module);
    return own ? text.errorOf(own) : { ...calls.hidden(), error: text.errorOf(module) };
  }
  try {
    return new PrintingShader(module);
  } catch (error) {
    if (error instanceof TextFault) return text.errorOf(error);
    throw error;
  }
}

/** Tokens from the name of a call to what ends it: its parenthesis, or what cannot be in it. */
interface UnreadCall {
  readonly at: number;
  readonly end: number;
}

/** The calls by names of this library in a text of which only tokens are known. */
class UnreadCalls {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #calls: readonly UnreadCall[];

  constructor(source: string) {
    const tokens = tokensOf(source);
    this.#source = source;
    this.#tokens = tokens;
    const declared = new Set(
      tokens.flatMap(({ text }, at) => tokens[at - 1]?.text === "fn" ? [text] : []),
    );
    this.#calls = tokens.flatMap(({ kind, text }, at) => {
      const isCall = kind === "name" && PRINTING.has(text) && tokens[at + 1]?.text === "(";
      const isOther = declared.has(text) || tokens[at - 1]?.text === ".";
      return isCall && !isOther ? [{ at, end: this.#endOf(at + 1) }] : [];
    });
  }

  #endOf(open: number): number {
    let depth = 0;
    for (let at = open; at < this.#tokens.length; at++) {
      const { kind, text } = this.#tokens[at]!;
      if (kind !== "mark") continue;
      if (/^[;{}]$/.test(text)) return at;
      depth += /^[([]$/.test(text) ? 1 : /^[)\]]$/.test(text) ? -1 : 0;
      if (depth === 0) return at;
    }
    return this.#tokens.length;
  }

  /** What is wrong with one of the calls, if the reader stopped at it. */
  faultOf({ start, message }: TextFault): TextFault | undefined {
    const tokens = this.#tokens;
    const found = tokens.findIndex((token) => token.start >= start);
    const place = found < 0 ? tokens.length : found;
    const told = (at: number, reason: string) =>
      new TextFault(tokens[at]?.start ?? this.#source.length, reason);
    // Inside of a call, or in what follows it in its statement.
    const call = this.#calls.findLast(({ at, end }) =>
      place > at &&
      !tokens.slice(end, place).some(({ kind, text }) => kind === "mark" && /^[;{}]$/.test(text))
    );
    if (!call) {
      const string = [place, place + 1].find((at) => tokens[at]?.kind === "string");
      return string === undefined ? undefined : told(string, noStrings(tokens[string]!.text));
    }
    const name = tokens[call.at]!.text;
    if (place > call.end) return told(call.at, noValue(name));
    const [before, here] = [tokens[place - 1]!, tokens[place]];
    if (this.#isList(call, place)) return told(call.at, READ_AS_LIST);
    if (here?.text === "," && /^[(,]$/.test(before.text)) {
      return told(place, "an argument is missing between two commas");
    }
    if (here?.text === "=") return told(place, this.#comparison(call, place));
    const isValue = here && here.kind !== "mark" && here.kind !== "template";
    if (isValue && (before.kind !== "mark" || /^[)\]]$/.test(before.text))) {
      return told(place, `a comma is missing: write , ${here.text}`);
    }
    return new TextFault(start, message);
  }

  /** Whether a comparison was taken for the beginning of a list of types that ends before a token. */
  #isList({ at }: UnreadCall, end: number): boolean {
    return this.#tokens.slice(at, end).some(({ kind, text }, index, tokens) =>
      kind === "template" && text === "<" && !takesList(tokens[index - 1]!.text)
    );
  }

  /** Says how the argument around a `=` compares. */
  #comparison({ at, end }: UnreadCall, equals: number): string {
    const commas = this.#tokens.flatMap(({ text }, index) => text === "," ? [index] : []);
    const first = commas.findLast((index) => index > at && index < equals) ?? at + 1;
    const last = commas.find((index) => index > equals && index < end) ?? end;
    const written = (from: number, to: number) =>
      this.#source.slice(this.#tokens[from]!.start, this.#tokens[to]?.start).trim();
    return `a condition compares: write ${written(first + 1, equals)} == ${
      written(equals + 1, last)
    }`;
  }

  /** The text without its calls. */
  hidden(): Pick<UnreadText, "code" | "isPrinting"> {
    let [code, done] = ["", 0];
    for (const { at, end } of this.#calls) {
      const [{ start }, last] = [this.#tokens[at]!, this.#tokens[end]];
      if (last?.text !== ")" || start < done) continue;
      code += this.#source.slice(done, start);
      done = last.start + 1;
      code += blank(this.#source, { start, end: done });
    }
    return { code: code + this.#source.slice(done), isPrinting: this.#calls.length > 0 };
  }
}
