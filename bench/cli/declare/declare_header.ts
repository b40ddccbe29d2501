import { SCALAR_BYTES, type ScalarName } from "../../../core/signature/declare/kind.ts";
import { layoutText, resolved, SCALARS } from "./c_layout.ts";
import type { CFunction, CHeader, CNamed, CTagged, CType } from "./read_header.ts";

/** A module with declarations, and what is left to its reader. */
export interface Declared {
  readonly module: string;
  /** What was guessed from names, to be compared with the library's documentation. */
  readonly guesses: readonly string[];
  /** What no declaration says, with the reason. */
  readonly unsaid: readonly string[];
  /** How many functions and variables it has. */
  readonly count: number;
}

/** How the module is written. */
export interface DeclareOptions {
  /** What the API is called; its functions are `name.function`. */
  readonly name: string;
  /** Where the module imports declarations from. */
  readonly importFrom: string;
  /** Whether the library has a function or a variable; all when absent. */
  readonly isThere?: (name: string) => boolean;
}

const LENGTH_NAME = /(len|length|size|count|bytes|n|num|nbytes|cap|capacity)$/i;
/** Of whatever stands in front of it. */
const PLAIN_LENGTH =
  /^_*(n|len|length|size|count|num|n?_?bytes?|buf(fer)?_?(len|size)|cap(acity)?)$/i;
const COUNT_NAME = /^_*(n|nitems|nmemb|count|n_items|num)$/i;
const ENDING_NAME = /(close(_v2)?|free|destroy|finali[sz]e|delete|release|end|term|cleanup)$/i;
/** Where the object is the only argument. */
const ENDING_ONE = /(^|_|[a-z0-9])([Ff]ree|[Dd]estroy|[Dd]elete|[Cc]lose)(?=_|[A-Z]|$)/;
/** What the module imports, for every word that is a kind. */
const KINDS =
  /\b(array|bool|i8|u8|i16|u16|i32|u32|i64|u64|isize|usize|f32|f64|string|nothing|bytes|lengthOf|handle|ends|struct|union|pointer|nullable|callback|readOf|globalOf|memoryOf)\b/g;

