import * as s from "../syntax/syntax.ts";
import { functionType } from "./annotation.ts";
import { signatureType } from "./hoist.ts";
import * as v from "./value_type.ts";

/** A class of this file: what `new` makes of it, and its static members. */
export function classType(node: s.SyntaxNode, scope: s.Scope): v.ClassType | undefined {
  if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return undefined;
  const parent = baseOf(node, scope);
  if (parent && parent.instance.kind !== "object") return parent; // a client, with something added
  const inherited = parent?.instance.kind === "object" ? parent.instance.member : () => undefined;
  const { ofInstance, ofClass } = classScopes(node, scope);
  const body = s.child(node, "body") ?? node;
  return {
    kind: "class",
    functions: () => functionsOf(node, scope),
    constructedBy: () => {
      const constructor = constructorOf(s.bodyOf(node));
      return constructor && ofInstance.functionAt(constructor);
    },
    instance: {
      kind: "object",
      member: scope.types.membersOf(
        node,
        (name) => classMember(node, { name, scope: ofInstance }) ?? inherited(name),
      ),
    },
    member: scope.types.membersOf(
      body,
      (name) => classMember(node, { name, scope: ofClass, isStatic: true }) ?? parent?.member(name),
    ),
  };
}

/** The class that a class extends. */
function baseOf(node: s.SyntaxNode, scope: s.Scope): v.ClassType | undefined {
  const base = scope.typeOf(s.child(node, "superClass"));
  return base?.kind === "class" ? base : undefined;
}

/** Where the members of a class are looked up, with what `this` and `super` are there. */
export function classScopes(
  node: s.SyntaxNode,
  outer: s.Scope,
): Readonly<Record<"ofInstance" | "ofClass", s.Scope>> {
  const scopeAt = (place: s.SyntaxNode, sideOf: (type: v.ClassType) => v.Type) =>
    outer.types.scopeAt(place, () => {
      const scope = new s.Scope(outer);
      const side = (type: v.ClassType | undefined) => type && sideOf(type);
      scope.self = () => side(classType(node, outer));
      scope.base = () => side(baseOf(node, outer));
      return scope;
    });
  const ofInstance = scopeAt(node, ({ instance }) => instance);
  return { ofInstance, ofClass: scopeAt(s.child(node, "body") ?? node, (type) => type) };
}

function functionsOf(node: s.SyntaxNode, outer: s.Scope) {
  const { ofInstance, ofClass } = classScopes(node, outer);
  return s.bodyOf(node).flatMap((member) => {
    const value = s.child(member, "value");
    const scope = s.flag(member, "static") ? ofClass : ofInstance;
    return value && s.isFunction(value) ? [scope.functionAt(value)] : [];
  });
}

/** The constructor of a class of this file. */
export function constructorType(callee: s.SyntaxNode, scope: s.Scope): v.FunctionType | undefined {
  const type = scope.typeOf(s.bare(callee));
  const local = type?.kind === "class" ? type.constructedBy() : undefined;
  return local && functionType(local);
}

interface Wanted {
  readonly name: string;
  readonly scope: s.Scope;
  readonly isStatic?: boolean;
}

function classMember(node: s.SyntaxNode, wanted: Wanted): v.Type | undefined {
  const members = s.bodyOf(node);
  const { name, scope, isStatic = false } = wanted;
  const named = members.filter((one) => s.isNamed(one, name) && s.flag(one, "static") === isStatic);
  const declared = v.firstOf(named, (one) => declaredMember(one, scope));
  const constructor = declared || isStatic ? undefined : constructorOf(members);
  return declared ?? (constructor && v.lent(assignedMember(constructor, wanted)));
}

function declaredMember(member: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const value = s.child(member, "value");
  if (value?.type === "TSEmptyBodyFunctionExpression") return signatureType(value, scope);
  if (member.type !== "MethodDefinition") {
    return v.lent(scope.annotated(s.child(member, "typeAnnotation")) ?? scope.typeOf(value));
  }
  if (!value || !s.isFunction(value)) return undefined;
  const method = functionType(scope.functionAt(value));
  return s.word(member, "kind") === "get" ? v.lent(method.result({ inputs: [], scope })) : method;
}

function constructorOf(members: readonly s.SyntaxNode[]): s.SyntaxNode | undefined {
  const member = members.find((one) => s.word(one, "kind") === "constructor");
  return member && s.child(member, "value");
}

/** A field that the constructor makes: `private port: P` in its head, `this.port = ...` inside. */
function assignedMember(node: s.SyntaxNode, wanted: Wanted): v.Type | undefined {
  const { name } = wanted;
  const scope = wanted.scope.functionAt(node).ownScope;
  for (const parameter of s.children(node, "params")) {
    const id = parameter.type === "TSParameterProperty" && s.boundIdentifiers(parameter)[0];
    const binding = id && s.word(id, "name") === name ? scope.bindings.get(name) : undefined;
    if (binding) return scope.types.ofBinding(binding);
  }
  for (const statement of s.bodyOf(node)) {
    const assignment = s.child(statement, "expression");
    const target = assignment && s.child(assignment, "left");
    const isOwn = target && s.child(target, "object")?.type === "ThisExpression";
    if (isOwn && s.propertyName(target) === name) {
      return scope.typeOf(s.child(assignment, "right"));
    }
  }
  return undefined;
}

/** An object that is written in place. */
export function objectLiteralType(node: s.SyntaxNode, outer: s.Scope): v.Type {
  const scope = objectScope(node, outer);
  const find = (name: string) =>
    v.firstOf(
      s.children(node, "properties").toReversed(),
      (one) => literalMember(one, { name, scope }),
    );
  return { kind: "object", member: scope.types.membersOf(node, find) };
}

/** Where the methods of an object are looked up: `this` is the object. */
export function objectScope(node: s.SyntaxNode, outer: s.Scope): s.Scope {
  return outer.types.scopeAt(node, () => {
    const scope = new s.Scope(outer);
    scope.self = () => outer.typeOf(node);
    return scope;
  });
}

function literalMember(node: s.SyntaxNode, { name, scope }: Wanted): v.Type | undefined {
  if (node.type === "SpreadElement") {
    const spread = scope.typeOf(s.child(node, "argument"));
    return spread?.kind === "object" ? spread.member(name) : undefined;
  }
  const value = s.child(node, "value");
  if (!value || !s.isNamed(node, name)) return undefined;
  const type = scope.typeOf(s.bare(value));
  const isGetter = s.word(node, "kind") === "get" && type?.kind === "function";
  return v.lent(isGetter ? type.result({ inputs: [], scope }) : type);
}
