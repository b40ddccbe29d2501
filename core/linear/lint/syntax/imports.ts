import { child, children, literal, type SyntaxNode, word } from "./syntax.ts";
import { CONTAINERS, isLinearModule, isOwnModule, TYPES } from "./vocabulary.ts";

/**
 * What a file's imported names mean. Without type information this is all the evidence there is,
 * so a name counts when it comes from a linear module, or when one of the program's own modules
 * exports it under the name of a linear type: it may hand that on.
 */
export class ImportedNames {
  readonly #exportedNames = new Map<string, string>();
  readonly #namespaces = new Set<string>();

  constructor(program: SyntaxNode) {
    for (const statement of children(program, "body")) {
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

  #readImport(declaration: SyntaxNode): void {
    const specifier = word(child(declaration, "source") ?? declaration, "value");
    const isLinear = isLinearModule(specifier);
    if (!isLinear && !isOwnModule(specifier)) return;
    for (const one of children(declaration, "specifiers")) {
      const local = word(child(one, "local") ?? one, "name");
      const imported = child(one, "imported");
      const exported = imported ? nameOf(imported) : "";
      if (!imported && isLinear) this.#namespaces.add(local);
      if (imported && (isLinear || isTypeName(exported))) this.#exportedNames.set(local, exported);
    }
  }

  #readImportEquals(declaration: SyntaxNode): void {
    const id = child(declaration, "id");
    const reference = child(declaration, "moduleReference");
    const specifier = reference && literal(child(reference, "expression"));
    if (id && typeof specifier === "string" && isLinearModule(specifier)) {
      this.#namespaces.add(word(id, "name"));
    }
  }
}

/** `import { "a name" as b }` has a literal there. */
function nameOf(imported: SyntaxNode): string {
  return word(imported, "name") || word(imported, "value");
}

function isTypeName(name: string): boolean {
  return TYPES.has(name) || CONTAINERS.has(name);
}
