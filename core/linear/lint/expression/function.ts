import { assignPattern } from "./assignment.ts";
import { followExpression } from "./expression.ts";
import type { Flow } from "../flow/flow.ts";
import { Block } from "../flow/graph.ts";
import { type Binding, type LocalFunction, localFunction, Scope } from "../syntax/scope.ts";
import { followStatements } from "../statement/statement.ts";
import { child, children, flag, type SyntaxNode, word } from "../syntax/syntax.ts";
import type { Kind } from "../syntax/vocabulary.ts";

/** Calls within calls that are followed; the cost doubles with each, the use does not. */
const FOLLOWED_CALLS_MAX = 4;

/** What is known of a function from where it stands. */
export interface FunctionContext {
  /** What its first parameter is, when nothing is written there. */
  readonly firstParameter?: Kind;
}

/** Follows a function's body as something that runs at an unknown time, or never. */
export function followFunction(
  flow: Flow,
  local: LocalFunction,
  context: FunctionContext = {},
): void {
  const outside = flow.block;
  const body = flow.branch();
  body.detachedDepth = local.scope.depth + 1;
  flow.block = body;
  followBody(flow, local, { returnTo: new Block(), isFollowed: false, ...context });
  flow.block = outside;
  flow.continueIn(new Block());
}

/** Follows a function that is a value: who gets it may run it, so its captures are released. */
export function followFunctionValue(
  flow: Flow,
  node: SyntaxNode,
  context: FunctionContext = {},
): void {
  const local = localFunction(node, flow.scope);
  followFunction(flow, local, context);
  releaseCaptures(flow, local);
}

/** From here on the function may run: what it consumes may be consumed. */
export function releaseCaptures(flow: Flow, local: LocalFunction | undefined): void {
  if (!local) return;
  for (const binding of reachable(local, "consumes")) {
    flow.emit("release", binding, { node: binding.node });
  }
}

/** Follows a function of this file where it is called, in the state of that point. */
export function followLocalCall(flow: Flow, local: LocalFunction): void {
  flow.noteCall(local);
  if (reachable(local, "touches").size === 0) return;
  const isDeep = flow.following.size >= FOLLOWED_CALLS_MAX;
  if (isDeep || flow.following.has(local) || flag(local.node, "generator")) {
    return releaseCaptures(flow, local);
  }
  followInPlace(flow, local);
}

/** Follows a function's body as if it stood where the call is. */
export function followInPlace(flow: Flow, local: LocalFunction): void {
  const returnTo = new Block();
  flow.following.add(local);
  followBody(flow, local, { returnTo, isFollowed: true });
  flow.following.delete(local);
  flow.block = returnTo;
}

function followBody(
  flow: Flow,
  local: LocalFunction,
  place: FunctionContext & { readonly returnTo: Block; readonly isFollowed: boolean },
): void {
  const { returnTo, isFollowed } = place;
  const { scope } = flow;
  flow.scope = local.scope;
  flow.within({ kind: "function", returnTo, local, isFollowed }, () => {
    const inner = new Scope(local.scope, local.scope.depth + 1);
    flow.withScope(inner, () => followInside(flow, local.node, place), local.node);
    flow.block.next.push(returnTo);
  });
  flow.scope = scope;
}

function followInside(flow: Flow, node: SyntaxNode, context: FunctionContext): void {
  declareParameters(flow, children(node, "params"), context);
  const body = child(node, "body");
  if (body?.type === "BlockStatement") followStatements(flow, children(body, "body"));
  else if (body) followExpression(flow, body, { act: "move", by: "return" });
}

function declareParameters(
  flow: Flow,
  parameters: readonly SyntaxNode[],
  { firstParameter }: FunctionContext,
): void {
  for (const [index, parameter] of parameters.entries()) {
    flow.scope.declare(parameter, "parameter");
    const binding = flow.scope.bindings.get(word(parameter, "name"));
    if (binding && index === 0 && firstParameter && !child(binding.node, "typeAnnotation")) {
      binding.kind = firstParameter;
    }
    assignPattern(flow, parameter, { isDeclaration: true, isGiven: true });
  }
}

/** What a function does to outer names, by itself or through the functions that it calls. */
function reachable(
  local: LocalFunction,
  what: "touches" | "consumes",
  seen = new Set<LocalFunction>(),
): Set<Binding> {
  seen.add(local);
  const found = new Set(local[what]);
  for (const callee of local.calls) {
    if (seen.has(callee)) continue;
    for (const binding of reachable(callee, what, seen)) found.add(binding);
  }
  return found;
}
