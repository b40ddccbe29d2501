import * as s from "../syntax/syntax.ts";
import { CONTAINERS, isLinearModule, TYPES } from "../syntax/vocabulary.ts";
import * as v from "./value_type.ts";
import {
  assertsTruth,
  interfaceType,
  isNever,
  membersType,
  parameterType,
  signatureType,
} from "./hoist.ts";

/** Annotations that only wrap another one. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "TSNamedTupleMember",
  "TSOptionalType",
  "TSParenthesizedType",
  "TSRestType",
  "TSTypeAnnotation",
  "TSTypeOperator",
]);

export function annotationType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const inner = s.child(node, "typeAnnotation") ?? s.child(node, "elementType");
  if (WRAPPERS.has(node.type)) return scope.annotated(inner);
  switch (node.type) {
    case "TSInterfaceHeritage":
    case "TSTypeReference":
      return referencedType(node, scope);
    case "TSUnionType":
      return unionType(node, scope);
    case "TSIntersectionType":
      return intersectionType(node, scope);
    case "TSArrayType":
      return v.listOf(scope.annotated(inner));
    case "TSTupleType":
      return v.listOf(v.firstOf(s.children(node, "elementTypes"), (one) => scope.annotated(one)));
    case "TSTypeLiteral":
      return membersType(scope, { node, members: s.children(node, "members") });
    case "TSFunctionType":
      return signatureType(node, scope);
    case "TSThisType":
      return scope.thisType;
    case "TSTypeQuery":
      return scope.typeOf(s.child(node, "exprName"));
    case "TSImportType":
      return importedType(node, scope);
    case "TSIndexedAccessType":
      return indexedType(node, scope);
    case "TSLiteralType":
    case "TSBooleanKeyword":
    case "TSNumberKeyword":
    case "TSStringKeyword":
      return v.literalType(node);
    default:
      return undefined;
  }
}

function isNothing({ type }: s.SyntaxNode): boolean {
  return type === "TSUndefinedKeyword" || type === "TSNullKeyword" || type === "TSVoidKeyword";
}

/** A union of one kind, or of one kind and nothing. What else it may be is not followed. */
function unionType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const members = s.children(node, "types");
  const solid = members.filter((one) => !isNothing(one));
  const found = solid.map((one) => scope.annotated(one));
  const first = found[0];
  if (!first || !found.every((one) => one?.kind === first.kind)) return objectIn(found);
  const whole = found.reduce(v.eitherOf, first);
  return solid.length < members.length ? v.nullable(whole) : whole;
}

/** `{ port: P } | string`: whoever reads `port` has looked already. */
function objectIn(found: readonly (v.Type | undefined)[]): v.Type | undefined {
  const objects = found.filter((one) => one?.kind === "object");
  const isMixed = found.some((one) => one && one.kind !== "object");
  return isMixed ? undefined : objects.reduce(v.eitherOf, objects[0]);
}

/** All members of all parts. */
function intersectionType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  return s.children(node, "types").map((one) => scope.annotated(one))
    .reduce((left, right) => left && right ? v.eitherOf(left, right) : left ?? right, undefined);
}

/** `import("./linear/mod.ts").TypedClient`. */
function importedType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const argument = s.child(node, "argument");
  const specifier = s.literal(argument && (s.child(argument, "literal") ?? argument));
  const name = s.child(node, "qualifier");
  if (typeof specifier !== "string" || !name || !isLinearModule(specifier)) return undefined;
  return exportedType({ name: s.word(name, "name"), reference: node, scope });
}

/** `Options["client"]`. */
function indexedType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const object = scope.annotated(s.child(node, "objectType"));
  const index = s.child(node, "indexType");
  const name = s.literal(index && s.child(index, "literal"));
  if (object?.kind === "object" && typeof name === "string") return object.member(name);
  return object?.kind === "list" ? object.element : undefined;
}

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
function referencedType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  const typeName = s.child(node, "typeName") ?? s.child(node, "expression");
  if (!typeName) return undefined;
  if (typeName.type !== "Identifier") return qualifiedType(typeName, { node, scope });
  const name = s.word(typeName, "name");
  const declared = scope.resolveType(name);
  if (declared) return declaredType(declared.node, declared.scope);
  const exported = scope.types.names.exportedName(name);
  if (exported !== undefined) {
    return exportedType({ name: exported, reference: node, scope });
  }
  return builtInType(name, { node, scope });
}

/** The type that a linear module exports under a name. */
function exportedType(
  { name, reference, scope }: {
    readonly name: string;
    readonly reference: s.SyntaxNode;
    readonly scope: s.Scope;
  },
): v.Type | undefined {
  const kind = TYPES.get(name);
  if (kind === "port") return v.linearType(kind);
  if (kind === "client" || kind === "server" || kind === "handler") return { kind };
  const container = CONTAINERS.get(name);
  const held = s.typeArguments(reference).map((one) => scope.annotated(one));
  return container && held.some((one) => one?.kind === "port")
    ? v.linearType(container)
    : undefined;
}

interface Reference {
  readonly node: s.SyntaxNode;
  readonly scope: s.Scope;
}

function qualifiedType(name: s.SyntaxNode, { node, scope }: Reference) {
  const left = s.child(name, "left") ?? s.child(name, "object");
  const right = s.child(name, "right") ?? s.child(name, "property");
  if (!left || !right) return undefined;
  if (scope.types.names.isNamespace(s.word(left, "name"))) {
    return exportedType({ name: s.word(right, "name"), reference: node, scope });
  }
  const inner = scope.types.namespaceScope(left, scope);
  const declared = inner?.ownType(s.word(right, "name"));
  return declared && inner ? declaredType(declared, inner) : undefined;
}

