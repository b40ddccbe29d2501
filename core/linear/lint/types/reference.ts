import type { Scope } from "../syntax/scope.ts";
import { child, children, type SyntaxNode, word } from "../syntax/syntax.ts";
import { CONTAINERS, MOVE, TYPES } from "../syntax/vocabulary.ts";
import { enumType } from "../value/literals.ts";
import { classType } from "./class.ts";
import { interfaceType } from "../value/shape.ts";
import {
  functionGiving,
  isLinearType,
  lent,
  linearType,
  listOf,
  solid,
  type Type,
} from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** Types of the language that stand for their first argument. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  "Awaited",
  "NoInfer",
  "NonNullable",
  "Promise",
  "PromiseLike",
  "Readonly",
  "Required",
]);

/** Those that take members away: what is left of a port cannot be closed, and is borrowed. */
const PARTS: ReadonlySet<string> = new Set(["Omit", "Partial", "Pick"]);

/** Types of the language that hold many of their first argument. */
const LISTS: ReadonlySet<string> = new Set([
  "Array",
  "ArrayLike",
  "AsyncGenerator",
  "AsyncIterable",
  "AsyncIterableIterator",
  "AsyncIterator",
  "Generator",
  "Iterable",
  "IterableIterator",
  "Iterator",
  "IteratorObject",
  "ReadonlyArray",
  "ReadonlySet",
  "Set",
]);

/** Types of the language that hold many of their second argument. */
const MAPS: ReadonlySet<string> = new Set(["Map", "ReadonlyMap", "WeakMap"]);
const STACKS: ReadonlySet<string> = new Set(["DisposableStack", "AsyncDisposableStack"]);
const DISPOSABLES: ReadonlySet<string> = new Set(["Disposable", "AsyncDisposable"]);

/** `Name`, `namespace.Name`, `Name<Argument>`. */
export function referencedType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const typeName = child(node, "typeName") ?? child(node, "expression");
  if (!typeName) return undefined;
  if (typeName.type !== "Identifier") return qualifiedType(types, typeName, { node, scope });
  const name = word(typeName, "name");
  const declared = scope.resolveType(name);
  if (declared) return declaredType(types, declared.node, declared.scope);
  const exported = types.names.exportedName(name);
  if (exported !== undefined) {
    return exportedType(types, { name: exported, reference: node, scope });
  }
  return builtInType(types, name, { node, scope });
}

/** The type that a linear module exports under a name. */
export function exportedType(
  types: Inference,
  { name, reference, scope }: {
    readonly name: string;
    readonly reference: SyntaxNode;
    readonly scope: Scope;
  },
): Type | undefined {
  const kind = TYPES.get(name);
  if (kind === "port") return linearType(kind);
  if (kind === "client" || kind === "server" || kind === "handler") return { kind };
  const container = CONTAINERS.get(name);
  const held = typeArguments(reference).map((one) => types.annotated(one, scope));
  return container && held.some((one) => one?.kind === "port") ? linearType(container) : undefined;
}

/** What a linear module exports as a value. */
export function exportedValue(name: string): Type | undefined {
  if (name === MOVE) return MOVE_FUNCTION;
  const kind = TYPES.get(name);
  const instance = kind === "client" || kind === "server" ? { kind } : undefined;
  const nothing = () => undefined;
  return instance &&
    { kind: "class", instance, member: nothing, functions: () => [], constructedBy: nothing };
}

const MOVE_FUNCTION: Type = functionGiving(() => undefined, { isMove: true });

function typeArguments(reference: SyntaxNode): readonly SyntaxNode[] {
  const held = child(reference, "typeArguments");
  return held ? children(held, "params") : [];
}

interface Reference {
  readonly node: SyntaxNode;
  readonly scope: Scope;
}

function qualifiedType(types: Inference, name: SyntaxNode, { node, scope }: Reference) {
  const left = child(name, "left") ?? child(name, "object");
  const right = child(name, "right") ?? child(name, "property");
  if (!left || !right) return undefined;
  if (types.names.isNamespace(word(left, "name"))) {
    return exportedType(types, { name: word(right, "name"), reference: node, scope });
  }
  const inner = types.namespaceScope(left, scope);
  const declared = inner?.ownType(word(right, "name"));
  return declared && inner ? declaredType(types, declared, inner) : undefined;
}

function declaredType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  switch (node.type) {
    case "TSTypeAliasDeclaration":
      return types.annotated(child(node, "typeAnnotation"), scope);
    case "TSTypeParameter":
      return types.annotated(child(node, "constraint"), scope);
    case "TSInterfaceDeclaration":
      return interfaceType(types, node, scope);
    case "TSEnumDeclaration":
      return enumType(node);
    default:
      return classType(types, node, scope)?.instance;
  }
}

function builtInType(types: Inference, name: string, { node, scope }: Reference): Type | undefined {
  const held = typeArguments(node).map((one) => types.annotated(one, scope));
  if (name === "NonNullable") return solid(held[0]);
  if (TRANSPARENT.has(name)) return held[0];
  if (PARTS.has(name)) return isLinearType(held[0]) ? undefined : held[0];
  if (LISTS.has(name)) return listOf(held[0]);
  if (MAPS.has(name)) return listOf(held[1], true);
  if (STACKS.has(name)) return { kind: "stack" };
  if (DISPOSABLES.has(name)) return { kind: "disposable" };
  if (name === "Record") return held[1] && recordOf(held[1]);
  const [first] = held;
  if (name === "ReturnType" && first?.kind === "function") {
    return first.result({ inputs: [], scope });
  }
  if (name === "InstanceType" && first?.kind === "class") return first.instance;
  return undefined;
}

/** An object with one kind of member under every name. */
export function recordOf(element: Type): Type {
  const member = isLinearType(element) ? lent(element) : element;
  return { kind: "object", member: () => member };
}
