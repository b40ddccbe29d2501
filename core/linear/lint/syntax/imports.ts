import { child, children, type SyntaxNode, word } from "./syntax.ts";
import { CONTAINERS, isLinearModule, type Kind, MOVE, TYPES } from "./vocabulary.ts";

/**
 * What a file's imported names and type aliases mean. Without type information this is all the
 * evidence there is, so a name counts only when it comes from a linear module.
 */
export class ImportedNames {
  readonly #exportedNames = new Map<string, string>();
  readonly #namespaces = new Set<string>();
  readonly #aliases = new Map<string, SyntaxNode>();

  constructor(program: SyntaxNode) {
    for (const statement of children(program, "body")) {
      const declaration = child(statement, "declaration") ?? statement;
      if (declaration.type === "ImportDeclaration") this.#readImport(declaration);
      if (declaration.type === "TSTypeAliasDeclaration") this.#readAlias(declaration);
    }
  }

  /** Whether the file can hold a port at all. */
  get isEmpty(): boolean {
    return this.#exportedNames.size === 0 && this.#namespaces.size === 0;
  }

  /** The kind that `new Callee()` makes. */
  constructedKind(callee: SyntaxNode): Kind | undefined {
    const kind = TYPES.get(this.#exportedName(callee));
    return kind === "client" || kind === "server" ? kind : undefined;
  }

  isMove(callee: SyntaxNode): boolean {
    return this.#exportedName(callee) === MOVE;
  }

  /** The kind that a type annotation names; a union counts without `undefined` and `null`. */
  annotatedKind(annotation: SyntaxNode | undefined): Kind | undefined {
    switch (annotation?.type) {
      case "TSTypeAnnotation":
        return this.annotatedKind(child(annotation, "typeAnnotation"));
      case "TSUnionType": {
        const kinds = solidTypes(annotation).map((one) => this.annotatedKind(one));
        return kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;
      }
      case "TSTypeReference":
        return this.#referencedKind(annotation);
      default:
        return undefined;
    }
  }

  #readImport(declaration: SyntaxNode): void {
    const source = child(declaration, "source");
    if (!source || !isLinearModule(word(source, "value"))) return;
    for (const specifier of children(declaration, "specifiers")) {
      const local = child(specifier, "local");
      const imported = child(specifier, "imported");
      if (!local) continue;
      if (specifier.type === "ImportNamespaceSpecifier") this.#namespaces.add(word(local, "name"));
      else if (imported) this.#exportedNames.set(word(local, "name"), word(imported, "name"));
    }
  }

  #readAlias(declaration: SyntaxNode): void {
    const id = child(declaration, "id");
    const type = child(declaration, "typeAnnotation");
    if (id && type) this.#aliases.set(word(id, "name"), type);
  }

  /** The name under which a linear module exports what `name` or `namespace.name` refers to. */
  #exportedName(reference: SyntaxNode): string {
    if (reference.type === "Identifier") {
      return this.#exportedNames.get(word(reference, "name")) ?? "";
    }
    const object = child(reference, "object") ?? child(reference, "left");
    const property = child(reference, "property") ?? child(reference, "right");
    const isOurs = object && this.#namespaces.has(word(object, "name"));
    return isOurs && property ? word(property, "name") : "";
  }

  #referencedKind(reference: SyntaxNode): Kind | undefined {
    const name = child(reference, "typeName");
    if (!name) return undefined;
    const alias = this.#aliases.get(word(name, "name"));
    if (alias) return this.#aliasKind(word(name, "name"), alias);
    const held = child(reference, "typeArguments");
    const isPromise = word(name, "name") === "Promise";
    if (isPromise) return held && this.annotatedKind(children(held, "params")[0]);
    const exportedName = this.#exportedName(name);
    const container = CONTAINERS.get(exportedName);
    if (!container) return TYPES.get(exportedName);
    const holdsPort = held && children(held, "params").some((one) => this.#isPort(one));
    return holdsPort ? container : undefined;
  }

  #aliasKind(name: string, type: SyntaxNode): Kind | undefined {
    this.#aliases.delete(name); // an alias that names itself would be followed for ever
    const kind = this.annotatedKind(type);
    this.#aliases.set(name, type);
    return kind;
  }

  #isPort(type: SyntaxNode): boolean {
    return this.annotatedKind(type) === "port";
  }
}

/** The members of a union that are not `undefined` or `null`. */
function solidTypes(union: SyntaxNode): readonly SyntaxNode[] {
  return children(union, "types").filter(({ type }) =>
    type !== "TSUndefinedKeyword" && type !== "TSNullKeyword"
  );
}

/** Whether an annotation allows `undefined` or `null`. */
export function isNullable(annotation: SyntaxNode | undefined): boolean {
  const type = annotation && (child(annotation, "typeAnnotation") ?? annotation);
  if (type?.type !== "TSUnionType") return false;
  return solidTypes(type).length < children(type, "types").length;
}
