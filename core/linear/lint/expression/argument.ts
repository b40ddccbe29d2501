import { type Demand, ESCAPE, type Flow, USE } from "../flow/flow.ts";
import { type Place, placeOf } from "../flow/place.ts";
import type { Call } from "../flow/graph.ts";
import { followFunction, handOver } from "../statement/function.ts";
import { ts } from "../program/compiler.ts";
import { Binding, type LocalFunction } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { LISTENERS } from "../syntax/vocabulary.ts";
import { listUse } from "../types/list.ts";
import { treatmentOf } from "../types/callback.ts";
import { type Called, isLinearType, type Schedule, type Type } from "../types/value_type.ts";

/** What is known of a call whose inputs are followed. */
export interface CallContext {
  readonly called: Called | undefined;
  /** The function's name, for messages. */
  readonly name: string;
  /** What becomes of a port that goes to code that is not known. */
  readonly otherwise: Demand;
  /** When functions that are given run, where the name of the called function tells. */
  readonly schedule?: Schedule | undefined;
  /** Whether the call is left out where there is no function: `f?.(port)`. */
  readonly isOptional?: boolean;
  /** Whether nobody takes what the call gives. */
  readonly isDropped?: boolean;
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
export function followArguments(
  flow: Flow,
  node: ts.CallExpression | ts.NewExpression,
  context: CallContext,
): Arguments {
  const references: References = [];
  const functions: LocalFunction[] = [];
  for (const [index, input] of (node.arguments ?? []).entries()) {
    if (ts.isLiteralExpression(input)) continue;
    const local = functionGiven(flow, input);
    const argument = { context, input, index };
    if (local) {
      giveFunction(flow, local, argument);
      functions.push(local);
    } else followArgument(flow, argument, references);
  }
  const schedule = context.schedule ?? context.called?.callback?.schedule ?? "unknown";
  const runFunctions = () => functions.forEach((local) => handOver(flow, local, schedule));
  return { references, runFunctions };
}

interface Argument {
  readonly context: CallContext;
  readonly input: ts.Node;
  readonly index: number;
}

/** The function of this file that an input is. */
export function functionGiven(flow: Flow, input: ts.Node): LocalFunction | undefined {
  const type = flow.typeOf(input);
  return type?.kind === "function" ? type.local : undefined;
}

/** Tells a function that is given what it will be called with. */
function giveFunction(
  flow: Flow,
  local: LocalFunction,
  { context, input }: Argument,
): void {
  const { called, name, schedule } = context;
  const callback = called?.callback;
  const givesResults = callback?.schedule === "repeated" && context.isDropped === true;
  if (treatmentOf(flow.types.file, s.bare(input)) === "serves") {
    flow.types.teachUse(local, "isHandler");
  }
  const isListener = LISTENERS.has(name.slice(name.lastIndexOf(".") + 1));
  const isDropped = callback ? callback.dropsResult : isListener || schedule === "later";
  if (isDropped || givesResults) flow.types.teachUse(local, "dropsResult");
  if (s.isFunction(s.bare(input)) && callback?.schedule !== "once") followFunction(flow, local);
}

function followArgument(flow: Flow, argument: Argument, references: References): void {
  const { input, index, context: { called, name, otherwise } } = argument;
  const expected = called?.parameter(index);
  const local = called?.local;
  const type = flow.typeOf(input);
  if (!local || !isLinearType(type)) {
    const isDisposed = expected?.kind === "disposable" && isLinearType(type);
    const place = isDisposed ? placeOf(flow, input) : undefined;
    // To dispose of a port is right in any state.
    if (place) return release(flow, place, otherwise.into);
    return flow.follow(input, isDisposed ? ESCAPE : demandElsewhere(argument, type));
  }
  if (s.isGuard(local.node)) return flow.follow(input, USE);
  if (called?.onlyLooksAt(index)) return flow.follow(input, USE);
  if (isLinearType(expected)) {
    teachGiven(flow, local, argument);
    return flow.follow(input, { act: "move", by: `${name}()` });
  }
  refer(flow, local, { ...argument, type }, references);
}

/** A stack has it, or somebody of whom nothing is known. */
function release(flow: Flow, { binding, node }: Place, list: Binding | undefined): void {
  if (list && listUse(flow.types.file, list) === "local") return flow.hold(binding, list, node);
  flow.emit("release", binding, { node });
}

/** What becomes of an input of a function that is not written here. */
function demandElsewhere({ index, context }: Argument, type: Type | undefined): Demand {
  const { called, name, otherwise } = context;
  if (called?.isGuard) return USE;
  const isTaken = isLinearType(type) && isLinearType(called?.parameter(index)) &&
    !called.local && !context.isOptional && called.takesPorts;
  if (isLinearType(type) && called?.onlyLooksAt(index)) return USE;
  return isTaken ? { act: "move", by: `${name}()` } : otherwise;
}

/** A helper of a handler may throw like the handler. */
function teachGiven(flow: Flow, local: LocalFunction, { input, index }: Argument): void {
  const type = flow.typeOf(input);
  if (type && rootBinding(flow, input)?.isGiven) {
    flow.types.teach(local, index, { type, isReference: false, isGiven: true });
  }
}

/** The name that a chain of operations begins with: `port` of `port.send().recv()`. */
export function rootBinding(flow: Flow, expression: ts.Node): Binding | undefined {
  let node = s.bare(expression);
  while (ts.isCallExpression(node) || s.isAccess(node) || ts.isAwaitExpression(node)) {
    node = s.bare(node.expression);
  }
  return flow.bindingOf(node);
}

/** A function that does not say that it takes a port works on that of its caller. */
function refer(
  flow: Flow,
  local: LocalFunction,
  { input, index, context: { name, otherwise }, type }: Argument & { readonly type: Type },
  references: References,
): void {
  const parameter = parameterNamed(local, index);
  const known = local.inputs[index]?.type.kind;
  if (!parameter || (known !== undefined && known !== type.kind)) {
    const pattern = s.parametersOf(local.node)[index]?.name;
    return flow.follow(input, pattern && ts.isObjectBindingPattern(pattern) ? USE : otherwise);
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
function parameterNamed(local: LocalFunction, index: number): Binding | undefined {
  const parameter = s.parametersOf(local.node)[index];
  const isOne = parameter && !parameter.dotDotDotToken && ts.isIdentifier(parameter.name);
  return isOne ? local.scope.bindings.get(parameter.name) : undefined;
}

/** A value without a name gets one for the time of a call. */
function holdTemporary(flow: Flow, input: ts.Node, type: Type): Binding {
  const binding = new Binding(input, { scope: flow.scope, declaredAs: "temporary" });
  binding.type = type;
  flow.follow(input, { act: "move", by: "the call" });
  const isLoan = isLinearType(type) && type.isLoan;
  flow.emit("define", binding, { node: input, isLoan });
  return binding;
}
