import * as s from "../syntax/syntax.ts";
import { isLinearModule } from "../syntax/vocabulary.ts";
import { classType, objectLiteralType } from "./class.ts";
import { functionType } from "./annotation.ts";
import { exportedValue, mapper, memberType, promiseMember, reducer } from "./member.ts";
import { signatureType } from "./hoist.ts";
import * as v from "./value_type.ts";

/** Expressions whose value is that of one part. */
const PARTS: Readonly<Record<string, string>> = {
  AwaitExpression: "argument",
  ChainExpression: "expression",
  ParenthesizedExpression: "expression",
  TSInstantiationExpression: "expression",
};

/** What an expression gives. */
export function expressionType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const part = PARTS[node.type];
  if (part) return scope.typeOf(s.child(node, part));
  if (s.isFunction(node)) return functionType(scope.functionAt(node));
  if (s.isCast(node)) return castType(node, scope);
  switch (node.type) {
    case "Identifier":
      return namedType(s.word(node, "name"), scope);
    case "ThisExpression":
      return scope.thisType;
    case "Super":
      return scope.superType;
    case "TSNonNullExpression":
      return v.solid(scope.typeOf(s.child(node, "expression")));
    case "MemberExpression":
      return memberAccessType(node, scope);
    case "CallExpression":
      return callType(node, scope);
    case "NewExpression":
      return newType(node, scope);
    default:
      return compoundType(node, scope);
  }
}

function compoundType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const of = (field: string) => scope.typeOf(s.child(node, field));
  switch (node.type) {
    case "AssignmentExpression":
      return s.word(node, "operator") === "=" ? of("right") : v.lent(of("left") ?? of("right"));
    case "ConditionalExpression":
      return v.eitherOf(of("consequent"), of("alternate"));
    case "LogicalExpression":
      return logicalType(s.word(node, "operator"), of("left"), of("right"));
    case "SequenceExpression":
      return scope.typeOf(s.children(node, "expressions").at(-1));
    case "ArrayExpression":
      return arrayType(s.children(node, "elements"), scope);
    case "ObjectExpression":
      return objectLiteralType(node, scope);
    case "ClassDeclaration":
    case "ClassExpression":
      return classType(node, scope);
    case "TSDeclareFunction":
      return signatureType(node, scope);
    case "TSModuleDeclaration":
      return moduleType(node, scope);
    case "ImportExpression":
      return isLinearModule(`${s.literal(s.child(node, "source"))}`)
        ? { kind: "module" }
        : undefined;
    default:
      return undefined;
  }
}

/** What a value is said to be counts where its source says nothing. */
function castType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  return scope.typeOf(s.child(node, "expression")) ??
    scope.annotated(s.child(node, "typeAnnotation"));
}

function namedType(name: string, scope: s.Scope): v.Type | undefined {
  const binding = scope.resolve(name);
  if (binding) return scope.types.ofBinding(binding);
  if (scope.types.names.isNamespace(name)) return { kind: "module" };
  const exported = scope.types.names.exportedName(name);
  return exported === undefined ? undefined : exportedValue(exported);
}

function memberAccessType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const owner = scope.typeOf(s.child(node, "object")) ?? privateOwner(node, scope);
  return memberType(owner, s.propertyName(node));
}

/** `other.#name` is of the class around, whatever `other` is said to be. */
function privateOwner(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  if (s.child(node, "property")?.type !== "PrivateIdentifier") return undefined;
  const around = scope.thisType;
  return around?.kind === "class" ? around.instance : around;
}

function logicalType(
  operator: string,
  left: v.Type | undefined,
  right: v.Type | undefined,
): v.Type | undefined {
  if (operator === "&&") return v.nullable(right);
  return left && right ? v.eitherOf(v.solid(left), right) : left ?? right;
}

function arrayType(elements: readonly s.SyntaxNode[], scope: s.Scope): v.Type | undefined {
  return v.firstOf(elements, (element) => {
    if (element.type !== "SpreadElement") return v.listOf(v.solid(scope.typeOf(element)));
    const spread = scope.typeOf(s.child(element, "argument"));
    return spread?.kind === "list" ? spread : undefined;
  });
}

/** A namespace of this file. */
function moduleType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const body = s.child(node, "body");
  if (!body) return undefined;
  const inner = scope.types.blockScope(body, scope);
  return {
    kind: "object",
    member: (name) => {
      const binding = inner.bindings.get(name);
      return binding && namedType(name, inner);
    },
  };
}

/** What a call gives. */
function callType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const inputs = s.children(node, "arguments");
  const callee = s.bare(s.part(node, "callee"));
  const called = calledType(callee, scope);
  if (called?.isMove) return v.solid(scope.typeOf(inputs[0]));
  if (called) return called.result({ inputs, scope });
  return isRequired(callee, inputs[0]) ? { kind: "module" } : undefined;
}

