import { equalityCheck, followCondition, tell } from "./condition.ts";
import {
  callProcedure,
  type Demand,
  ESCAPE,
  type Flow,
  KEEP,
  LOOK,
  placeOf,
  USE,
} from "../flow/flow.ts";
import { followFunction, handOver, procedureOf } from "../statement/function.ts";
import * as s from "../syntax/syntax.ts";
import { type Called, isLinearType, type Schedule, type Type } from "../types/value_type.ts";
import {
  CONSUMERS,
  DISPOSE,
  ENDINGS,
  KEEPERS,
  LISTENERS,
  READERS,
  SCHEDULERS,
  STORES,
  USERS,
} from "../syntax/vocabulary.ts";
import type { Call } from "../flow/graph.ts";
import { keptFinding } from "../finding.ts";

/** A call while it is followed. */
interface Calling {
  readonly node: s.SyntaxNode;
  readonly callee: s.SyntaxNode;
  /** What is known of the function; absent when nothing is. */
  readonly called: Called | undefined;
  readonly demand: Demand;
}

/** `f(...)`, in all its forms. */
export function followCall(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  const callee = s.bare(s.part(node, "callee"));
  const called = flow.types.calledAt(node, flow.scope);
  const calling = { node, callee, called, demand };
  if (called?.isMove) followMove(flow, s.children(node, "arguments"));
  else if (callee.type === "MemberExpression") followMethodCall(flow, calling);
  else followNamedCall(flow, calling);
  if (!isSafe(flow, node, callee)) flow.mayThrow();
  if (called?.isNever || ENDINGS.has(calleeName(callee))) return flow.stop();
  const root = demand.isKept && flow.currentFunction?.isHandler && rootBinding(flow, node);
  if (root && root.isGiven && isLinearType(flow.typeOf(node))) {
    flow.emitFault(keptFinding(node, root, "call"));
  }
  if (!isCopied(flow, callee)) flow.dropTemporary(node, flow.typeOf(node), demand);
}

/** `pending.catch(report)` gives a second promise; the port can still be had from the first. */
function isCopied(flow: Flow, callee: s.SyntaxNode): boolean {
  if (callee.type !== "MemberExpression") return false;
  const name = s.propertyName(callee);
  const isPromise = name === "catch" || name === "finally";
  return isPromise && placeOf(flow, s.part(callee, "object")) !== undefined;
}

function followMove(flow: Flow, inputs: readonly s.SyntaxNode[]): void {
  for (const input of inputs) flow.follow(input, by("move()"));
}

/** Closing a port cannot fail, nor can sending it, unless the work on it does. */
function isSafe(flow: Flow, node: s.SyntaxNode, callee: s.SyntaxNode): boolean {
  if (callee.type !== "MemberExpression") return false;
  const name = s.propertyName(callee);
  const isSend = name === "send" && s.children(node, "arguments").length === 0;
  return (name === "close" || isSend) && flow.typeOf(s.part(callee, "object"))?.kind === "port";
}

function by(name: string): Demand {
  return { act: "move", by: name };
}

/** The name of what is called, as a program writes it: `f`, `console.log`. */
function calleeName(callee: s.SyntaxNode): string {
  if (callee.type !== "MemberExpression") return s.word(callee, "name");
  return `${s.word(s.part(callee, "object"), "name")}.${s.propertyName(callee)}`;
}

/** `port.send()`, `server.operatePort(opcode, handler)`, `console.log(port)`. */
function followMethodCall(flow: Flow, calling: Calling): void {
  const { callee } = calling;
  const object = s.part(callee, "object");
  const name = s.propertyName(callee);
  const place = placeOf(flow, object);
  if (!place) {
    flow.follow(object, ownerDemand(flow, object, name));
    if (name === "") flow.follow(s.part(callee, "property"), LOOK);
    return followInputs(flow, calling);
  }
  const act = methodAct(name, place.kind === "port");
  const { binding, inside, node } = place;
  const by = name === DISPOSE ? "[Symbol.dispose]()" : `${name}()`;
  const happen = () => flow.emit(act, binding, { node, inside, by });
  if (act === "move") return followInputs(flow, calling, happen); // whatever its functions throw
  followInputs(flow, calling);
  happen();
}

/** A method that ports do not have is one of something else, which the port was said to be. */
function methodAct(name: string, isPort: boolean) {
  if (name === DISPOSE) return "dispose";
  if (name === "then" || (isPort && CONSUMERS.has(name))) return "move";
  return !isPort || USERS.has(name) ? "use" : "escape";
}

