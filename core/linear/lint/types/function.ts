import type { LocalFunction, Scope } from "../syntax/scope.ts";
import { child, children, flag, type SyntaxNode, word } from "../syntax/syntax.ts";
import { assertsTruth, isNever, parameterType } from "../value/shape.ts";
import {
  type CallSite,
  eitherOf,
  type FunctionType,
  isLinearType,
  lent,
  listOf,
  type Type,
} from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** A function that is written in this file. */
export function functionType(types: Inference, local: LocalFunction): FunctionType {
  const { node } = local;
  const parameters = children(node, "params");
  return {
    kind: "function",
    local,
    isNever: isNever(node),
    isAssertion: assertsTruth(node),
    parameter: (index) =>
      parameterType(types, parameters, { index, scope: types.functionScope(local) }),
    result: (site) => resultOf(types, local, site),
  };
}

function resultOf(types: Inference, local: LocalFunction, site: CallSite): Type | undefined {
  const annotation = child(local.node, "returnType");
  if (!annotation) return inferredResult(types, local);
  const annotated = types.annotated(annotation, types.functionScope(local));
  const isOpen = !annotated || annotated.kind === "disposable";
  const said = isOpen ? instantiated(types, local, site) : annotated;
  if (!isLinearType(said) || said.isLoan) return said;
  const inferred = inferredResult(types, local);
  return isLinearType(inferred) && inferred.isLoan ? lent(said) : said;
}

/** What the body returns; a generator gives what it yields. */
function inferredResult(types: Inference, local: LocalFunction): Type | undefined {
  const { node } = local;
  const body = child(node, "body");
  const scope = types.functionScope(local);
  if (body?.type !== "BlockStatement") return types.of(body, scope);
  const statements = everyStatement(types, children(body, "body"), scope);
  if (flag(node, "generator")) return listOf(yieldedIn(types, statements));
  const results = statements.flatMap(({ node, scope }) =>
    node.type === "ReturnStatement" ? [types.of(child(node, "argument"), scope)] : []
  );
  return results.length === 0 ? undefined : results.reduce(eitherOf);
}

/** The first value of a known type that a generator yields. */
function yieldedIn(types: Inference, statements: readonly PlacedNode[]): Type | undefined {
  for (const { node, scope } of statements) {
    const expression = child(node, "expression");
    const isYield = expression?.type === "YieldExpression" && !flag(expression, "delegate");
    const type = isYield ? types.of(child(expression, "argument"), scope) : undefined;
    if (type) return type;
  }
  return undefined;
}

/** The statements of a body and those inside them, without those of functions inside. */
function everyStatement(
  types: Inference,
  statements: readonly SyntaxNode[],
  scope: Scope,
): readonly PlacedNode[] {
  const found: PlacedNode[] = statements.map((node) => ({ node, scope }));
  for (const { node, scope } of found) found.push(...statementsIn(types, node, scope));
  return found;
}

/** The fields of statements that hold statements. */
const BRANCHES = ["consequent", "alternate", "body", "block", "handler", "finalizer"] as const;

interface PlacedNode {
  readonly node: SyntaxNode;
  readonly scope: Scope;
}

function statementsIn(types: Inference, node: SyntaxNode, outer: Scope): readonly PlacedNode[] {
  if (!/Statement$|^CatchClause$/.test(node.type)) return [];
  const scope = types.statementScope(node, outer);
  const nested = node.type === "BlockStatement"
    ? children(node, "body")
    : BRANCHES.flatMap((field) => child(node, field) ?? []);
  const cases = children(node, "cases").flatMap((one) => children(one, "consequent"));
  return [...nested, ...cases].map((one) => ({ node: one, scope }));
}

/** `function f<T>(value: T): T` gives what it gets. */
function instantiated(
  types: Inference,
  { node }: LocalFunction,
  { inputs, scope }: CallSite,
): Type | undefined {
  const result = namedType(child(node, "returnType"));
  if (result === "") return undefined;
  const index = children(node, "params")
    .findIndex((one) => namedType(child(one, "typeAnnotation")) === result);
  return index < 0 ? undefined : types.of(inputs[index], scope);
}

/** The name that an annotation consists of, also inside `Promise<Name>`. */
function namedType(annotation: SyntaxNode | undefined): string {
  const type = annotation && (child(annotation, "typeAnnotation") ?? annotation);
  if (type?.type !== "TSTypeReference") return "";
  const name = word(child(type, "typeName") ?? type, "name");
  const held = child(type, "typeArguments");
  return held && name === "Promise" ? namedType(children(held, "params")[0]) : held ? "" : name;
}