/** The function that a call calls. */
export function calledType(callee: s.SyntaxNode, scope: s.Scope): v.FunctionType | undefined {
  const type = scope.types.memberOf(callee, "()", () => functionCalled(callee, scope));
  return type?.kind === "function" ? type : undefined;
}

function functionCalled(node: s.SyntaxNode, scope: s.Scope): v.FunctionType | undefined {
  if (node.type === "MemberExpression") return methodOf(node, scope);
  const type = scope.typeOf(node);
  if (type?.kind === "handler") return HANDLER;
  return type?.kind === "function" ? type : undefined;
}

/** What a handler is given, it consumes. */
const HANDLER: v.FunctionType = v.functionGiving(() => undefined, {
  parameter: (index) => index === 0 ? v.PORT : undefined,
  takesPorts: () => true,
});

function methodOf(callee: s.SyntaxNode, scope: s.Scope): v.FunctionType | undefined {
  const object = s.part(callee, "object");
  const name = s.propertyName(callee);
  const owner = scope.typeOf(object);
  const member = memberType(owner, name);
  if (member?.kind === "function") return member;
  const isGlobal = object.type === "Identifier" && !owner && !scope.resolve(s.word(object, "name"));
  const known = isGlobal ? STATICS[`${s.word(object, "name")}.${name}`] : undefined;
  if (known) return v.functionGiving(({ inputs, scope }) => known(scope.typeOf(inputs[0])));
  if (isGlobal && s.word(object, "name") === "Array") return arrayMaker(name);
  if (name === "reduce" || name === "reduceRight") return reducer();
  return promiseMember(owner, name) ?? eachFunction(name);
}

/** Methods of the language's own objects, by what their first input is. */
const STATICS: Readonly<Record<string, (input: v.Type | undefined) => v.Type | undefined>> = {
  "Object.entries": (input) => v.listOf(valueOf(input), true),
  "Object.freeze": (input) => input,
  "Object.values": (input) => v.listOf(valueOf(input)),
  "Promise.all": (input) => input?.kind === "list" ? input : undefined,
  "Promise.allSettled": (input) => input?.kind === "list" ? v.listOf(settled(input)) : undefined,
  "Promise.any": (input) => input?.kind === "list" ? v.nullable(v.lent(input.element)) : undefined,
  "Promise.race": (input) => input?.kind === "list" ? v.nullable(v.lent(input.element)) : undefined,
  "Promise.resolve": (input) => input,
};

/** `{ status: "fulfilled", value: port }`. */
function settled({ element }: v.ListType): v.Type {
  return { kind: "object", member: (name) => name === "value" ? v.lent(element) : undefined };
}

/** `Array.from(list)` gives the elements, `Array.from(list, f)` what `f` makes of them. */
function arrayMaker(name: string): v.FunctionType | undefined {
  if (name !== "from" && name !== "fromAsync") return undefined;
  return v.functionGiving(({ inputs: [source, change], scope }) => {
    const list = scope.typeOf(source);
    const known = list?.kind === "list" ? list : undefined;
    if (!change) return known;
    const element = known && v.lent(known.element);
    return mapper(element, { schedule: "unknown" }).result({ inputs: [change], scope });
  });
}

/** What the members of an object are that has one kind of them. */
function valueOf(input: v.Type | undefined): v.Type | undefined {
  return input?.kind === "object" ? input.member("") : undefined;
}

/** The methods of a list of which nothing is known still say how often they call. */
function eachFunction(name: string): v.FunctionType | undefined {
  const schedule = "repeated";
  if (name === "map" || name === "flatMap") return mapper(undefined, { schedule });
  if (name !== "forEach") return undefined;
  return v.functionGiving(() => undefined, { callback: { schedule, dropsResult: true } });
}

function isRequired(callee: s.SyntaxNode, input: s.SyntaxNode | undefined): boolean {
  return s.word(callee, "name") === "require" && isLinearModule(`${s.literal(input)}`);
}

/** What `new` makes. */
function newType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const callee = s.bare(s.part(node, "callee"));
  const made = scope.typeOf(callee);
  if (made) return made.kind === "class" ? made.instance : undefined;
  const name = s.word(callee, "name");
  if (name === "DisposableStack" || name === "AsyncDisposableStack") return { kind: "stack" };
  if (name === "Promise") return scope.annotated(s.typeArguments(node)[0]);
  if (name !== "Map" && name !== "Set" && name !== "Array") return undefined;
  return collectionType(node, scope);
}

/** `new Map<string, P>()`, `new Set([port])`. */
function collectionType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const isMap = s.word(s.part(node, "callee"), "name") === "Map";
  const element = scope.annotated(s.typeArguments(node).at(-1));
  if (element) return v.listOf(element, isMap);
  const given = scope.typeOf(s.children(node, "arguments")[0]);
  if (given?.kind !== "list") return undefined;
  const entry = given.element;
  return isMap
    ? v.listOf(entry.kind === "list" ? v.lent(entry.element) : undefined, true)
    : v.listOf(v.lent(entry));
}
