import { SCALAR_BYTES } from "../../../core/signature/declare/kind.ts";
import { KindTexts, moduleText, NO_NUMBERS, TEXT, unsaid, UnsaidError } from "./kind_texts.ts";
import { elementOf, layoutText, resolved, SCALARS } from "./c_layout.ts";
import {
  isCounted,
  isEnding,
  isFreeing,
  isKeeping,
  lengthIndex,
  type NamedParameter,
  namedParameter,
  strayLength,
} from "./names.ts";
import { LibraryObjects } from "./library_objects.ts";
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
  /** Handles that callers may give as null, or functions whose handles may all be; none when absent. */
  readonly nullable?: readonly string[];
  /** Handles of structs of numbers that callers make, though the library returns some: they cross as copies. */
  readonly copied?: readonly string[];
  /** Functions that keep what they get by pointers: it has to be memory; none when absent. */
  readonly kept?: readonly string[];
  /** Whether the library has a function or a variable; all when absent. */
  readonly isThere?: (name: string) => boolean;
}

/** Writes declarations of what a header has. */
export function declareHeader(header: CHeader, options: DeclareOptions): Declared {
  return new Declarer(header, options).declare(options);
}

/** What crosses as a copy, which is gone after the call. */
const COPY = /^(nullable\()?(string\b|bytes\(|pointer\(|struct\()/;

class Declarer {
  readonly #header: CHeader;
  readonly #kinds: KindTexts;
  readonly #guesses: string[] = [];
  readonly #unsaid: string[] = [];
  /** Handles of structs whose fields can be read, by name. */
  readonly #readable = new Map<string, string>();
  /** Of structs that callers make in memory, by name. */
  readonly #layouts = new Map<string, string>();
  #needsMemory = false;
  readonly #nullable: readonly string[];
  readonly #copies: readonly string[];
  readonly #keeping: readonly string[];
  readonly #objects: LibraryObjects;
  /** Handles of structs that could be copied, of which it is told that they are none. */
  readonly #told = new Set<string>();

  constructor(header: CHeader, { nullable = [], copied = [], kept = [] }: DeclareOptions) {
    this.#nullable = nullable;
    this.#keeping = kept;
    this.#copies = copied;
    this.#header = header;
    this.#kinds = new KindTexts(header);
    this.#objects = new LibraryObjects(header);
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
    const isInline = "it is inline, so the library has no such symbol";
    this.#unsaid.push(...inlines.map((one) => `${one}: ${isInline}`));
    this.#guesses.push(...this.#told);
    const count = entries.size;
    for (const [struct, fields] of this.#readable) {
      const key = `read_${struct}`;
      if (!entries.has(key)) entries.set(key, `readOf(${JSON.stringify(struct)}, ${fields})`);
    }
    const notes = [
      ...[...this.#layouts].map(([struct, text]) => `// Memory for a ${struct}: ${text}`),
      ...this.#guesses.map((text) => `// Guessed: ${text}`),
      ...this.#unsaid.map((text) => `// Not said: ${text}`),
    ];
    const hasMemory = this.#needsMemory;
    const module = moduleText(entries, { name, importFrom, hasMemory, notes });
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

  #function(one: CNamed & { readonly type: CFunction }): string {
    const { name, type } = one;
    const { parameters, result, isVariadic } = type;
    if (isVariadic) unsaid("it takes any number of arguments: serve a function of your own");
    const ended = isEnding(name, parameters.length) ? this.#objectIn(name, parameters) : undefined;
    const freed = ended ? undefined : this.#objects.freedBy(one);
    const kinds = parameters.map((parameter, index) => {
      const object = parameter === ended ? this.#objectOf(parameter.type) : undefined;
      if (object !== undefined) return this.#handleParameter(name, object, true);
      if (parameter !== freed?.parameter) return this.#sent(name, parameters, index);
      if (freed.handle === "Text") this.#text();
      return this.#handleParameter(name, freed.handle, true);
    });
    const isFreed = (kind: string) => COPY.test(kind) && isFreeing(name, /^string/.test(kind));
    if (!ended && !freed && kinds.some(isFreed)) {
      unsaid("it frees what callers send, which is a copy: serve a function of your own");
    }
    const named = (kind: RegExp) =>
      parameters.filter((_, index) => kind.test(kinds[index]!))
        .map((one) => one.name || "what is sent").join(", ");
    const held = isFreeing(name, false) ? named(/"Memory\|/) : "";
    if (held) this.#guesses.push(`${name}: it frees what is in ${held}, and not that itself`);
    const kept = isKeeping(name) ? named(COPY) : "";
    if (kept) {
      this.#guesses.push(
        `${name}: ${kept} is not kept: else --kept ${name} takes memory, which stays`,
      );
    }
    return `fn([${kinds.join(", ")}], ${this.#result(result)})`;
  }

  #variable({ type }: CNamed): string {
    const own = resolved(this.#header, type);
    if (own.kind === "array") return unsaid("an array that is a global variable");
    if (own.kind !== "pointer") return `globalOf(${this.#kinds.value(own)})`;
    return `globalOf(${this.#pointed(own)})`;
  }

  /** What a function ends: the first of the library's objects, unless the function's name has that of another. */
  #objectIn(name: string, parameters: readonly CNamed[]): CNamed | undefined {
    const objects = parameters.filter(({ type }) => this.#objectOf(type) !== undefined);
    const plain = (text: string) => text.replaceAll("_", "").toLowerCase();
    const named = objects.find(({ type }) =>
      plain(name).includes(plain(this.#objectOf(type)!.replace(/_(t|s)$/, "")))
    );
    // What `MemFree(parser, pointer)` frees is the pointer.
    const isBeside = parameters.length > 1 && /free|release/i.test(name) &&
      parameters.some(({ type }) => this.#isMemory(type));
    return named ?? (isBeside ? undefined : objects[0]);
  }

  /** Whether it is a `void *`, and no object of the library's. */
  #isMemory(type: CType): boolean {
    const to = elementOf(this.#header, resolved(this.#header, type));
    return to !== type && to.kind === "base" && to.name === "void" &&
      this.#objects.opaqueOf(type) === undefined;
  }

  /** The name of the handles of what a pointer points at; nothing for what is no object of the library's. */
  #objectOf(type: CType): string | undefined {
    const opaque = this.#objects.opaqueOf(type);
    const own = resolved(this.#header, type);
    if (opaque !== undefined || own.kind !== "pointer") return opaque;
    const to = resolved(this.#header, own.to);
    if (to.kind !== "struct" && to.kind !== "union") return undefined;
    const isKnown = this.#header.structs.has(to.tag) && !this.#objects.isMade(to);
    const isCallers = isKnown && layoutText(this.#header, to) !== undefined;
    return isCallers || this.#copied(to) ? undefined : this.#kinds.handleOf(own.to);
  }

  #result(type: CType): string {
    const opaque = this.#objects.opaqueOf(type);
    if (opaque !== undefined) return `nullable(handle(${JSON.stringify(opaque)}))`;
    const own = resolved(this.#header, type);
    if (own.kind === "base" && own.name === "void") return "nothing";
    return own.kind === "pointer" ? this.#pointed(own) : this.#kinds.value(own);
  }

  /** A pointer that the library returns. */
  #pointed(type: CType & { readonly kind: "pointer" }): string {
    const { to, isConst } = type;
    const own = resolved(this.#header, to);
    if (own.kind === "function") return unsaid("it returns a function");
    if (this.#kinds.isChar(own)) return isConst ? "nullable(string)" : this.#text();
    if (own.kind === "struct" || own.kind === "union") {
      const handle = this.#kinds.handleOf(to);
      const fields = this.#kinds.fieldsOf(own, true);
      if (fields) this.#readable.set(handle, fields);
      if (fields && TEXT.test(fields)) {
        this.#guesses.push(`read_${handle}: each char * of a ${handle} is a text, or null`);
      }
      return `nullable(handle(${JSON.stringify(handle)}))`;
    }
    this.#needsMemory = true;
    return `nullable(handle("${this.#objects.memoryName(type)}"))`;
  }

  /** A text that is the caller's to read and to give back. */
  #text(): string {
    this.#readable.set("Text", "string");
    return `nullable(handle("Text"))`;
  }

  /** A parameter that ends nothing; memory in place of a copy where the function keeps it. */
  #sent(name: string, parameters: readonly CNamed[], index: number): string {
    const guessCount = this.#guesses.length;
    const kind = this.#parameter(name, parameters, index);
    if (!this.#keeping.includes(name) || !COPY.test(kind)) return kind;
    this.#guesses.length = guessCount;
    return this.#memory(name);
  }

  #parameter(name: string, parameters: readonly CNamed[], index: number): string {
    const { type, name: own } = parameters[index]!;
    const given = resolved(this.#header, type);
    const isArray = given.kind === "array";
    const made: CType = isArray ? { ...given, kind: "pointer", to: given.of } : given;
    if (made.kind === "function") return this.#kinds.callback(made);
    if (made.kind !== "pointer") return this.#kinds.value(made);
    const to = resolved(this.#header, made.to);
    if (to.kind === "function") return `nullable(${this.#kinds.callback(to)})`;
    const object = this.#objectOf(type);
    if (object !== undefined) return this.#handleParameter(name, object, false);
    if (isArray && to.kind !== "base") unsaid(`an array of what is no number, ${own}`);
    if (to.kind === "struct" || to.kind === "union") {
      const fields = this.#argumentFields(name, to);
      if (fields) return `pointer("${made.isConst ? "in" : "inout"}", ${fields})`;
      return this.#memoryOf(name, this.#kinds.handleOf(made.to), layoutText(this.#header, to)!);
    }
    const opaque = this.#objects.opaqueOf(made.to);
    if (opaque !== undefined) {
      return `pointer("inout", struct({ value: nullable(handle(${JSON.stringify(opaque)})) }))`;
    }
    if (to.kind === "pointer") return this.#outPointer(name, to, own);
    const named = parameters.map((parameter) => namedParameter(this.#header, parameter));
    const length = lengthIndex(named, index);
    if (length >= 0) return this.#counted(name, { parameters, named, index, length });
    if (!this.#kinds.isChar(to) || !made.isConst) {
      const memory = this.#uncounted(name, own, given);
      if (memory.startsWith("nullable") || !this.#objects.isCallbackData(parameters, index)) {
        return memory;
      }
      this.#guesses.push(`${name}: ${own || "data"} goes to the callback alone, and may be null`);
      return `nullable(${memory})`;
    }
    const stray = strayLength(named);
    if (stray !== undefined) {
      this.#guesses.push(`${name}: ${own} is a text up to its NUL, and ${stray} not its length`);
    }
    return "string";
  }

  /** A struct that crosses as a copy: what the library has made stays there, if more than numbers is in it. */
  #argumentFields(name: string, type: CTagged): string | undefined {
    const fields = this.#copied(type);
    if (fields && TEXT.test(fields)) {
      this.#guesses.push(`${name}: no text of a ${type.tag} is kept, or written to`);
    }
    return fields;
  }

  /** The fields of a struct that callers make. */
  #copied(type: CTagged): string | undefined {
    const fields = this.#kinds.fieldsOf(type);
    if (fields === undefined) return undefined;
    const handle = this.#kinds.handleOf(type);
    if (this.#copies.includes(handle)) return fields;
    const maker = this.#objects.makerOf(type);
    if (maker !== undefined) {
      this.#told.add(
        `a ${handle} is the library's own, by ${maker}: --copied ${handle} has callers make it`,
      );
      return undefined;
    }
    return NO_NUMBERS.test(fields) && this.#objects.isMade(type) ? undefined : fields;
  }

  /** A struct that the caller has made, whose fields cannot be declared: bytes in memory that stays. */
  #memoryOf(name: string, struct: string, layout: string): string {
    this.#needsMemory = true;
    this.#layouts.set(struct, layout);
    return this.#orNull(`handle(${JSON.stringify(`Memory|${struct}`)})`, [name, struct]);
  }

  /** Null ends a library that does not expect it: only what the command line names may be null. */
  #orNull(text: string, names: readonly string[]): string {
    return names.some((one) => this.#nullable.includes(one)) ? `nullable(${text})` : text;
  }

  #handleParameter(name: string, handle: string, isEnd: boolean): string {
    if (isEnd) this.#guesses.push(`${name} ends the handle of a ${handle}, by its name`);
    const text = `${isEnd ? "ends" : "handle"}(${JSON.stringify(handle)})`;
    return this.#orNull(text, [name, handle]);
  }

  /** Where the library writes a pointer. */
  #outPointer(name: string, type: CType & { readonly kind: "pointer" }, at: string): string {
    const { to } = type;
    const own = resolved(this.#header, to);
    if (this.#kinds.isChar(own) && type.isConst) {
      this.#guesses.push(`${name}: ${at || "a pointer"} is at one text, up to its NUL, or null`);
      return `pointer("inout", struct({ value: nullable(string) }))`;
    }
    if (own.kind === "pointer" || own.kind === "function") {
      return unsaid("a pointer to a pointer to a pointer");
    }
    if (own.kind !== "base" && own.kind !== "struct" && own.kind !== "union") {
      return unsaid(`a pointer to a pointer to a ${own.kind}`);
    }
    const isMemory = own.kind === "base" && !this.#kinds.isChar(own);
    this.#needsMemory ||= isMemory;
    const field = this.#kinds.isChar(own)
      ? this.#text()
      : `nullable(handle(${
        JSON.stringify(isMemory ? this.#objects.memoryName(type) : this.#kinds.handleOf(to))
      }))`;
    return `pointer("inout", struct({ value: ${field} }))`;
  }

  /** What a pointer points at whose length another parameter says. */
  #counted(
    name: string,
    { parameters, named, index, length }: {
      readonly parameters: readonly CNamed[];
      readonly named: readonly NamedParameter[];
      readonly index: number;
      readonly length: number;
    },
  ): string {
    const made = resolved(this.#header, parameters[index]!.type);
    const { isConst } = made as CType & { readonly kind: "pointer" };
    const of = elementOf(this.#header, made);
    const bytes = of.kind === "base" && of.name === "void"
      ? 1
      : SCALAR_BYTES[this.#kinds.scalar(of)];
    const isBehind = resolved(this.#header, parameters[length]!.type).kind === "pointer";
    const own = named[index]!.name || `argument ${index}`;
    const source = named[length]!;
    const how = source.name === "" ? "its type" : "its name";
    this.#guesses.push(
      `${name}: ${source.name || `argument ${length}`} says how long ${own} is, by ${how}`,
    );
    const path = isBehind ? `, "value"` : "";
    const times = bytes === 1 ? "" : `.times(${bytes})`;
    const counted = isCounted(source, named[length + 1])
      ? `.times(lengthOf(${length + 1}))`
      : times;
    return `bytes("${isConst ? "in" : "inout"}", lengthOf(${length}${path})${counted})`;
  }

  /** A pointer at what has no length in the call: one number, an array of a known one, or memory. */
  #uncounted(name: string, own: string, type: CType): string {
    const made = type as CType & { readonly kind: "pointer" | "array" };
    const { isConst } = made;
    const of = elementOf(this.#header, made);
    if (of.kind !== "base" && of.kind !== "array") {
      return unsaid(`an array of what is no number, ${own}`);
    }
    const isNumber = of.kind === "base" && SCALAR_BYTES[SCALARS[of.name] ?? "u8"] > 1;
    if (made.kind === "array" && made.count >= 1) {
      const bytes = made.count * SCALAR_BYTES[this.#kinds.scalar(of)];
      return `bytes("${isConst ? "in" : "inout"}", fixedLength(${bytes}))`;
    }
    if (made.kind === "pointer" && isNumber && !isConst) {
      this.#guesses.push(`${name}: ${own || "a pointer"} is at one ${of.name}, and at no array`);
      return `pointer("inout", struct({ value: ${this.#kinds.value(of)} }))`;
    }
    if (of.kind === "array" || of.name !== "void") {
      this.#guesses.push(
        `${name}: nothing says how long ${
          own || "an array"
        } is: it is memory, which has to be long enough`,
      );
    }
    return this.#memory(name);
  }

  #memory(name: string): string {
    this.#needsMemory = true;
    const handle = this.#objects.memoryNames;
    return this.#orNull(`handle(${JSON.stringify(handle)})`, [name, ...handle.split("|")]);
  }
}
