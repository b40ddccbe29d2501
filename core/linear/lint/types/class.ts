import { Scope } from "../syntax/scope.ts";
import {
  bare,
  boundIdentifiers,
  child,
  children,
  flag,
  isFunction,
  keyName,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { functionType } from "./function.ts";
import { signatureType } from "../value/shape.ts";
import { type ClassType, type FunctionType, lent, type Type } from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** A class of this file: what `new` makes of it, and its static members. */
export function classType(types: Inference, node: SyntaxNode, scope: Scope): ClassType | undefined {
  if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return undefined;
  const parent = baseOf(types, node, scope);
  if (parent && parent.instance.kind !== "object") return parent; // a client, with something added
  const inherited = parent?.instance.kind === "object" ? parent.instance.member : () => undefined;
  const { ofInstance, ofClass } = classScopes(types, node, scope);
  const body = child(node, "body") ?? node;
  return {
    kind: "class",
    functions: () => functionsOf(types, node, { ofInstance, ofClass }),
    constructedBy: () => {
      const constructor = constructorOf(children(body, "body"));
      return constructor && types.functionAt(constructor, ofInstance);
    },
    instance: {
      kind: "object",
      member: (name) =>
        types.memberOf(
          node,
          name,
          () => classMember(types, node, { name, scope: ofInstance }) ?? inherited(name),
        ),
    },
    member: (name) =>
      types.memberOf(
        body,
        name,
        () =>
          classMember(types, node, { name, scope: ofClass, isStatic: true }) ??
            parent?.member(name),
      ),
  };
}

/** The class that a class extends. */
function baseOf(types: Inference, node: SyntaxNode, scope: Scope): ClassType | undefined {
  const base = types.of(child(node, "superClass"), scope);
  return base?.kind === "class" ? base : undefined;
}

/** Where the members of a class are looked up, with what `this` and `super` are there. */
export function classScopes(
  types: Inference,
  node: SyntaxNode,
  outer: Scope,
): ClassScopes {
  const ofInstance = types.scopeAt(node, () => {
    const scope = new Scope(outer);
    scope.self = () => classType(types, node, outer)?.instance;
    scope.base = () => baseOf(types, node, outer)?.instance;
    return scope;
  });
  const ofClass = types.scopeAt(child(node, "body") ?? node, () => {
    const scope = new Scope(outer);
    scope.self = () => classType(types, node, outer);
    scope.base = () => baseOf(types, node, outer);
    return scope;
  });
  return { ofInstance, ofClass };
}

interface ClassScopes {
  readonly ofInstance: Scope;
  readonly ofClass: Scope;
}

function functionsOf(types: Inference, node: SyntaxNode, { ofInstance, ofClass }: ClassScopes) {
  return children(child(node, "body") ?? node, "body").flatMap((member) => {
    const value = child(member, "value");
    const scope = flag(member, "static") ? ofClass : ofInstance;
    return value && isFunction(value) ? [types.functionAt(value, scope)] : [];
  });
}

/** The constructor of a class of this file. */
export function constructorType(
  types: Inference,
  callee: SyntaxNode,
  scope: Scope,
): FunctionType | undefined {
  const type = types.of(bare(callee), scope);
  const local = type?.kind === "class" ? type.constructedBy() : undefined;
  return local && functionType(types, local);
}

interface Wanted {
  readonly name: string;
  readonly scope: Scope;
  readonly isStatic?: boolean;
}

function classMember(types: Inference, node: SyntaxNode, wanted: Wanted): Type | undefined {
  const members = children(child(node, "body") ?? node, "body");
  const { name, isStatic = false } = wanted;
  for (const member of members) {
    const key = child(member, "key");
    if (!key || keyName(key) !== name || flag(member, "static") !== isStatic) continue;
    const type = declaredMember(types, member, wanted.scope);
    if (type) return type;
  }
  const constructor = isStatic ? undefined : constructorOf(members);
  return constructor && lent(assignedMember(types, constructor, wanted));
}

function declaredMember(types: Inference, member: SyntaxNode, scope: Scope): Type | undefined {
  const value = child(member, "value");
  if (value?.type === "TSEmptyBodyFunctionExpression") return signatureType(types, value, scope);
  if (member.type !== "MethodDefinition") {
    return lent(types.annotated(child(member, "typeAnnotation"), scope) ?? types.of(value, scope));
  }
  if (!value || !isFunction(value)) return undefined;
  const method = functionType(types, types.functionAt(value, scope));
  return word(member, "kind") === "get" ? lent(method.result({ inputs: [], scope })) : method;
}

function constructorOf(members: readonly SyntaxNode[]): SyntaxNode | undefined {
  const member = members.find((one) => word(one, "kind") === "constructor");
  return member && child(member, "value");
}

/** A field that the constructor makes: `private port: P` in its head, `this.port = ...` inside. */
function assignedMember(types: Inference, node: SyntaxNode, wanted: Wanted): Type | undefined {
  const { name } = wanted;
  const scope = types.functionScope(types.functionAt(node, wanted.scope));
  for (const parameter of children(node, "params")) {
    const id = parameter.type === "TSParameterProperty" && boundIdentifiers(parameter)[0];
    const binding = id && word(id, "name") === name ? scope.bindings.get(name) : undefined;
    if (binding) return types.ofBinding(binding);
  }
  for (const statement of children(child(node, "body") ?? node, "body")) {
    const assignment = child(statement, "expression");
    const target = assignment && child(assignment, "left");
    const isOwn = target && child(target, "object")?.type === "ThisExpression";
    if (isOwn && propertyName(target) === name) return types.of(child(assignment, "right"), scope);
  }
  return undefined;
}

/** An object that is written in place. */
export function objectLiteralType(types: Inference, node: SyntaxNode, outer: Scope): Type {
  const scope = objectScope(types, node, outer);
  const find = (name: string): Type | undefined => {
    for (const one of children(node, "properties").toReversed()) {
      const found = literalMember(types, one, { name, scope });
      if (found) return found;
    }
    return undefined;
  };
  return { kind: "object", member: (name) => types.memberOf(node, name, () => find(name)) };
}

/** Where the methods of an object are looked up: `this` is the object. */
export function objectScope(types: Inference, node: SyntaxNode, outer: Scope): Scope {
  return types.scopeAt(node, () => {
    const scope = new Scope(outer);
    scope.self = () => types.of(node, outer);
    return scope;
  });
}

function literalMember(
  types: Inference,
  node: SyntaxNode,
  { name, scope }: Wanted,
): Type | undefined {
  if (node.type === "SpreadElement") {
    const spread = types.of(child(node, "argument"), scope);
    return spread?.kind === "object" ? spread.member(name) : undefined;
  }
  const key = child(node, "key");
  const value = child(node, "value");
  if (!key || !value || keyName(key) !== name) return undefined;
  const type = types.of(bare(value), scope);
  const isGetter = word(node, "kind") === "get" && type?.kind === "function";
  return lent(isGetter ? type.result({ inputs: [], scope }) : type);
}
