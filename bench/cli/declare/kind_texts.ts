import { type ScalarName } from "../../../core/signature/declare/kind.ts";
import { resolved, SCALARS } from "./c_layout.ts";
import type { CFunction, CHeader, CTagged, CType } from "./read_header.ts";

/** In the text of a struct. */
export const TEXT = /\bnullable\(string\)/;
const UNION = /\bunion\(/;
export const NO_NUMBERS = new RegExp(`${TEXT.source}|${UNION.source}`);

/** What the module imports, for every word that is a kind. */
const KINDS =
  /\b(array|bool|i8|u8|i16|u16|i32|u32|i64|u64|isize|usize|f32|f64|string|nothing|bytes|fixedLength|lengthOf|handle|ends|struct|union|pointer|nullable|callback|readOf|globalOf|memoryOf)\b/g;

/** A module with an API of declarations, and notes as comments behind it. */
export function moduleText(
  entries: ReadonlyMap<string, string>,
  { name, importFrom, hasMemory, notes }: {
    readonly name: string;
    readonly importFrom: string;
    readonly hasMemory: boolean;
    readonly notes: readonly string[];
  },
): string {
  const lines = [...entries].map(([key, text]) => `  ${key}: ${text},`);
  if (hasMemory) lines.unshift(`  ...memoryOf("Memory"${prefixBeside(entries)}),`);
  const body = `export const ${name}Api = hostApi(${JSON.stringify(name)}, {\n${
    lines.join("\n")
  }\n});\n`;
  const told = notes.length > 0 ? `\n${notes.join("\n")}\n` : "";
  return `${importsOf(body, importFrom)}\n${body}${told}`;
}

/** The line that imports what a module's declarations use. */
function importsOf(body: string, importFrom: string): string {
  const words = body.replace(/"[^"]*"|^ {2}\w+:/gm, "").match(KINDS) ?? [];
  const used = [...new Set(["fn", "hostApi", ...words])].sort();
  return `import { ${used.join(", ")} } from ${JSON.stringify(importFrom)};\n`;
}

/** So that no function of the header stands in place of one of memory. */
function prefixBeside(entries: ReadonlyMap<string, string>): string {
  const isTaken = ["alloc", "put", "get", "point", "free"].some((name) => entries.has(name));
  return isTaken ? `, "memory_"` : "";
}

/** Why something cannot be declared. */
export class UnsaidError extends Error {}

/** Leaves out what is being declared. */
export function unsaid(why: string): never {
  throw new UnsaidError(why);
}

/** The text of a kind for a type of C. */
export class KindTexts {
  readonly #header: CHeader;

  constructor(header: CHeader) {
    this.#header = header;
  }

  /** What a function takes that callers name. */
  callback({ parameters, result, isVariadic }: CFunction): string {
    if (isVariadic) unsaid("a callback with any number of arguments");
    const kinds = parameters.map(({ type }) => {
      const own = resolved(this.#header, type);
      if (own.kind !== "pointer") return own.kind === "array" ? "usize" : this.scalar(own);
      const to = resolved(this.#header, own.to);
      if (this.isChar(to) && own.isConst) return "nullable(string)";
      return to.kind === "struct"
        ? `nullable(handle(${JSON.stringify(this.handleOf(own.to))}))`
        : "usize";
    });
    const own = resolved(this.#header, result);
    const isVoid = own.kind === "base" && own.name === "void";
    const made = isVoid ? "nothing" : own.kind === "pointer" ? "usize" : this.scalar(own);
    return `callback([${kinds.join(", ")}], ${made})`;
  }

  /** A number, or a struct by value. */
  value(type: CType): string {
    if (type.kind !== "struct") return this.scalar(type);
    const fields = this.fieldsOf(type);
    if (fields && UNION.test(fields)) {
      unsaid(`struct ${type.tag} has a union, and is passed by value`);
    }
    return fields ?? unsaid(`struct ${type.tag} has fields that cannot be declared`);
  }

  /** A number. */
  scalar(type: CType): ScalarName {
    if (type.kind !== "base") return unsaid(`a ${type.kind}`);
    return SCALARS[type.name] ?? unsaid(`the type ${type.name}`);
  }

  /** A struct of numbers, texts, and such structs and unions; nothing where something else is in it. */
  fieldsOf(type: CTagged, isRead = false): string | undefined {
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
        if (!this.isChar(resolved(this.#header, own.to)) || !(own.isConst || isRead)) {
          unsaid("a pointer");
        }
        return "nullable(string)";
      default:
        return this.scalar(own);
    }
  }

  /** The name of handles: that of the typedef, or the tag. */
  handleOf(type: CType): string {
    if (type.kind === "base") return type.name;
    if (type.kind !== "struct" && type.kind !== "union") return "Memory";
    const { tag } = type;
    const named = [...this.#header.typedefs].find(([, of]) =>
      of.kind === type.kind && of.tag === tag
    );
    return (named?.[0] ?? tag).replace(/[^A-Za-z0-9_]/g, "").replace(/^_+/, "");
  }

  /** Whether it is a letter of a text. */
  isChar(type: CType): boolean {
    return type.kind === "base" && type.name === "char";
  }
}
