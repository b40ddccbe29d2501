import { parser } from "@lezer/cpp";

/** A type of C, as far as a declaration can say something of it. */
export type CType =
  | { readonly kind: "base"; readonly name: string }
  | { readonly kind: "pointer"; readonly to: CType; readonly isConst: boolean }
  | CTagged
  | CArray
  | CFunction;

/** A struct or a union by its tag. */
export interface CTagged {
  readonly kind: "struct" | "union";
  readonly tag: string;
}

/** How many elements it has is NaN where the header has no number there. */
export interface CArray {
  readonly kind: "array";
  readonly of: CType;
  readonly isConst: boolean;
  readonly count: number;
}

/** A function, or what a pointer to one points at. */
export interface CFunction {
  readonly kind: "function";
  readonly result: CType;
  readonly parameters: readonly CNamed[];
  readonly isVariadic: boolean;
}

/** A parameter, a field or a variable. */
export interface CNamed {
  readonly name: string;
  readonly type: CType;
}

/** What a header declares. */
export interface CHeader {
  readonly functions: readonly (CNamed & { readonly type: CFunction })[];
  readonly variables: readonly CNamed[];
  /** By their names, those of included headers, too. */
  readonly typedefs: ReadonlyMap<string, CType>;
  /** The fields of structs by their tags, where they are told. */
  readonly structs: ReadonlyMap<string, readonly CNamed[]>;
  /** Names of functions that are only there where the header is compiled. */
  readonly inlines: readonly string[];
}

type Tree = ReturnType<typeof parser.parse>;
type Node = Tree["topNode"];

/** Types by the words that say them, sorted. */
const SIZED: Readonly<Record<string, string>> = {
  "char signed": "i8",
  "char unsigned": "u8",
  short: "i16",
  "short unsigned": "u16",
  unsigned: "u32",
  signed: "i32",
  long: "i64",
  "long unsigned": "u64",
  "long long": "i64",
  "long long unsigned": "u64",
  "double long": "long double",
};

const DECLARATORS =
  /^(Abstract)?(Pointer|Function|Array|Parenthesized|Init)?(Declarator|Identifier)$|^(Field|Type)Identifier$/;

/**
 * Reads what `cc -E` made of a header.
 *
 * @param isOwn whether the functions of a file are wanted, by its path
 */
export function readHeader(preprocessed: string, isOwn: (path: string) => boolean): CHeader {
  const told = withoutMarks(preprocessed, isOwn);
  return new HeaderReader(told).read(parser.parse(told.text).topNode);
}

/** What is said beside types: of the order of bytes, or of nothing that a declaration tells. */
const ATTRIBUTE =
  /\b(?:__attribute__\s*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)|_Alignas\s*\([^()]*\))/g;
const MOVES_FIELDS = /packed|align|scalar_storage_order/i;
/** From here on, until what was pushed comes back. */
const PACK = /^#pragma pack\s*\((.*)\)/gm;

/**
 * Blanks for attributes, and for the lines that say from which file the next ones are; `movesFields` says of a
 * struct that its fields are elsewhere than a compiler puts them by itself.
 */
function withoutMarks(preprocessed: string, isOwn: (path: string) => boolean) {
  const packs = packsIn(preprocessed);
  const moves: number[] = [];
  const plain = preprocessed.replace(ATTRIBUTE, (said, at: number) => {
    if (MOVES_FIELDS.test(said)) moves.push(at);
    return " ".repeat(said.length);
  });
  const movesFields = ({ from, to }: Node) =>
    packs.findLast(({ index }) => index < from)?.isPacked ||
    moves.some((at) => at > from && plain.slice(to, at).trim() === "");
  const marks: { readonly at: number; readonly isOwn: boolean }[] = [];
  const text = plain.replace(/^# \d+ "(.*?)".*$/gm, (line, path: string, at: number) => {
    marks.push({ at, isOwn: isOwn(path) });
    return " ".repeat(line.length);
  });
  const isOwnAt = (at: number) => marks.findLast((mark) => mark.at <= at)?.isOwn ?? true;
  return { text, isOwnAt, movesFields };
}

/** Where packing of structs changes. */
function packsIn(preprocessed: string) {
  const pushed: boolean[] = [];
  let isPacked = false;
  return [...preprocessed.matchAll(PACK)].map(({ index, 1: said }) => {
    const [act = "", ...more] = said!.split(",").map((word) => word.trim());
    if (act === "push") pushed.push(isPacked);
    const bytes = act === "push" ? more.find((word) => /^\d/.test(word)) : act;
    if (act === "pop") isPacked = pushed.pop() ?? false;
    else if (/^\d*$/.test(bytes ?? "as before")) isPacked = Number(bytes) > 0;
    return { index, isPacked };
  });
}

class HeaderReader {
  readonly #text: string;
  readonly #isOwnAt: (at: number) => boolean;
  readonly #movesFields: (struct: Node) => boolean;
  readonly #functions: (CNamed & { readonly type: CFunction })[] = [];
  readonly #variables: CNamed[] = [];
  readonly #typedefs = new Map<string, CType>();
  readonly #structs = new Map<string, readonly CNamed[]>();
  readonly #inlines: string[] = [];
  #unnamedCount = 0;

  constructor({ text, isOwnAt, movesFields }: ReturnType<typeof withoutMarks>) {
    this.#text = text;
    this.#isOwnAt = isOwnAt;
    this.#movesFields = movesFields;
  }

