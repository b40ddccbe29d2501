import { boundIdentifiers, child, children, type SyntaxNode, word } from "./syntax.ts";

/** The part of a file that is followed from the start. */
export interface Relevance {
  readonly statements: readonly SyntaxNode[];
  /** The names that they declare, and those that come from a linear module. */
  readonly names: ReadonlySet<string>;
}

/**
 * The statements of a file that can have to do with ports: those that mention a name which comes
 * from a linear module, or one that such a statement declares. What the others declare is followed
 * when one of these calls it.
 */
export function relevanceOf(
  statements: readonly SyntaxNode[],
  { text, names }: { readonly text: string; readonly names: Iterable<string> },
): Relevance {
  const known = new Set(names);
  const found = new Set<SyntaxNode>();
  const wordsOf = new Map(statements.map((one) => [one, wordsIn(text.slice(...one.range))]));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const [statement, words] of wordsOf) {
      if (found.has(statement) || known.isDisjointFrom(words)) continue;
      found.add(statement);
      for (const name of declaredNames(statement)) known.add(name);
    }
  }
  return { statements: statements.filter((one) => found.has(one)), names: known };
}

/** The names and keywords in a text. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w$\u0080-\uffff]+/g));
}

/** The names that a statement declares for those around it. */
function declaredNames(statement: SyntaxNode): readonly string[] {
  const node = child(statement, "declaration") ?? statement;
  const id = child(node, "id");
  const declarators = children(node, "declarations");
  const ids = [
    ...declarators.flatMap((one) => boundIdentifiers(child(one, "id"))),
    ...(id ? [id] : []),
  ];
  const assigned = child(child(node, "expression") ?? node, "left");
  return [...ids, ...boundIdentifiers(assigned)].map((one) => word(one, "name"));
}
