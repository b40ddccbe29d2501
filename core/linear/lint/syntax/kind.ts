import type { ImportedNames } from "./imports.ts";
import type { Binding, LocalFunction, Scope } from "./scope.ts";
import { bare, child, children, propertyName, type SyntaxNode, word } from "./syntax.ts";
import { CHECKS, type Kind, RESULTS } from "./vocabulary.ts";

/** Works out what expressions and names are, from annotations and from where values come. */
export class Kinds {
  readonly names: ImportedNames;

  constructor(names: ImportedNames) {
    this.names = names;
  }

  /** What a name is; worked out once, from its annotation or its initialiser. */
  ofBinding(binding: Binding): Kind | undefined {
    if (binding.kind === undefined) {
      binding.kind = null; // a name in its own initialiser is nothing yet
      binding.kind = this.#declaredKind(binding) ?? null;
    }
    return binding.kind ?? undefined;
  }

  /** What an expression gives. */
  of(expression: SyntaxNode | undefined, scope: Scope): Kind | undefined {
    if (!expression) return undefined;
    const node = bare(expression);
    switch (node.type) {
      case "Identifier": {
        const binding = scope.resolve(word(node, "name"));
        return binding && this.ofBinding(binding);
      }
      case "AwaitExpression":
        return this.of(child(node, "argument"), scope);
      case "AssignmentExpression":
        return this.of(child(node, "right"), scope);
      case "ConditionalExpression":
        return this.#ofEither(node, scope, ["consequent", "alternate"]);
      case "LogicalExpression":
        return this.#ofEither(node, scope, ["right", "left"]);
      case "MemberExpression":
        return this.#ofMember(node, scope);
      case "NewExpression":
        return this.names.constructedKind(child(node, "callee") ?? node);
      case "CallExpression":
        return this.#ofCall(node, scope);
      default:
        return undefined;
    }
  }

  /** What a function written in this file gives back. */
  returnedBy(local: LocalFunction): Kind | undefined {
    const annotated = this.names.annotatedKind(child(local.node, "returnType"));
    if (annotated) return annotated;
    const body = child(local.node, "body");
    return body?.type === "BlockStatement" ? undefined : this.of(body, local.scope);
  }

  #declaredKind(binding: Binding): Kind | undefined {
    const annotated = this.names.annotatedKind(child(binding.node, "typeAnnotation"));
    if (annotated || !binding.declarator) return annotated;
    const isWhole = child(binding.declarator, "id") === binding.node;
    return isWhole ? this.of(child(binding.declarator, "init"), binding.scope) : undefined;
  }

  #ofEither(node: SyntaxNode, scope: Scope, fields: readonly string[]): Kind | undefined {
    for (const field of fields) {
      const kind = this.of(child(node, field), scope);
      if (kind) return kind;
    }
    return undefined;
  }

  #ofMember(node: SyntaxNode, scope: Scope): Kind | undefined {
    const object = child(node, "object");
    const name = propertyName(node);
    if (object?.type === "ThisExpression") return this.#ofField(name, scope);
    const holder = this.of(object, scope);
    return isContainer(holder) && name === "value" ? "port" : undefined;
  }

  #ofField(name: string, scope: Scope): Kind | undefined {
    const evidence = scope.field(name);
    if (evidence?.type === "TSTypeAnnotation") return this.names.annotatedKind(evidence);
    return this.of(evidence, scope);
  }

  #ofCall(node: SyntaxNode, scope: Scope): Kind | undefined {
    const callee = bare(child(node, "callee") ?? node);
    if (this.names.isMove(callee)) return this.of(children(node, "arguments")[0], scope);
    if (callee.type === "MemberExpression") {
      const owner = this.of(child(callee, "object"), scope);
      return owner && RESULTS[owner].get(propertyName(callee));
    }
    const local = callee.type === "Identifier" && scope.resolve(word(callee, "name"));
    return local && local.localFunction ? this.returnedBy(local.localFunction) : undefined;
  }
}

/** Whether the value holds a port that must be asked for. */
export function isContainer(kind: Kind | undefined): kind is keyof typeof CHECKS {
  return kind === "maybe" || kind === "either";
}
