import { functionOf, type Inference } from "./inference.ts";
import type { Scope } from "../syntax/scope.ts";
import {
  child,
  children,
  isFunction,
  literal,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { isLinearModule } from "../syntax/vocabulary.ts";
import { callType, newType } from "./call.ts";
import { classType, objectLiteralType } from "./class.ts";
import { functionType } from "./function.ts";
import { memberType } from "./member.ts";
import { exportedValue } from "./reference.ts";
import { signatureType } from "../value/shape.ts";
import { eitherOf, lent, listOf, nullable, solid, type Type } from "../value/value_type.ts";

/** Expressions whose value is that of one part. */
const PARTS: Readonly<Record<string, string>> = {
  AwaitExpression: "argument",
  ChainExpression: "expression",
  ParenthesizedExpression: "expression",
  TSInstantiationExpression: "expression",
};

const CASTS: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** What an expression gives. */
export function expressionType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const part = PARTS[node.type];
  if (part) return types.of(child(node, part), scope);
  if (isFunction(node)) return functionType(types, types.functionAt(node, scope));
  if (CASTS.has(node.type)) return castType(types, node, scope);
  switch (node.type) {
    case "Identifier":
      return namedType(types, word(node, "name"), scope);
    case "ThisExpression":
      return scope.thisType;
    case "Super":
      return scope.superType;
    case "TSNonNullExpression":
      return solid(types.of(child(node, "expression"), scope));
    case "MemberExpression":
      return memberAccessType(types, node, scope);
    case "CallExpression":
      return callType(types, node, scope);
    case "NewExpression":
      return newType(types, node, scope);
    default:
      return compoundType(types, node, scope);
  }
}

function compoundType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const of = (field: string) => types.of(child(node, field), scope);
  switch (node.type) {
    case "AssignmentExpression":
      return word(node, "operator") === "=" ? of("right") : lent(of("left") ?? of("right"));
    case "ConditionalExpression":
      return eitherOf(of("consequent"), of("alternate"));
    case "LogicalExpression":
      return logicalType(word(node, "operator"), of("left"), of("right"));
    case "SequenceExpression":
      return types.of(children(node, "expressions").at(-1), scope);
    case "ArrayExpression":
      return arrayType(types, children(node, "elements"), scope);
    case "ObjectExpression":
      return objectLiteralType(types, node, scope);
    case "ClassDeclaration":
    case "ClassExpression":
      return classType(types, node, scope);
    case "TSDeclareFunction":
      return signatureType(types, node, scope);
    case "TSModuleDeclaration":
      return moduleType(types, node, scope);
    case "ImportExpression":
      return isLinearModule(`${literal(child(node, "source"))}`) ? { kind: "module" } : undefined;
    default:
      return undefined;
  }
}

/** What a value is said to be counts where its source says nothing. */
function castType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  return types.of(child(node, "expression"), scope) ??
    types.annotated(child(node, "typeAnnotation"), scope);
}

function namedType(types: Inference, name: string, scope: Scope): Type | undefined {
  const binding = scope.resolve(name);
  if (binding) {
    const local = binding.declaredAs === "function" ? functionOf(types, binding) : undefined;
    return local ? functionType(types, local) : types.ofBinding(binding);
  }
  if (types.names.isNamespace(name)) return { kind: "module" };
  const exported = types.names.exportedName(name);
  return exported === undefined ? undefined : exportedValue(exported);
}

function memberAccessType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const owner = types.of(child(node, "object"), scope) ?? privateOwner(node, scope);
  return owner && memberType(types, owner, propertyName(node));
}

/** `other.#name` is of the class around, whatever `other` is said to be. */
function privateOwner(node: SyntaxNode, scope: Scope): Type | undefined {
  if (child(node, "property")?.type !== "PrivateIdentifier") return undefined;
  const around = scope.thisType;
  return around?.kind === "class" ? around.instance : around;
}

function logicalType(
  operator: string,
  left: Type | undefined,
  right: Type | undefined,
): Type | undefined {
  if (operator === "&&") return nullable(right);
  return left && right ? eitherOf(solid(left), right) : left ?? right;
}

function arrayType(
  types: Inference,
  elements: readonly SyntaxNode[],
  scope: Scope,
): Type | undefined {
  for (const element of elements) {
    if (element.type === "SpreadElement") {
      const spread = types.of(child(element, "argument"), scope);
      if (spread?.kind === "list") return spread;
    } else {
      const type = types.of(element, scope);
      if (type) return listOf(solid(type));
    }
  }
  return undefined;
}

/** A namespace of this file. */
function moduleType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const body = child(node, "body");
  if (!body) return undefined;
  const inner = types.blockScope(body, scope);
  return {
    kind: "object",
    member: (name) => {
      const binding = inner.bindings.get(name);
      return binding && namedType(types, name, inner);
    },
  };
}
