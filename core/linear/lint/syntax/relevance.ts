import {
  boundIdentifiers,
  child,
  children,
  declarationIn,
  type SyntaxNode,
  word,
} from "./syntax.ts";

/** The part of a file that is followed from the start. */
export interface Relevance {
  readonly statements: readonly SyntaxNode[];
  /** The names that they declare, and those that come from a linear module. */
  readonly names: ReadonlySet<string>;
}

/**
 * The statements of a file that can have to do with ports: those that mention a name which comes
 * from a linear module, or one that such a statement declares or may assign to. What the others
 * declare is followed when one of these calls it.
 */
export function relevanceOf(
  statements: readonly SyntaxNode[],
  { words, names }: { readonly words: Words; readonly names: Iterable<string> },
): Relevance {
  const known = new Set(names);
  const found = new Set<SyntaxNode>();
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
function isAssignable(statement: SyntaxNode): boolean {
  const node = declarationIn(statement);
  return node.type === "VariableDeclaration" && word(node, "kind") !== "const";
}

/** The names that a statement declares for those around it. */
function declaredNames(statement: SyntaxNode): readonly string[] {
  const node = declarationIn(statement);
  const id = child(node, "id");
  const declarators = children(node, "declarations");
  const ids = [
    ...declarators.flatMap((one) => boundIdentifiers(child(one, "id"))),
    ...(id ? [id] : []),
  ];
  const assigned = child(child(node, "expression") ?? node, "left");
  return [...ids, ...boundIdentifiers(assigned)].map((one) => word(one, "name"));
}
