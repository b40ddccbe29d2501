import { followCondition } from "./condition.ts";
import { followExpression } from "./expression.ts";
import { type Demand, ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { followFunctionValue, followInPlace, followLocalCall } from "./function.ts";
import { Block } from "../flow/graph.ts";
import { placeOf } from "../flow/place.ts";
import { type LocalFunction, localFunction } from "../syntax/scope.ts";
import {
  bare,
  child,
  children,
  isFunction,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import {
  CONSUMERS,
  ENDINGS,
  isLinear,
  PORT_GIVERS,
  PROMISE_METHODS,
} from "../syntax/vocabulary.ts";

/** `f(...)`, in all its forms. */
export function followCall(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const callee = bare(part(node, "callee"));
  const inputs = children(node, "arguments");
  if (callee.type === "MemberExpression") followMethodCall(flow, callee, inputs);
  else if (flow.kinds.names.isMove(callee)) followInputs(flow, inputs, () => by("move()"));
  else if (isFunction(callee)) followImmediate(flow, callee, inputs);
  else followNamedCall(flow, callee, inputs);
  if (!isClose(flow, callee)) flow.mayThrow();
  if (ENDINGS.has(calleeName(callee))) return flow.stop();
  flow.dropTemporary(node, flow.kindOf(node), demand);
}

/** Closing a port is the one operation that cannot fail. */
function isClose(flow: Flow, callee: SyntaxNode): boolean {
  if (callee.type !== "MemberExpression" || propertyName(callee) !== "close") return false;
  return flow.kindOf(child(callee, "object")) === "port";
}

/** `new C(...)`. */
export function followNew(flow: Flow, node: SyntaxNode): void {
  followExpression(flow, part(node, "callee"), LOOK);
  followInputs(flow, children(node, "arguments"), () => ESCAPE);
  flow.mayThrow();
}

function by(name: string): Demand {
  return { act: "move", by: name };
}

function followInputs(
  flow: Flow,
  inputs: readonly SyntaxNode[],
  demandOf: (index: number) => Demand,
): void {
  for (const [index, input] of inputs.entries()) followExpression(flow, input, demandOf(index));
}

function calleeName(callee: SyntaxNode): string {
  if (callee.type !== "MemberExpression") return word(callee, "name");
  return `${word(part(callee, "object"), "name")}.${propertyName(callee)}`;
}

/** `port.send()`, `server.register(opcode, handler)`, `console.log(port)`. */
function followMethodCall(
  flow: Flow,
  callee: SyntaxNode,
  inputs: readonly SyntaxNode[],
): void {
  const object = part(callee, "object");
  const name = propertyName(callee);
  const place = placeOf(flow, object);
  if (!place) return followOthersMethod(flow, { object, name }, inputs);
  followInputs(flow, inputs, () => ESCAPE);
  const isEnd = place.kind === "port" && CONSUMERS.has(name);
  const act = isEnd ? "move" : PROMISE_METHODS.has(name) ? "escape" : "use";
  flow.emit(act, place.binding, { node: place.node, inside: place.inside, by: `${name}()` });
}

function followOthersMethod(
  flow: Flow,
  { object, name }: { readonly object: SyntaxNode; readonly name: string },
  inputs: readonly SyntaxNode[],
): void {
  const kind = flow.kindOf(object);
  const isEnd = kind === "port" && CONSUMERS.has(name);
  const isPromise = kind === "port" && PROMISE_METHODS.has(name);
  followExpression(flow, object, isEnd ? by(`${name}()`) : isPromise ? ESCAPE : LOOK);
  const isReader = word(object, "name") === "console";
  const givesPort = kind === "server" && PORT_GIVERS.has(name);
  for (const input of inputs) {
    const handler = givesPort && isFunction(bare(input));
    if (handler) followFunctionValue(flow, bare(input), { firstParameter: "port" });
    else followExpression(flow, input, isReader ? USE : ESCAPE);
  }
}

/** `(() => { ... })()`. */
function followImmediate(flow: Flow, callee: SyntaxNode, inputs: readonly SyntaxNode[]): void {
  followInputs(flow, inputs, () => ESCAPE);
  followInPlace(flow, localFunction(callee, flow.scope));
}

function followNamedCall(flow: Flow, callee: SyntaxNode, inputs: readonly SyntaxNode[]): void {
  const name = word(callee, "name");
  const local = flow.scope.resolve(name)?.localFunction;
  if (local) {
    const demands = { yes: by(`${name}()`), no: USE, unknown: ESCAPE };
    followInputs(flow, inputs, (index) => demands[takesPort(flow, local, index)]);
    followLocalCall(flow, local);
    if (returnedType(local) === "TSNeverKeyword") flow.stop();
    return;
  }
  if (name === "assert" && inputs[0]) return followAssertion(flow, inputs);
  followExpression(flow, callee, LOOK);
  followInputs(flow, inputs, () => name.startsWith("assert") ? USE : ESCAPE);
}

/** The kind of type that a function says it returns. */
function returnedType(local: LocalFunction): string {
  const annotation = child(local.node, "returnType");
  return (annotation && child(annotation, "typeAnnotation")?.type) ?? "";
}

/**
 * Ownership goes to a parameter that is written as a port; any other type only borrows, and so does
 * a function that answers `value is Type`.
 */
function takesPort(
  flow: Flow,
  local: LocalFunction,
  index: number,
): "yes" | "no" | "unknown" {
  const parameter = children(local.node, "params")[index];
  const annotation = parameter && child(parameter, "typeAnnotation");
  if (!annotation) return "unknown";
  const isPort = isLinear(flow.kinds.names.annotatedKind(annotation));
  return isPort && returnedType(local) !== "TSTypePredicate" ? "yes" : "no";
}

/** What runs after `assert(condition)` may count on the condition. */
function followAssertion(flow: Flow, inputs: readonly SyntaxNode[]): void {
  const yes = new Block();
  followCondition(flow, inputs[0]!, { yes, no: new Block() });
  flow.block = yes;
  followInputs(flow, inputs.slice(1), () => ESCAPE);
}