function declaredType(node: s.SyntaxNode, scope: s.Scope): v.Type | undefined {
  switch (node.type) {
    case "TSTypeAliasDeclaration":
      return scope.annotated(s.child(node, "typeAnnotation"));
    case "TSTypeParameter":
      return scope.annotated(s.child(node, "constraint"));
    case "TSInterfaceDeclaration":
      return interfaceType(node, scope);
    case "TSEnumDeclaration":
      return v.enumType(node);
    default: {
      const declared = scope.typeOf(node);
      return declared?.kind === "class" ? declared.instance : undefined;
    }
  }
}

function builtInType(name: string, { node, scope }: Reference): v.Type | undefined {
  const held = s.typeArguments(node).map((one) => scope.annotated(one));
  if (name === "NonNullable") return v.solid(held[0]);
  if (TRANSPARENT.has(name)) return held[0];
  if (PARTS.has(name)) return v.isLinearType(held[0]) ? undefined : held[0];
  if (LISTS.has(name)) return v.listOf(held[0]);
  if (MAPS.has(name)) return v.listOf(held[1], true);
  if (STACKS.has(name)) return { kind: "stack" };
  if (DISPOSABLES.has(name)) return { kind: "disposable" };
  if (name === "Record") return held[1] && { kind: "object", member: () => v.lent(held[1]) };
  const [first] = held;
  if (name === "ReturnType" && first?.kind === "function") {
    return first.result({ inputs: [], scope });
  }
  if (name === "InstanceType" && first?.kind === "class") return first.instance;
  return undefined;
}

/** A function that is written in this file. */
export function functionType(local: s.LocalFunction): v.FunctionType {
  const { node } = local;
  const parameters = s.children(node, "params");
  return {
    kind: "function",
    local,
    isNever: isNever(node),
    isAssertion: assertsTruth(node),
    parameter: (index) => parameterType(parameters, { index, scope: local.ownScope }),
    result: (site) => resultOf(local, site),
  };
}

function resultOf(local: s.LocalFunction, site: v.CallSite): v.Type | undefined {
  const annotation = s.child(local.node, "returnType");
  if (!annotation) return inferredResult(local);
  const annotated = local.ownScope.annotated(annotation);
  const isOpen = !annotated || annotated.kind === "disposable";
  const said = isOpen ? instantiated(local, site) : annotated;
  if (!v.isLinearType(said) || said.isLoan) return said;
  const inferred = inferredResult(local);
  return v.isLinearType(inferred) && inferred.isLoan ? v.lent(said) : said;
}

/** What the body returns; a generator gives what it yields. */
function inferredResult(local: s.LocalFunction): v.Type | undefined {
  const { node } = local;
  const body = s.child(node, "body");
  const scope = local.ownScope;
  if (body?.type !== "BlockStatement") return scope.typeOf(body);
  const statements = everyStatement(s.children(body, "body"), scope);
  if (s.flag(node, "generator")) return v.listOf(yieldedIn(statements));
  const results = statements.flatMap(({ node, scope }) =>
    node.type === "ReturnStatement" ? [scope.typeOf(s.child(node, "argument"))] : []
  );
  return results.length === 0 ? undefined : results.reduce(v.eitherOf);
}

/** The first value of a known type that a generator yields. */
function yieldedIn(statements: readonly PlacedNode[]): v.Type | undefined {
  return v.firstOf(statements, ({ node, scope }) => {
    const expression = s.child(node, "expression");
    const isYield = expression?.type === "YieldExpression" && !s.flag(expression, "delegate");
    return isYield ? scope.typeOf(s.child(expression, "argument")) : undefined;
  });
}

/** The statements of a body and those inside them, without those of functions inside. */
function everyStatement(
  statements: readonly s.SyntaxNode[],
  scope: s.Scope,
): readonly PlacedNode[] {
  const found: PlacedNode[] = statements.map((node) => ({ node, scope }));
  for (const { node, scope } of found) found.push(...statementsIn(node, scope));
  return found;
}

/** The fields of statements that hold statements. */
const BRANCHES = ["consequent", "alternate", "body", "block", "handler", "finalizer"] as const;

interface PlacedNode {
  readonly node: s.SyntaxNode;
  readonly scope: s.Scope;
}

function statementsIn(node: s.SyntaxNode, outer: s.Scope): readonly PlacedNode[] {
  if (!/Statement$|^CatchClause$/.test(node.type)) return [];
  const scope = outer.types.statementScope(node, outer);
  const nested = node.type === "BlockStatement"
    ? s.children(node, "body")
    : BRANCHES.flatMap((field) => s.child(node, field) ?? []);
  const cases = s.children(node, "cases").flatMap((one) => s.children(one, "consequent"));
  return [...nested, ...cases].map((one) => ({ node: one, scope }));
}

/** `function f<T>(value: T): T` gives what it gets. */
function instantiated(
  { node }: s.LocalFunction,
  { inputs, scope }: v.CallSite,
): v.Type | undefined {
  const result = namedType(s.child(node, "returnType"));
  if (result === "") return undefined;
  const index = s.children(node, "params")
    .findIndex((one) => namedType(s.child(one, "typeAnnotation")) === result);
  return index < 0 ? undefined : scope.typeOf(inputs[index]);
}

/** The name that an annotation consists of, also inside `Promise<Name>`. */
function namedType(annotation: s.SyntaxNode | undefined): string {
  const type = annotation && (s.child(annotation, "typeAnnotation") ?? annotation);
  if (type?.type !== "TSTypeReference") return "";
  const name = s.word(s.child(type, "typeName") ?? type, "name");
  const held = s.typeArguments(type);
  return held.length === 0 ? name : name === "Promise" ? namedType(held[0]) : "";
}
