import * as s from "./syntax.ts";

/** What a value is, where a table can say it. */
export type Kind = "client" | "server" | "handler" | "port" | "maybe" | "either";

/** The kinds whose values must be consumed exactly once. */
export type LinearKind = "port" | "maybe" | "either";

/** The types that a linear module exports, by name. */
export const TYPES: ReadonlyMap<string, Kind> = new Map([
  ["TypedClient", "client"],
  ["TypedServer", "server"],
  ["TypedHandler", "handler"],
  ["TypedPort", "port"],
  ["PartialPort", "port"],
  ["OwnedPort", "port"],
  ["SentPort", "port"],
]);

/** Types that are linear for what they hold: `Maybe<SentPort<0>>`, but not `Maybe<string>`. */
export const CONTAINERS: ReadonlyMap<string, LinearKind> = new Map([
  ["Maybe", "maybe"],
  ["Present", "maybe"],
  ["Either", "either"],
]);

/** The function that says "this name is done with": `take(move(port))`. */
export const MOVE = "move";

/** The methods that end the life of the port that they are called on. */
export const CONSUMERS: ReadonlySet<string> = new Set([
  "send",
  "recv",
  "recvAsync",
  "query",
  "close",
]);

/** The methods that leave a port as it is. */
export const USERS: ReadonlySet<string> = new Set(["use", "toString", "valueOf"]);

/** The method that closes a port unless something consumed it. */
export const DISPOSE = "Symbol.dispose";

/** What may be read of a port that was consumed: which one it was. */
export const LASTING: ReadonlySet<string> = new Set(["index"]);

/** The property to look at before `value` is read. */
export const CHECKS: Readonly<Record<"maybe" | "either", string>> = {
  maybe: "present",
  either: "arrived",
};

/** Functions after whose call nothing runs. */
export const ENDINGS: ReadonlySet<string> = new Set([
  "Deno.exit",
  "process.exit",
  "fail",
  "unreachable",
  "unimplemented",
  "assertNever",
]);

/** Functions that only look at what they are given, beside `console` and assertions. */
export const READERS: ReadonlySet<string> = new Set([
  "Array.isArray",
  "Deno.inspect",
  "JSON.stringify",
  "Object.is",
  "Object.keys",
  "String",
]);

/** Functions that run what they are given once, after the code that calls them. */
export const SCHEDULERS: ReadonlySet<string> = new Set([
  "setTimeout",
  "setImmediate",
  "queueMicrotask",
  "requestAnimationFrame",
  "process.nextTick",
]);

/** Methods that put a function where somebody takes it out to run it. */
export const KEEPERS: ReadonlySet<string> = new Set(["push", "unshift"]);

/** Methods and functions that take no notice of what the functions that they are given return. */
export const LISTENERS: ReadonlySet<string> = new Set([
  "addEventListener",
  "addListener",
  "on",
  "once",
  "setInterval",
  "subscribe",
]);

/** Whether a property holds a function that is called when something happens: `onClick`. */
export function isListenerName(name: string): boolean {
  return /^on[A-Za-z]/.test(name);
}

/** Whether names imported from this specifier may be those of the tables above. */
export function isLinearModule(specifier: string): boolean {
  return /linear|portlab/i.test(specifier) || OWN_FILE.test(specifier);
}

const OWN_FILE = /(?:^|\/)(?:mod|typed_\w+|maybe|either|move)\.ts$/;