/** What the object of a method is wanted for, when no name holds it. */
function ownerDemand(flow: Flow, object: s.SyntaxNode, name: string): Demand {
  if (!isLinearType(flow.typeOf(object))) return LOOK;
  const isEnd = CONSUMERS.has(name) || name === DISPOSE || name === "then";
  return isEnd ? by(`${name}()`) : name === "catch" || name === "finally" ? ESCAPE : LOOK;
}

/** The inputs of a call, and what the function does to the names around it. */
function followInputs(
  flow: Flow,
  { node, callee, called, demand }: Calling,
  beforeFunctions: () => void = () => {},
): void {
  const name = calleeName(callee);
  if (CONDITIONS.has(name) || called?.isAssertion) return followAsserted(flow, node);
  if (name === "assertFalse") return followAsserted(flow, node, false);
  if (followEquality(flow, node, name)) return;
  const isReader = READERS.has(name) || /^(?:console\.|assert)/.test(name);
  const { references, runFunctions } = followArguments(flow, node, {
    called,
    name,
    otherwise: isReader ? USE : isKeeper(callee) ? keptIn(flow, callee) : ESCAPE,
    schedule: scheduleOf(flow, { callee, demand }),
    isOptional: s.flag(node, "optional") || s.flag(callee, "optional"),
  });
  beforeFunctions();
  runFunctions();
  if (called?.local) followBody(flow, node, { local: called.local, references });
}

/** A function of this file runs where it is called; a generator runs when somebody asks for more. */
function followBody(
  flow: Flow,
  node: s.SyntaxNode,
  { local, references }: {
    readonly local: s.LocalFunction;
    readonly references: Arguments["references"];
  },
): void {
  const procedure = procedureOf(flow, local);
  if (s.flag(local.node, "generator")) return flow.emitProcedure("later", procedure);
  callProcedure(flow, procedure, { node, references });
  for (const [, argument] of references) {
    if (argument.isTemporary) flow.emit("leave", argument, { node });
  }
}

/** When a call runs what it is given, as far as its name tells and nobody can call it off. */
function scheduleOf(
  flow: Flow,
  { callee, demand }: Pick<Calling, "callee" | "demand">,
): Schedule | undefined {
  if (calleeName(callee) === "setInterval") {
    return flow.words.has("clearInterval") ? undefined : "ever";
  }
  if (demand.act !== "drop") return undefined;
  if (isScheduler(flow, callee)) return "later";
  return KEEPERS.has(s.propertyName(callee)) ? "kept" : undefined;
}

/** Whether a method puts what it is given where it stays. */
function isKeeper(callee: s.SyntaxNode): boolean {
  return STORES.has(s.propertyName(callee)) || KEEPERS.has(s.propertyName(callee));
}

function keptIn(flow: Flow, callee: s.SyntaxNode): Demand {
  const object = s.bare(s.part(callee, "object"));
  const isName = object.type === "Identifier";
  return { ...KEEP, into: isName ? flow.scope.resolve(s.word(object, "name")) : undefined };
}

/** A promise runs its function, too, unless it fails, which nobody here would notice. */
function isScheduler(flow: Flow, callee: s.SyntaxNode): boolean {
  if (SCHEDULERS.has(calleeName(callee))) return true;
  const isThen = callee.type === "MemberExpression" && s.propertyName(callee) === "then";
  return isThen && flow.handler() === flow.procedure.failed;
}

function followNamedCall(flow: Flow, calling: Calling): void {
  const { callee, called } = calling;
  const isImmediate = s.isFunction(callee) && called?.local;
  if (isImmediate) followFunction(flow, isImmediate);
  else if (!called?.local) flow.follow(callee, LOOK);
  followInputs(flow, calling);
}

/** What runs after `assert(condition)` may count on the condition. */
function followAsserted(flow: Flow, node: s.SyntaxNode, isTrue = true): void {
  const [condition, ...others] = s.children(node, "arguments");
  if (!condition) return;
  const yes = flow.newBlock();
  const no = flow.newBlock();
  followCondition(flow, condition, { yes, no });
  flow.block = isTrue ? yes : no;
  for (const one of others) flow.follow(one, ESCAPE);
}

/** `assertEquals(maybe.present, false)`. */
function followEquality(flow: Flow, node: s.SyntaxNode, name: string): boolean {
  const [subject, constant] = s.children(node, "arguments");
  const isEquality = name === "assertEquals" || name === "assertStrictEquals";
  const check = isEquality && subject && constant && equalityCheck(flow, subject, constant);
  if (!check) return false;
  const yes = flow.newBlock();
  tell(flow, check, { yes, no: flow.newBlock() });
  flow.block = yes;
  return true;
}