/** In the text of a struct. */
const TEXT = /\bnullable\(string\)/;
const UNION = /\bunion\(/;
const NO_NUMBERS = new RegExp(`${TEXT.source}|${UNION.source}`);

/** Why something cannot be declared. */
class UnsaidError extends Error {}

function unsaid(why: string): never {
  throw new UnsaidError(why);
}

/** Writes declarations of what a header has. */
export function declareHeader(header: CHeader, options: DeclareOptions): Declared {
  return new Declarer(header).declare(options);
}

class Declarer {
  readonly #header: CHeader;
  readonly #guesses: string[] = [];
  readonly #unsaid: string[] = [];
  /** Handles of structs whose fields can be read, by name. */
  readonly #readable = new Map<string, string>();
  /** Of structs that callers make in memory, by name. */
  readonly #layouts = new Map<string, string>();
  #needsMemory = false;

  /** Tags of structs to which the library gives pointers: it has made them. */
  readonly #made = new Set<string>();

  constructor(header: CHeader) {
    this.#header = header;
    for (const { type } of header.functions) {
      this.#note(type.result, 1);
      for (const parameter of type.parameters) this.#note(parameter.type, 2);
    }
  }

  #note(type: CType, depth: number): void {
    const own = resolved(this.#header, type);
    if (own.kind === "pointer" && depth > 0) this.#note(own.to, depth - 1);
    else if (own.kind === "struct" && depth === 0) this.#made.add(own.tag);
  }

  declare({ name, importFrom, isThere = () => true }: DeclareOptions): Declared {
    const { functions, variables, inlines } = this.#header;
    const entries = new Map<string, string>();
    const add = (name: string, text: () => string) =>
      this.#try(name, () => {
        if (!isThere(name)) unsaid("the library has no such symbol");
        if (name.startsWith("_")) unsaid("no name begins with _: give it another, by `symbols`");
        entries.set(name, text());
      });
    for (const one of functions) add(one.name, () => this.#function(one));
    for (const one of variables) add(one.name, () => this.#variable(one));
    for (const one of inlines) {
      this.#unsaid.push(`${one}: it is inline, so the library has no such symbol`);
    }
    const count = entries.size;
    for (const [struct, fields] of this.#readable) {
      const key = `read_${struct}`;
      if (!entries.has(key)) entries.set(key, `readOf(${JSON.stringify(struct)}, ${fields})`);
    }
    const lines = [...entries].map(([key, text]) => `  ${key}: ${text},`);
    if (this.#needsMemory) lines.unshift(`  ...memoryOf("Memory"${prefixBeside(entries)}),`);
    const body = `export const ${name}Api = hostApi(${JSON.stringify(name)}, {\n${
      lines.join("\n")
    }\n});\n`;
    const used = new Set([
      "fn",
      "hostApi",
      ...body.replace(/"[^"]*"|^ {2}\w+:/gm, "").match(KINDS) ?? [],
    ]);
    const imports = `import { ${[...used].sort().join(", ")} } from ${
      JSON.stringify(importFrom)
    };\n`;
    const notes = [
      ...[...this.#layouts].map(([struct, text]) => `// Memory for a ${struct}: ${text}`),
      ...this.#guesses.map((text) => `// Guessed: ${text}`),
      ...this.#unsaid.map((text) => `// Not said: ${text}`),
    ];
    const module = `${imports}\n${body}${notes.length > 0 ? `\n${notes.join("\n")}\n` : ""}`;
    return { module, guesses: this.#guesses, unsaid: this.#unsaid, count };
  }

  #try(name: string, work: () => void): void {
    const guessCount = this.#guesses.length;
    try {
      work();
    } catch (error) {
      if (!(error instanceof UnsaidError)) throw error;
      this.#guesses.length = guessCount;
      this.#unsaid.push(`${name}: ${error.message}`);
    }
  }

  #function({ name, type }: CNamed & { readonly type: CFunction }): string {
    const { parameters, result, isVariadic } = type;
    if (isVariadic) unsaid("it takes any number of arguments: serve a function of your own");
    const kinds = parameters.map((_, index) => this.#parameter(name, parameters, index));
    return `fn([${kinds.join(", ")}], ${this.#result(result)})`;
  }

  #variable({ type }: CNamed): string {
    const own = resolved(this.#header, type);
    if (own.kind === "array") return unsaid("an array that is a global variable");
    if (own.kind !== "pointer") return `globalOf(${this.#value(own)})`;
    return `globalOf(${this.#pointed(own)})`;
  }

  #result(type: CType): string {
    const own = resolved(this.#header, type);
    if (own.kind === "base" && own.name === "void") return "nothing";
    return own.kind === "pointer" ? this.#pointed(own) : this.#value(own);
  }

  /** A pointer that the library returns. */
  #pointed({ to, isConst }: CType & { readonly kind: "pointer" }): string {
    const own = resolved(this.#header, to);
    if (own.kind === "function") return unsaid("it returns a function");
    if (this.#isChar(own)) return isConst ? "nullable(string)" : this.#text();
    if (own.kind === "struct" || own.kind === "union") {
      const handle = this.#handleOf(to);
      const fields = this.#fieldsOf(own, true);
      if (fields) this.#readable.set(handle, fields);
      if (fields && TEXT.test(fields)) {
        this.#guesses.push(`read_${handle}: each char * of a ${handle} is a text, or null`);
      }
      return `nullable(handle(${JSON.stringify(handle)}))`;
    }
    this.#needsMemory = true;
    return `nullable(handle("Memory"))`;
  }

  /** A text that is the caller's to read and to give back. */
  #text(): string {
    this.#readable.set("Text", "string");
    return `nullable(handle("Text"))`;
  }

  #parameter(name: string, parameters: readonly CNamed[], index: number): string {
    const { type, name: own } = parameters[index]!;
    const made = resolved(this.#header, type);
    if (made.kind === "array") {
      return this.#buffer(name, parameters, index, { to: made.of, isConst: made.isConst });
    }
    if (made.kind === "function") return this.#callback(made);
    if (made.kind !== "pointer") return this.#value(made);
    const to = resolved(this.#header, made.to);
    if (to.kind === "function") return `nullable(${this.#callback(to)})`;
    if (to.kind === "struct" || to.kind === "union") {
      const fields = this.#argumentFields(name, to);
      if (fields) return `pointer("${made.isConst ? "in" : "inout"}", ${fields})`;
      const isCallers = this.#header.structs.has(to.tag) && !this.#made.has(to.tag);
      const layout = isCallers ? layoutText(this.#header, to) : undefined;
      if (layout !== undefined) return this.#memoryOf(this.#handleOf(made.to), layout);
      const isEnd = index === 0 &&
        (ENDING_NAME.test(name) || parameters.length === 1 && ENDING_ONE.test(name));
      return this.#handleParameter(name, this.#handleOf(made.to), isEnd);
    }
    if (to.kind === "pointer") return this.#outPointer(to);
    if (this.#isChar(to) && made.isConst && this.#lengthIndex(parameters, index) < 0) {
      return "string";
    }
    return this.#buffer(name, parameters, index, { to: made.to, isConst: made.isConst }, own);
  }

  /** A struct that crosses as a copy: what the library has made stays there, if more than numbers is in it. */
  #argumentFields(name: string, type: CTagged): string | undefined {
    const { tag } = type;
    const fields = this.#fieldsOf(type);
    if (!fields || !NO_NUMBERS.test(fields)) return fields;
    if (this.#made.has(tag)) return undefined;
    if (TEXT.test(fields)) {
      this.#guesses.push(`${name}: no text of a ${tag} is kept, or written to`);
    }
    return fields;
  }

  /** A struct that the caller has made, whose fields cannot be declared: bytes in memory that stays. */
  #memoryOf(name: string, layout: string): string {
    this.#needsMemory = true;
    this.#layouts.set(name, layout);
    return `nullable(handle(${JSON.stringify(`Memory|${name}`)}))`;
  }

  #handleParameter(name: string, handle: string, isEnd: boolean): string {
    if (isEnd) this.#guesses.push(`${name} ends the handle of a ${handle}, by its name`);
    return `${isEnd ? "ends" : "handle"}(${JSON.stringify(handle)})`;
  }

  /** Where the library writes a pointer. */
  #outPointer({ to }: CType & { readonly kind: "pointer" }): string {
    const own = resolved(this.#header, to);
    if (own.kind === "pointer" || own.kind === "function") {
      return unsaid("a pointer to a pointer to a pointer");
    }
    if (own.kind !== "base" && own.kind !== "struct" && own.kind !== "union") {
      return unsaid(`a pointer to a pointer to a ${own.kind}`);
    }
    const isMemory = own.kind === "base" && !this.#isChar(own);
    this.#needsMemory ||= isMemory;
    const field = this.#isChar(own)
      ? this.#text()
      : `nullable(handle(${JSON.stringify(isMemory ? "Memory" : this.#handleOf(to))}))`;
    return `pointer("inout", struct({ value: ${field} }))`;
  }

  #buffer(
    name: string,
    parameters: readonly CNamed[],
    index: number,
    { to, isConst }: { readonly to: CType; readonly isConst: boolean },
    own = parameters[index]!.name,
  ): string {
    const made = resolved(this.#header, to);
    const length = this.#lengthIndex(parameters, index);
    const isVoid = made.kind === "base" && made.name === "void";
    if (length >= 0 && (isVoid || made.kind === "base")) {
      const bytes = isVoid ? 1 : SCALAR_BYTES[this.#scalar(made)];
      const times = bytes === 1 ? "" : `.times(${bytes})`;
      const source = parameters[length]!;
      const isBehind = resolved(this.#header, source.type).kind === "pointer";
      this.#guesses.push(`${name}: ${source.name} says how long ${own} is, by its name`);
      const path = isBehind ? `, "value"` : "";
      const count = parameters[length + 1];
      const isCounted = /size$/i.test(source.name) && COUNT_NAME.test(count?.name ?? "");
      const counted = isCounted ? `.times(lengthOf(${length + 1}))` : times;
      return `bytes("${isConst ? "in" : "inout"}", lengthOf(${length}${path})${counted})`;
    }
    const isOne = !isConst && !isVoid && made.kind === "base" &&
      !/^.?char$|^[iu]8$/.test(made.name);
    if (isOne) return `pointer("inout", struct({ value: ${this.#value(made)} }))`;
    if (made.kind !== "base" && made.kind !== "array") {
      return unsaid(`an array of what is no number, ${own}`);
    }
    this.#needsMemory = true;
    if (!isVoid) {
      this.#guesses.push(
        `${name}: nothing says how long ${
          own || "an array"
        } is: it is memory, which has to be long enough`,
      );
    }
    return `nullable(handle("Memory"))`;
  }

  /** The parameter behind a pointer whose name says that it is a length; -1 where there is none. */
  #lengthIndex(parameters: readonly CNamed[], index: number): number {
    const next = parameters[index + 1];
    const own = parameters[index]!.name.toLowerCase();
    const isOwn = PLAIN_LENGTH.test(next?.name ?? "") ||
      next?.name.toLowerCase().startsWith(own.slice(0, 3)) && own.length > 0;
    if (!next || !LENGTH_NAME.test(next.name) || !isOwn) return -1;
    const type = resolved(this.#header, next.type);
    const of = type.kind === "pointer" && !type.isConst ? resolved(this.#header, type.to) : type;
    const isInteger = of.kind === "base" && /^(i|u)(\d+|size)$/.test(SCALARS[of.name] ?? "");
    return isInteger ? index + 1 : -1;
  }

  #callback({ parameters, result, isVariadic }: CFunction): string {
    if (isVariadic) unsaid("a callback with any number of arguments");
    const kinds = parameters.map(({ type }) => {
      const own = resolved(this.#header, type);
      if (own.kind !== "pointer") return own.kind === "array" ? "usize" : this.#scalar(own);
      const to = resolved(this.#header, own.to);
      if (this.#isChar(to) && own.isConst) return "nullable(string)";
      return to.kind === "struct"
        ? `nullable(handle(${JSON.stringify(this.#handleOf(own.to))}))`
        : "usize";
    });
    const own = resolved(this.#header, result);
    const isVoid = own.kind === "base" && own.name === "void";
    const made = isVoid ? "nothing" : own.kind === "pointer" ? "usize" : this.#scalar(own);
    return `callback([${kinds.join(", ")}], ${made})`;
  }

  /** A number, or a struct by value. */
  #value(type: CType): string {
    if (type.kind !== "struct") return this.#scalar(type);
    const fields = this.#fieldsOf(type);
    if (fields && UNION.test(fields)) {
      unsaid(`struct ${type.tag} has a union, and is passed by value`);
    }
    return fields ?? unsaid(`struct ${type.tag} has fields that cannot be declared`);
  }

  #scalar(type: CType): ScalarName {
    if (type.kind !== "base") return unsaid(`a ${type.kind}`);
    return SCALARS[type.name] ?? unsaid(`the type ${type.name}`);
  }

  /** A struct of numbers, texts, and such structs and unions; nothing where something else is in it. */
  #fieldsOf(type: CTagged, isRead = false): string | undefined {
    try {
      const text = this.#field(type, isRead);
      return type.kind === "union" ? `struct({ value: ${text} })` : text;
    } catch (error) {
      if (error instanceof UnsaidError) return undefined;
      throw error;
    }
  }

  #membersOf(tag: string, isRead: boolean): string {
    const fields = this.#header.structs.get(tag) ?? [];
    if (fields.length === 0) unsaid("no fields");
    const members = fields.map(({ name, type }, index) =>
      `${name.replace(/^_+/, "") || `unnamed${index}`}: ${this.#field(type, isRead)}`
    );
    return `{ ${members.join(", ")} }`;
  }

  /** @param isRead whether it is only read: a `char *` of which nothing says so may be room for one */
  #field(type: CType, isRead: boolean): string {
    const own = resolved(this.#header, type);
    switch (own.kind) {
      case "array":
        if (!(own.count >= 1)) unsaid("an array without a number");
        return `array(${this.#field(own.of, isRead)}, ${own.count})`;
      case "struct":
        return `struct(${this.#membersOf(own.tag, isRead)})`;
      case "union": {
        const members = this.#membersOf(own.tag, isRead);
        return TEXT.test(members) ? unsaid("a union with a text") : `union(${members})`;
      }
      case "pointer":
        if (!this.#isChar(resolved(this.#header, own.to)) || !(own.isConst || isRead)) {
          unsaid("a pointer");
        }
        return "nullable(string)";
      default:
        return this.#scalar(own);
    }
  }

  /** The name of handles: that of the typedef, or the tag. */
  #handleOf(type: CType): string {
    if (type.kind === "base") return type.name;
    if (type.kind !== "struct" && type.kind !== "union") return "Memory";
    const { tag } = type;
    const named = [...this.#header.typedefs].find(([, of]) =>
      of.kind === type.kind && of.tag === tag
    );
    return (named?.[0] ?? tag).replace(/[^A-Za-z0-9_]/g, "").replace(/^_+/, "");
  }

  #isChar(type: CType): boolean {
    return type.kind === "base" && type.name === "char";
  }
}

/** So that no function of the header stands in place of one of memory. */
function prefixBeside(entries: ReadonlyMap<string, string>): string {
  const isTaken = ["alloc", "put", "get", "free"].some((name) => entries.has(name));
  return isTaken ? `, "memory_"` : "";
}