  read(program: Node): CHeader {
    this.#readAll(program);
    return {
      functions: this.#functions,
      variables: this.#variables,
      typedefs: this.#typedefs,
      structs: this.#structs,
      inlines: this.#inlines,
    };
  }

  #readAll(block: Node): void {
    for (const node of childrenOf(block)) {
      if (node.name === "TypeDefinition") {
        for (const { name, type } of this.#declared(node)) this.#typedefs.set(name, type);
      } else if (node.name === "Declaration") this.#readDeclaration(node);
      else if (node.name === "FunctionDefinition") this.#readInline(node);
      else if (/^(Struct|Union|Enum)Specifier$/.test(node.name)) this.#specified(node);
    }
  }

  #readDeclaration(node: Node): void {
    const isOwn = this.#isOwnAt(node.from);
    const isStatic = childrenOf(node).some((child) => this.#textOf(child) === "static");
    for (const { name, type } of this.#declared(node)) {
      if (!isOwn || isStatic || name === "") continue;
      if (type.kind === "function") this.#functions.push({ name, type });
      else this.#variables.push({ name, type });
    }
  }

  #readInline(node: Node): void {
    if (!this.#isOwnAt(node.from)) return;
    for (const { name } of this.#declared(node)) this.#inlines.push(name);
  }

  /** The names of a declaration with their types. */
  #declared(node: Node): CNamed[] {
    const parts = childrenOf(node);
    const at = parts.findIndex(({ name }) =>
      /Specifier$|^PrimitiveType$|^TypeIdentifier$/.test(name) &&
      !/^(Attribute|Alignas)/.test(name)
    );
    if (at < 0) return [];
    const base = this.#specified(parts[at]!);
    const isConst = parts.some((part) => this.#textOf(part) === "const");
    const declarators = parts.slice(at + 1).filter(({ name }) => DECLARATORS.test(name));
    if (declarators.length === 0) return [{ name: "", type: base }];
    return declarators.map((declarator) => this.#named(declarator, { type: base, isConst }));
  }

  /** What a declarator makes of a type. */
  #named(
    node: Node,
    { type, isConst }: { readonly type: CType; readonly isConst: boolean },
  ): CNamed {
    const parts = childrenOf(node);
    const inner = parts.find(({ name }) => DECLARATORS.test(name));
    const within = (made: CType) =>
      inner ? this.#named(inner, { type: made, isConst: false }) : { name: "", type: made };
    if (/Identifier$/.test(node.name)) return { name: this.#textOf(node), type };
    if (/PointerDeclarator$/.test(node.name)) return within({ kind: "pointer", to: type, isConst });
    if (/ArrayDeclarator$/.test(node.name)) {
      const number = parts.find(({ name }) => name === "Number");
      const count = number ? Number.parseInt(this.#textOf(number)) : NaN;
      return within({ kind: "array", of: type, isConst, count });
    }
    if (/FunctionDeclarator$/.test(node.name)) {
      const list = parts.find(({ name }) => name === "ParameterList");
      return within({
        kind: "function",
        result: type,
        parameters: this.#parameters(list),
        isVariadic: list !== undefined && /\.\.\.\s*\)$/.test(this.#textOf(list)),
      });
    }
    return inner ? this.#named(inner, { type, isConst }) : { name: "", type };
  }

  #parameters(list: Node | undefined): CNamed[] {
    const nodes = list
      ? childrenOf(list).filter(({ name }) => name === "ParameterDeclaration")
      : [];
    const parameters = nodes.flatMap((node) => this.#declared(node).slice(0, 1));
    const isNone = parameters.length === 1 && parameters[0]!.name === "" &&
      parameters[0]!.type.kind === "base" && parameters[0]!.type.name === "void";
    return isNone ? [] : parameters;
  }

  #specified(node: Node): CType {
    const text = this.#textOf(node);
    if (node.name === "EnumSpecifier") return { kind: "base", name: "i32" };
    if (node.name === "StructSpecifier" || node.name === "UnionSpecifier") {
      const parts = childrenOf(node);
      const named = parts.find(({ name }) => name === "TypeIdentifier");
      const tag = named ? this.#textOf(named) : `unnamed ${++this.#unnamedCount}`;
      const fields = parts.find(({ name }) => name === "FieldDeclarationList");
      const kind = node.name === "StructSpecifier" ? "struct" : "union";
      if (fields) this.#structs.set(tag, this.#fields(fields).concat(this.#unplaced(node)));
      return { kind, tag };
    }
    const words = text.split(/\s+/).filter((word) => word !== "int" || text === "int").sort();
    return { kind: "base", name: SIZED[words.join(" ")] ?? text };
  }

  /** As a field of no known size. */
  #unplaced(node: Node): CNamed[] {
    return this.#movesFields(node) ? [{ name: "", type: { kind: "base", name: "packed" } }] : [];
  }

  #fields(list: Node): CNamed[] {
    return childrenOf(list).filter(({ name }) => name === "FieldDeclaration").flatMap((node) => {
      const isBits = childrenOf(node).some(({ name }) => name === "BitfieldClause");
      const made = this.#declared(node);
      return isBits ? [{ name: "", type: { kind: "base", name: "bit field" } as const }] : made;
    });
  }

  #textOf({ from, to }: Node): string {
    return this.#text.slice(from, to);
  }
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}
