import type { Scope } from "../syntax/scope.ts";
import { child, children, literal, type SyntaxNode, word } from "../syntax/syntax.ts";
import { isLinearModule } from "../syntax/vocabulary.ts";
import { literalType } from "../value/literals.ts";
import { exportedType, referencedType } from "./reference.ts";
import { membersType, signatureType } from "../value/shape.ts";
import { eitherOf, listOf, nullable, type Type } from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** Annotations that only wrap another one. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "TSNamedTupleMember",
  "TSOptionalType",
  "TSParenthesizedType",
  "TSRestType",
  "TSTypeAnnotation",
  "TSTypeOperator",
]);

/** What a type annotation says. */
export function annotationType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const inner = child(node, "typeAnnotation") ?? child(node, "elementType");
  if (WRAPPERS.has(node.type)) return types.annotated(inner, scope);
  switch (node.type) {
    case "TSInterfaceHeritage":
    case "TSTypeReference":
      return referencedType(types, node, scope);
    case "TSUnionType":
      return unionType(types, node, scope);
    case "TSIntersectionType":
      return intersectionType(types, node, scope);
    case "TSArrayType":
      return listOf(types.annotated(inner, scope));
    case "TSTupleType":
      return listOf(firstOf(types, children(node, "elementTypes"), scope));
    case "TSTypeLiteral":
      return membersType(types, scope, { node, members: children(node, "members") });
    case "TSFunctionType":
      return signatureType(types, node, scope);
    case "TSThisType":
      return scope.thisType;
    case "TSTypeQuery":
      return types.of(child(node, "exprName"), scope);
    case "TSImportType":
      return importedType(types, node, scope);
    case "TSIndexedAccessType":
      return indexedType(types, node, scope);
    case "TSLiteralType":
    case "TSBooleanKeyword":
    case "TSNumberKeyword":
    case "TSStringKeyword":
      return literalType(node);
    default:
      return undefined;
  }
}

function isNothing({ type }: SyntaxNode): boolean {
  return type === "TSUndefinedKeyword" || type === "TSNullKeyword" || type === "TSVoidKeyword";
}

/** A union of one kind, or of one kind and nothing. What else it may be is not followed. */
function unionType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const members = children(node, "types");
  const solid = members.filter((one) => !isNothing(one));
  const found = solid.map((one) => types.annotated(one, scope));
  const first = found[0];
  if (!first || !found.every((one) => one?.kind === first.kind)) return objectIn(found);
  const whole = found.reduce(eitherOf, first);
  return solid.length < members.length ? nullable(whole) : whole;
}

/** `{ port: P } | string`: whoever reads `port` has looked already. */
function objectIn(found: readonly (Type | undefined)[]): Type | undefined {
  const objects = found.filter((one) => one?.kind === "object");
  const isMixed = found.some((one) => one && one.kind !== "object");
  return isMixed ? undefined : objects.reduce(eitherOf, objects[0]);
}

/** All members of all parts. */
function intersectionType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  return children(node, "types").map((one) => types.annotated(one, scope))
    .reduce((left, right) => left && right ? eitherOf(left, right) : left ?? right, undefined);
}

function firstOf(types: Inference, nodes: readonly SyntaxNode[], scope: Scope): Type | undefined {
  for (const node of nodes) {
    const type = types.annotated(node, scope);
    if (type) return type;
  }
  return undefined;
}

/** `import("./linear/mod.ts").TypedClient`. */
function importedType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const argument = child(node, "argument");
  const specifier = literal(argument && (child(argument, "literal") ?? argument));
  const name = child(node, "qualifier");
  if (typeof specifier !== "string" || !name || !isLinearModule(specifier)) return undefined;
  return exportedType(types, { name: word(name, "name"), reference: node, scope });
}

/** `Options["client"]`. */
function indexedType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const object = types.annotated(child(node, "objectType"), scope);
  const index = child(node, "indexType");
  const name = literal(index && child(index, "literal"));
  if (object?.kind === "object" && typeof name === "string") return object.member(name);
  return object?.kind === "list" ? object.element : undefined;
}
