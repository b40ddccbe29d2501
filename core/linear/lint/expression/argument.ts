import { followExpression } from "./expression.ts";
import { type Demand, ESCAPE, type Flow, USE } from "../flow/flow.ts";
import { followFunction, handOver } from "../function/function.ts";
import type { Call } from "../flow/graph.ts";
import { placeOf } from "../flow/place.ts";
import { Binding, type LocalFunction } from "../syntax/scope.ts";
import { bare, child, children, isFunction, type SyntaxNode, word } from "../syntax/syntax.ts";
import { LISTENERS } from "../syntax/vocabulary.ts";
import { teachContext } from "../types/context.ts";
import { returnType } from "../value/shape.ts";
import { type FunctionType, isLinearType, type Schedule, type Type } from "../value/value_type.ts";

/** What is known of a call whose inputs are followed. */
export interface CallContext {
  readonly called: FunctionType | undefined;
  /** The function's name, for messages. */
  readonly name: string;
  /** What becomes of a port that goes to code that is not known. */
  readonly otherwise: Demand;
  /** When functions that are given run, where the name of the called function tells. */
  readonly schedule?: Schedule | undefined;
  /** Whether the call is left out where there is no function: `f?.(port)`. */
  readonly isOptional?: boolean;
}

type References = Call["references"][number][];

/** What comes of the inputs of a call. */
export interface Arguments {
  /** The parameters that stand for names of the caller. */
  readonly references: Call["references"];
  /** Runs the functions that were given, or says that they may run. */
  readonly runFunctions: () => void;
}

/** Follows the inputs of a call. */
export function followArguments(flow: Flow, node: SyntaxNode, context: CallContext): Arguments {
  const references: References = [];
  const functions: LocalFunction[] = [];
  for (const [index, input] of children(node, "arguments").entries()) {
    if (input.type === "Literal") continue;
    const local = functionGiven(flow, input);
    const argument = { context, input, index };
    if (local) {
      giveFunction(flow, local, { ...argument, isFirst: functions.length === 0 });
      functions.push(local);
    } else followArgument(flow, argument, references);
  }
  const schedule = context.schedule ?? context.called?.callback?.schedule ?? "unknown";
  const runFunctions = () => functions.forEach((local) => handOver(flow, local, schedule));
  return { references, runFunctions };
}

interface Argument {
  readonly context: CallContext;
  readonly input: SyntaxNode;
  readonly index: number;
}

/** The function of this file that an input is. */
function functionGiven(flow: Flow, input: SyntaxNode): LocalFunction | undefined {
  const type = flow.typeOf(input);
  return type?.kind === "function" ? type.local : undefined;
}

/** Tells a function that is given what it will be called with. */
function giveFunction(
  flow: Flow,
  local: LocalFunction,
  { context, input, index, isFirst }: Argument & { readonly isFirst: boolean },
): void {
  const { called, name, schedule } = context;
  const callback = called?.callback;
  const type = flow.typeOf(input);
  if (callback?.input && isFirst && type?.kind === "function") {
    flow.types.teachInput(type, callback.input);
  }
  if (callback?.isHandler) flow.types.teachUse(local, "isHandler");
  const isListener = LISTENERS.has(name.slice(name.lastIndexOf(".") + 1));
  const isDropped = callback ? callback.dropsResult : isListener || schedule === "later";
  if (isDropped) flow.types.teachUse(local, "dropsResult");
  teachContext(flow.types, input, { expected: called?.parameter(index), scope: flow.scope });
  if (isFunction(bare(input)) && callback?.schedule !== "once") followFunction(flow, local);
}

function followArgument(flow: Flow, argument: Argument, references: References): void {
  const { input, index, context: { called, name } } = argument;
  const expected = called?.parameter(index);
  teachContext(flow.types, input, { expected, scope: flow.scope });
  const local = called?.local;
  const type = flow.typeOf(input);
  if (!local || !isLinearType(type)) {
    if (local && !expected && isSource(type)) {
      flow.types.teach(local, index, { type, isReference: false, isGiven: false });
    }
    const isDisposed = expected?.kind === "disposable" && isLinearType(type);
    if (isDisposed) return disposeLater(flow, input);
    return followExpression(flow, input, demandElsewhere(argument, type));
  }
  if (returnType(local.node) === "TSTypePredicate") return followExpression(flow, input, USE);
  if (isLinearType(expected)) {
    teachGiven(flow, local, argument);
    return followExpression(flow, input, { act: "move", by: `${name}()` });
  }
  refer(flow, local, { ...argument, type }, references);
}