/** Functions that throw unless their first input is true. */
const CONDITIONS: ReadonlySet<string> = new Set([
  "assert",
  "assert.ok",
  "assertTrue",
  "invariant",
  "ok",
]);

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
export function followArguments(flow: Flow, node: s.SyntaxNode, context: CallContext): Arguments {
  const references: References = [];
  const functions: s.LocalFunction[] = [];
  for (const [index, input] of s.children(node, "arguments").entries()) {
    if (input.type === "Literal") continue;
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
  readonly input: s.SyntaxNode;
  readonly index: number;
}

/** The function of this file that an input is. */
function functionGiven(flow: Flow, input: s.SyntaxNode): s.LocalFunction | undefined {
  const type = flow.typeOf(input);
  return type?.kind === "function" ? type.local : undefined;
}

/** Tells a function that is given what it will be called with. */
function giveFunction(
  flow: Flow,
  local: s.LocalFunction,
  { context, input }: Argument,
): void {
  const { called, name, schedule } = context;
  const callback = called?.callback;
  if (callback?.isHandler) flow.types.teachUse(local, "isHandler");
  const isListener = LISTENERS.has(name.slice(name.lastIndexOf(".") + 1));
  const isDropped = callback ? callback.dropsResult : isListener || schedule === "later";
  if (isDropped) flow.types.teachUse(local, "dropsResult");
  if (s.isFunction(s.bare(input)) && callback?.schedule !== "once") followFunction(flow, local);
}

function followArgument(flow: Flow, argument: Argument, references: References): void {
  const { input, index, context: { called, name } } = argument;
  const expected = called?.parameter(index);
  const local = called?.local;
  const type = flow.typeOf(input);
  if (!local || !isLinearType(type)) {
    const isDisposed = expected?.kind === "disposable" && isLinearType(type);
    const place = isDisposed ? placeOf(flow, input) : undefined;
    // To dispose of a port is right in any state.
    if (place) return flow.emit("release", place.binding, { node: place.node });
    return flow.follow(input, isDisposed ? ESCAPE : demandElsewhere(argument, type));
  }
  if (s.returnType(local.node) === "TSTypePredicate") return flow.follow(input, USE);
  if (called?.onlyLooksAt(index)) return flow.follow(input, USE);
  if (isLinearType(expected)) {
    teachGiven(flow, local, argument);
    return flow.follow(input, { act: "move", by: `${name}()` });
  }
  refer(flow, local, { ...argument, type }, references);
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
function teachGiven(flow: Flow, local: s.LocalFunction, { input, index }: Argument): void {
  const type = flow.typeOf(input);
  if (type && rootBinding(flow, input)?.isGiven) {
    flow.types.teach(local, index, { type, isReference: false, isGiven: true });
  }
}

/** The name that a chain of operations begins with: `port` of `port.send().recv()`. */
export function rootBinding(flow: Flow, expression: s.SyntaxNode): s.Binding | undefined {
  let node = s.bare(expression);
  for (;;) {
    const inner = s.child(node, "callee") ?? s.child(node, "object") ?? s.child(node, "argument");
    if (!inner || node.type === "NewExpression") break;
    node = s.bare(inner);
  }
  return node.type === "Identifier" ? flow.scope.resolve(s.word(node, "name")) : undefined;
}

/** A function that does not say that it takes a port works on that of its caller. */
function refer(
  flow: Flow,
  local: s.LocalFunction,
  { input, index, context: { name, otherwise }, type }: Argument & { readonly type: Type },
  references: References,
): void {
  const parameter = parameterNamed(local, index);
  const known = local.inputs[index]?.type.kind;
  if (!parameter || (known !== undefined && known !== type.kind)) {
    const pattern = s.parametersOf(local.node)[index]?.type;
    return flow.follow(input, pattern === "ObjectPattern" ? USE : otherwise);
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
function parameterNamed(local: s.LocalFunction, index: number): s.Binding | undefined {
  const pattern = s.parametersOf(local.node)[index];
  const id = pattern?.type === "AssignmentPattern" ? s.child(pattern, "left") : pattern;
  if (id?.type !== "Identifier") return undefined;
  return local.ownScope.bindings.get(s.word(id, "name"));
}

/** A value without a name gets one for the time of a call. */
function holdTemporary(flow: Flow, input: s.SyntaxNode, type: Type): s.Binding {
  const binding = new s.Binding(input, { scope: flow.scope, declaredAs: "temporary" });
  binding.type = type;
  flow.follow(input, { act: "move", by: "the call" });
  const isLoan = isLinearType(type) && type.isLoan;
  flow.emit("define", binding, { node: input, isLoan });
  return binding;
}