/** Whether the module is one of the program's own, which may hand on what a linear module exports. */
export function isOwnModule(specifier: string): boolean {
  return /^(?:\.{0,2}|[@~#$])\//.test(specifier) || /^#\w/.test(specifier);
}

/**
 * What a file's imported names mean. Without type information this is all the evidence there is,
 * so a name counts when it comes from a linear module, or when one of the program's own modules
 * exports it under the name of a linear type: it may hand that on.
 */
export class ImportedNames {
  readonly #exportedNames = new Map<string, string>();
  readonly #namespaces = new Set<string>();

  constructor(program: s.SyntaxNode) {
    for (const statement of s.children(program, "body")) {
      if (statement.type === "ImportDeclaration") this.#readImport(statement);
      if (statement.type === "TSImportEqualsDeclaration") this.#readImportEquals(statement);
    }
  }

  /** Whether no name of the file comes from a linear module. */
  get isEmpty(): boolean {
    return this.#exportedNames.size === 0 && this.#namespaces.size === 0;
  }

  /** What the file calls the things that it imports. */
  get locals(): readonly string[] {
    return [...this.#exportedNames.keys(), ...this.#namespaces];
  }

  /** The name under which a linear module exports what `name` is here. */
  exportedName(name: string): string | undefined {
    return this.#exportedNames.get(name);
  }

  /** Whether `name` stands for a whole linear module. */
  isNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  /** Whether the file's own names show that it calls servers. */
  get hasClient(): boolean {
    return [...this.#exportedNames.values()].includes("TypedClient") || this.#namespaces.size > 0;
  }

  #readImport(declaration: s.SyntaxNode): void {
    const specifier = s.word(s.child(declaration, "source") ?? declaration, "value");
    const isLinear = isLinearModule(specifier);
    if (!isLinear && !isOwnModule(specifier)) return;
    for (const one of s.children(declaration, "specifiers")) {
      const local = s.word(s.child(one, "local") ?? one, "name");
      const imported = s.child(one, "imported");
      const exported = imported ? nameOf(imported) : "";
      if (!imported && isLinear) this.#namespaces.add(local);
      if (imported && (isLinear || isTypeName(exported))) this.#exportedNames.set(local, exported);
    }
  }

  #readImportEquals(declaration: s.SyntaxNode): void {
    const id = s.child(declaration, "id");
    const reference = s.child(declaration, "moduleReference");
    const specifier = reference && s.literal(s.child(reference, "expression"));
    if (id && typeof specifier === "string" && isLinearModule(specifier)) {
      this.#namespaces.add(s.word(id, "name"));
    }
  }
}

/** `import { "a name" as b }` has a literal there. */
function nameOf(imported: s.SyntaxNode): string {
  return s.word(imported, "name") || s.word(imported, "value");
}

function isTypeName(name: string): boolean {
  return TYPES.has(name) || CONTAINERS.has(name);
}

/** The part of a file that is followed from the start. */
export interface Relevance {
  readonly statements: readonly s.SyntaxNode[];
  /** The names that they declare, and those that come from a linear module. */
  readonly names: ReadonlySet<string>;
}

/**
 * The statements of a file that can have to do with ports: those that mention a name which comes
 * from a linear module, or one that such a statement declares or may assign to. What the others
 * declare is followed when one of these calls it.
 */
export function relevanceOf(
  statements: readonly s.SyntaxNode[],
  { words, names }: { readonly words: Words; readonly names: Iterable<string> },
): Relevance {
  const known = new Set(names);
  const found = new Set<s.SyntaxNode>();
  const assignable = new Set(statements.filter(isAssignable).flatMap(declaredNames));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const statement of statements) {
      if (found.has(statement)) continue;
      const mentioned = words.within(statement.range);
      if (!mentioned.some((one) => known.has(one))) continue;
      found.add(statement);
      for (const name of declaredNames(statement)) known.add(name);
      for (const name of mentioned) if (assignable.has(name)) known.add(name);
    }
  }
  return { statements: statements.filter((one) => found.has(one)), names: known };
}

/** The names and keywords of a file, found in one pass, to be asked for again and again. */
export class Words {
  readonly #words: readonly string[];
  readonly #starts: Uint32Array;

  constructor(text: string) {
    const words = text.match(/#?[\w$\u0080-\uffff]+/g) ?? [];
    this.#words = words;
    this.#starts = new Uint32Array(words.length);
    let start = 0;
    for (let index = 0; index < words.length; index++) {
      start = text.indexOf(words[index]!, start);
      this.#starts[index] = start;
      start += words[index]!.length;
    }
  }

  /** Whether a word is in the text. */
  has(word: string): boolean {
    return this.#words.includes(word);
  }

  /** The words that begin in a part of the text, in order. */
  within([start, end]: readonly [number, number]): readonly string[] {
    return this.#words.slice(this.#indexFrom(start), this.#indexFrom(end));
  }

  /** The first word that begins at an offset or after it. */
  #indexFrom(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a statement declares names that any other may give a port. */
function isAssignable(statement: s.SyntaxNode): boolean {
  const node = s.declarationIn(statement);
  return node.type === "VariableDeclaration" && s.word(node, "kind") !== "const";
}

/** The names that a statement declares for those around it. */
function declaredNames(statement: s.SyntaxNode): readonly string[] {
  const node = s.declarationIn(statement);
  const id = s.child(node, "id");
  const declarators = s.children(node, "declarations");
  const ids = [
    ...declarators.flatMap((one) => s.boundIdentifiers(s.child(one, "id"))),
    ...(id ? [id] : []),
  ];
  const assigned = s.child(s.child(node, "expression") ?? node, "left");
  return [...ids, ...s.boundIdentifiers(assigned)].map((one) => s.word(one, "name"));
}
