import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { freePrefix, type Token, type TokenRange } from "../../syntax/tokens.ts";
import { insertion, type TextEdit, type WgslText } from "../../syntax/wgsl_text.ts";

/** A place of the author's text that may write records. */
export interface DebugSite extends TokenRange {
  readonly of: FunctionDeclaration;
  /** The written expression or statement that it is of. */
  readonly written: string;
}

/** The head of a record's text: site, and the way of calls. */
const HEAD = /^\ue001(\d+) (\d+)\ue002/;

/** The head of a printed record, and the rest of its text. */
export interface DebugRecord {
  readonly site: number;
  /** See `CallWays`. */
  readonly way: number;
  readonly text: string;
}

/** Reads the text of a call of `printf`; `undefined` if it is the author's own. */
export function readRecord(text: string): DebugRecord | undefined {
  const found = HEAD.exec(text);
  if (!found) return undefined;
  const [site, way] = found.slice(1).map(Number);
  return { site: site!, way: way!, text: text.slice(found[0].length) };
}

/** A string literal of a format that begins with a head. */
export function headed(format: string, site: number): string {
  return JSON.stringify(`\ue001${site} %u\ue002${format}`);
}

/** Some tokens as they are written, in one line and without comments. */
export function inOneLine({ tokens }: WgslText, { start, end }: TokenRange): string {
  return tokens.slice(start, end).map(({ text, index }, at) => {
    const before = at === 0 ? undefined : tokens[start + at - 1]!;
    const isApart = before !== undefined && before.index + before.text.length < index;
    return isApart ? ` ${text}` : text;
  }).join("");
}

/** A text that is being rewritten: the edits, the generated functions, and the places of records. */
export class DebugRewrite {
  readonly text: WgslText;
  /** Begins each generated name. */
  readonly prefix: string;
  /** In the order in which they are made, which counts for those at one character. */
  readonly edits: TextEdit[] = [];
  readonly sites: DebugSite[] = [];
  readonly #functions = new Map<string, { readonly name: string; readonly text: string }>();

  /** Begins without edits. */
  constructor(text: WgslText) {
    this.text = text;
    this.prefix = freePrefix(text.tokens, "debug_");
  }

  /** The name of the parameter that has the way of calls to a function. */
  get way(): string {
    return `${this.prefix}way`;
  }

  /** Registers a place, and returns its number. */
  site(site: Omit<DebugSite, "written">): number {
    return this.sites.push({ ...site, written: this.writtenOf(site) }) - 1;
  }

  /** Some tokens as they are written, in one line and without comments. */
  writtenOf(range: TokenRange): string {
    return inOneLine(this.text, range);
  }

  /** Inserts a text before a token. */
  before(token: number, text: string): void {
    this.edits.push(insertion(this.text.tokens[token]!.index, text));
  }

  /** Inserts a text right after the last token before one. */
  behind(end: number, text: string): void {
    const { index, text: last } = this.text.tokens[end - 1]!;
    this.edits.push(insertion(index + last.length, text));
  }

  /** Replaces a token. */
  replace(token: number, text: string): void {
    const { index, text: old } = this.text.tokens[token]! as Token;
    this.edits.push({ index, end: index + old.length, text });
  }

  /** The name of a generated function, which is generated once for each key. */
  helper(key: string, textOf: (name: string) => string): string {
    const known = this.#functions.get(key);
    if (known) return known.name;
    const name = `${this.prefix}${this.#functions.size}`;
    this.#functions.set(key, { name, text: textOf(name) });
    return name;
  }

  /** The generated functions. */
  get generated(): string {
    return [...this.#functions.values()].map(({ text }) => text).join("\n");
  }
}
