import type { Scope } from "../syntax/scope.ts";
import {
  bare,
  child,
  children,
  literal,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { isLinearModule } from "../syntax/vocabulary.ts";
import { mapper, memberType, promiseMember, reducer } from "./member.ts";
import {
  functionGiving,
  type FunctionType,
  lent,
  listOf,
  type ListType,
  nullable,
  PORT,
  solid,
  type Type,
} from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** What a call gives. */
export function callType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const inputs = children(node, "arguments");
  const callee = bare(part(node, "callee"));
  const called = calledType(types, callee, scope);
  if (called?.isMove) return solid(types.of(inputs[0], scope));
  if (called) return called.result({ inputs, scope });
  return isRequired(callee, inputs[0]) ? { kind: "module" } : undefined;
}

/** The function that a call calls. */
export function calledType(
  types: Inference,
  callee: SyntaxNode,
  scope: Scope,
): FunctionType | undefined {
  const type = types.memberOf(callee, "()", () => functionCalled(types, callee, scope));
  return type?.kind === "function" ? type : undefined;
}

function functionCalled(
  types: Inference,
  node: SyntaxNode,
  scope: Scope,
): FunctionType | undefined {
  if (node.type === "MemberExpression") return methodOf(types, node, scope);
  const type = types.of(node, scope);
  if (type?.kind === "handler") return HANDLER;
  return type?.kind === "function" ? type : undefined;
}

/** What a handler is given, it consumes. */
const HANDLER: FunctionType = functionGiving(() => undefined, {
  parameter: (index) => index === 0 ? PORT : undefined,
  takesPorts: () => true,
});

function methodOf(types: Inference, callee: SyntaxNode, scope: Scope): FunctionType | undefined {
  const object = part(callee, "object");
  const name = propertyName(callee);
  const owner = types.of(object, scope);
  const member = owner && memberType(types, owner, name);
  if (member?.kind === "function") return member;
  const isGlobal = object.type === "Identifier" && !owner && !scope.resolve(word(object, "name"));
  const known = isGlobal ? STATICS[`${word(object, "name")}.${name}`] : undefined;
  if (known) return functionGiving(({ inputs, scope }) => known(types.of(inputs[0], scope)));
  if (isGlobal && word(object, "name") === "Array") return arrayMaker(types, name);
  if (name === "reduce" || name === "reduceRight") return reducer(types);
  return promiseMember(types, owner, name) ?? eachFunction(types, name);
}

/** Methods of the language's own objects, by what their first input is. */
const STATICS: Readonly<Record<string, (input: Type | undefined) => Type | undefined>> = {
  "Object.entries": (input) => listOf(valueOf(input), true),
  "Object.freeze": (input) => input,
  "Object.values": (input) => listOf(valueOf(input)),
  "Promise.all": (input) => input?.kind === "list" ? input : undefined,
  "Promise.allSettled": (input) => input?.kind === "list" ? listOf(settled(input)) : undefined,
  "Promise.any": (input) => input?.kind === "list" ? nullable(lent(input.element)) : undefined,
  "Promise.race": (input) => input?.kind === "list" ? nullable(lent(input.element)) : undefined,
  "Promise.resolve": (input) => input,
};

/** `{ status: "fulfilled", value: port }`. */
function settled({ element }: ListType): Type {
  return { kind: "object", member: (name) => name === "value" ? lent(element) : undefined };
}

/** `Array.from(list)` gives the elements, `Array.from(list, f)` what `f` makes of them. */
function arrayMaker(types: Inference, name: string): FunctionType | undefined {
  if (name !== "from" && name !== "fromAsync") return undefined;
  return functionGiving(({ inputs: [source, change], scope }) => {
    const list = types.of(source, scope);
    const known = list?.kind === "list" ? list : undefined;
    if (!change) return known;
    const element = known && lent(known.element);
    return mapper(types, element, { schedule: "unknown" }).result({ inputs: [change], scope });
  });
}

/** What the members of an object are that has one kind of them. */
function valueOf(input: Type | undefined): Type | undefined {
  return input?.kind === "object" ? input.member("") : undefined;
}

/** The methods of a list of which nothing is known still say how often they call. */
function eachFunction(types: Inference, name: string): FunctionType | undefined {
  const schedule = "repeated";
  if (name === "map" || name === "flatMap") return mapper(types, undefined, { schedule });
  if (name !== "forEach") return undefined;
  return functionGiving(() => undefined, { callback: { schedule, dropsResult: true } });
}

function isRequired(callee: SyntaxNode, input: SyntaxNode | undefined): boolean {
  return word(callee, "name") === "require" && isLinearModule(`${literal(input)}`);
}

/** What `new` makes. */
export function newType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const callee = bare(part(node, "callee"));
  const made = types.of(callee, scope);
  if (made) return made.kind === "class" ? made.instance : undefined;
  const name = word(callee, "name");
  if (name === "DisposableStack" || name === "AsyncDisposableStack") return { kind: "stack" };
  if (name === "Promise") return promisedType(types, node, scope);
  if (name !== "Map" && name !== "Set" && name !== "Array") return undefined;
  return collectionType(types, node, scope);
}

/** `new Promise<P>(...)`. */
function promisedType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const held = child(node, "typeArguments");
  return held && types.annotated(children(held, "params")[0], scope);
}

/** `new Map<string, P>()`, `new Set([port])`. */
function collectionType(types: Inference, node: SyntaxNode, scope: Scope): Type | undefined {
  const held = child(node, "typeArguments");
  const isMap = word(part(node, "callee"), "name") === "Map";
  const element = held && types.annotated(children(held, "params").at(-1), scope);
  if (element) return listOf(element, isMap);
  const given = types.of(children(node, "arguments")[0], scope);
  if (given?.kind !== "list") return undefined;
  const entry = given.element;
  return isMap
    ? listOf(entry.kind === "list" ? lent(entry.element) : undefined, true)
    : listOf(lent(entry));
}