/** What becomes of an input of a function that is not written here. */
function demandElsewhere({ index, context }: Argument, type: Type | undefined): Demand {
  const { called, name, otherwise } = context;
  if (called?.isGuard) return USE;
  const isTaken = isLinearType(type) && isLinearType(called?.parameter(index)) &&
    !called.local && !context.isOptional && called.takesPorts?.();
  return isTaken ? { act: "move", by: `${name}()` } : otherwise;
}

/** To dispose of a port is right in any state. */
function disposeLater(flow: Flow, input: SyntaxNode): void {
  const place = placeOf(flow, input);
  if (place) flow.emit("release", place.binding, { node: place.node });
  else followExpression(flow, input, ESCAPE);
}

/** Whether ports come from a value, so that a parameter without a type is worth knowing. */
function isSource(type: Type | undefined): type is Type {
  const kind = type?.kind === "list" ? type.element.kind : type?.kind;
  return kind === "client" || kind === "server" || (kind === "port" && type?.kind === "list");
}

/** A helper of a handler may throw like the handler. */
function teachGiven(flow: Flow, local: LocalFunction, { input, index }: Argument): void {
  const type = flow.typeOf(input);
  if (type && rootBinding(flow, input)?.isGiven) {
    flow.types.teach(local, index, { type, isReference: false, isGiven: true });
  }
}

/** The name that a chain of operations begins with: `port` of `port.send().recv()`. */
export function rootBinding(flow: Flow, expression: SyntaxNode): Binding | undefined {
  let node = bare(expression);
  for (;;) {
    const inner = child(node, "callee") ?? child(node, "object") ?? child(node, "argument");
    if (!inner || node.type === "NewExpression") break;
    node = bare(inner);
  }
  return node.type === "Identifier" ? flow.scope.resolve(word(node, "name")) : undefined;
}

/** A function that does not say that it takes a port works on that of its caller. */
function refer(
  flow: Flow,
  local: LocalFunction,
  { input, index, context: { name, otherwise }, type }: Argument & { readonly type: Type },
  references: References,
): void {
  const parameter = parameterNamed(flow, local, index);
  const known = local.inputs[index]?.type.kind;
  if (!parameter || (known !== undefined && known !== type.kind)) {
    const pattern = children(local.node, "params")[index]?.type;
    return followExpression(flow, input, pattern === "ObjectPattern" ? USE : otherwise);
  }
  const place = placeOf(flow, input);
  const isGiven = rootBinding(flow, input)?.isGiven === true;
  flow.types.teach(local, index, { type, isReference: true, isGiven });
  if (place?.inside) flow.emit("use", place.binding, { node: place.node, inside: true, by: name });
  const argument = place?.binding ?? holdTemporary(flow, input, type);
  flow.lend(argument);
  references.push([parameter, argument]);
}

/** The parameter, when it is one name. */
function parameterNamed(flow: Flow, local: LocalFunction, index: number): Binding | undefined {
  const pattern = children(local.node, "params")[index];
  const id = pattern?.type === "AssignmentPattern" ? child(pattern, "left") : pattern;
  if (id?.type !== "Identifier") return undefined;
  return flow.types.functionScope(local).bindings.get(word(id, "name"));
}

/** A value without a name gets one for the time of a call. */
function holdTemporary(flow: Flow, input: SyntaxNode, type: Type): Binding {
  const binding = new Binding(input, { scope: flow.scope, declaredAs: "temporary" });
  binding.type = type;
  followExpression(flow, input, { act: "move", by: "the call" });
  const isLoan = isLinearType(type) && type.isLoan;
  flow.emit("define", binding, { node: input, isLoan });
  return binding;
}
