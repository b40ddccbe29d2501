import { type Arguments, followArguments, functionGiven, rootBinding } from "./argument.ts";
import { equalityCheck, followCondition, tell } from "./condition.ts";
import {
  callProcedure,
  type Demand,
  DROP,
  ESCAPE,
  type Flow,
  KEEP,
  LOOK,
  USE,
} from "../flow/flow.ts";
import { placeOf } from "../flow/place.ts";
import { followFunction, procedureOf } from "../statement/function.ts";
import { ts } from "../program/compiler.ts";
import type { LocalFunction } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { type Called, isLinearType, type Schedule } from "../types/value_type.ts";
import {
  CONSUMERS,
  DISPOSE,
  KEEPERS,
  LISTENERS,
  READERS,
  SCHEDULERS,
  STORES,
  USERS,
} from "../syntax/vocabulary.ts";
import { boundConsumer, CANCELLERS, consumesSurely, isOwnTimer, listUse } from "../types/list.ts";
import { keptFinding } from "../finding.ts";

/** A call while it is followed. */
interface Calling {
  readonly node: ts.CallExpression;
  /** What is called, without casts. */
  readonly callee: ts.Node;
  /** What is known of the function; absent when nothing is. */
  readonly called: Called | undefined;
  readonly demand: Demand;
}

/** `f(...)`, in all its forms. */
export function followCall(flow: Flow, node: ts.CallExpression, demand: Demand): void {
  const callee = s.bare(node.expression);
  const called = flow.types.calledAt(node);
  const calling = { node, callee, called, demand };
  if (boundConsumer(flow.types.file, node)) return; // its end comes where the name is called
  if (called?.isMove) node.arguments.forEach((one) => flow.follow(one, by("move()")));
  else if (s.isAccess(callee)) followMethodCall(flow, callee, calling);
  else followNamedCall(flow, calling);
  if (!isSafe(flow, node)) flow.mayThrow();
  if (mayChangeFields(flow, calling)) flow.forgetFields();
  if (called?.isNever || ENDING.test(s.calleeName(node))) return flow.stop();
  const root = demand.isKept && flow.currentFunction?.isHandler && rootBinding(flow, node);
  if (root && root.isGiven && isLinearType(flow.typeOf(node))) {
    flow.emitFault(keptFinding(node, root, "call"));
  }
  if (!isCopied(flow, callee) && !(called?.isOpaque && demand.act === "look")) {
    flow.dropTemporary(node, flow.typeOf(node), demand);
  }
}

/** `pending.catch(report)` gives a second promise; the port can still be had from the first. */
function isCopied(flow: Flow, callee: ts.Node): boolean {
  if (!s.isAccess(callee)) return false;
  const name = s.propertyName(callee);
  const isPromise = name === "catch" || name === "finally";
  return isPromise && placeOf(flow, callee.expression) !== undefined;
}

/** Closing a port cannot fail, nor can sending it, unless the work on it does. */
function isSafe(flow: Flow, node: ts.CallExpression): boolean {
  const callee = s.bare(node.expression);
  if (!s.isAccess(callee)) return false;
  const name = s.propertyName(callee);
  const isSend = name === "send" && node.arguments.length === 0;
  return (name === "close" || isSend) && flow.typeOf(callee.expression)?.kind === "port";
}

/**
 * Whether a call could give a field another port: not one of a port's method, nor one of a function
 * from elsewhere that gets neither functions nor `this`.
 */
function mayChangeFields(flow: Flow, { node, callee, called }: Calling): boolean {
  const isForeign = ts.isIdentifier(callee) && !called?.local;
  const isPort = s.isAccess(callee) && isLinearType(flow.typeOf(callee.expression));
  const isSimple = isForeign || isPort || s.calleeName(node).startsWith("console.");
  return !isSimple ||
    node.arguments.some((one) =>
      one.kind === ts.SyntaxKind.ThisKeyword || (!isPort && functionGiven(flow, one) !== undefined)
    );
}

function by(name: string): Demand {
  return { act: "move", by: name };
}

/** `port.send()`, `server.operatePort(opcode, handler)`, `console.log(port)`. */
function followMethodCall(flow: Flow, callee: s.Access, calling: Calling): void {
  const object = callee.expression;
  const name = s.propertyName(callee);
  const place = placeOf(flow, object);
  if (!place) {
    flow.follow(object, ownerDemand(flow, object, name));
    if (name === "" && ts.isElementAccessExpression(callee)) {
      flow.follow(callee.argumentExpression, LOOK);
    }
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
function ownerDemand(flow: Flow, object: ts.Node, name: string): Demand {
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
  const name = s.calleeName(node);
  if (CONDITIONS.has(name) || called?.isAssertion) return followAsserted(flow, node);
  if (name === "assertFalse") return followAsserted(flow, node, false);
  if (followEquality(flow, node, name)) return;
  if (demand.act === "drop" && JOINS.has(name)) return followJoined(flow, node);
  const isReader = READERS.has(name) || /^(?:console\.|assert)/.test(name);
  const { references, runFunctions } = followArguments(flow, node, {
    called,
    name,
    otherwise: isReader ? USE : isKeeper(callee) ? keptIn(flow, callee) : ESCAPE,
    schedule: scheduleOf(flow, { node, callee, demand }),
    isOptional: ts.isOptionalChain(node),
    isDropped: demand.act === "drop",
  });
  beforeFunctions();
  runFunctions();
  if (called?.local) followBody(flow, node, { local: called.local, references });
  for (const binding of flow.types.fieldsConsumedBy(node)) {
    flow.emit("move", binding, { node, by: `${s.propertyName(callee) || s.nameOf(callee)}()` });
  }
  collectFrom(flow, node, callee);
}

/** `list.forEach((port) => port.close())` and `stack.dispose()` are the end of all that is in it. */
function collectFrom(flow: Flow, node: ts.CallExpression, callee: ts.Node): void {
  const list = ownerOf(flow, callee);
  if (!list) return;
  if (isKeeper(callee)) return flow.refill(list, node);
  const name = s.propertyName(callee);
  if (name === "dispose" || name === "disposeAsync") return flow.collect(list, "sweep", node);
  const [work] = node.arguments;
  if ((name !== "forEach" && name !== "map") || !work || !s.isFunction(work)) return;
  const isConsumed = consumesSurely(s.parametersOf(work)[0]?.name, work.body);
  if (isConsumed) flow.collect(list, "collect", node);
}

/** A function of this file runs where it is called; a generator runs when somebody asks for more. */
function followBody(
  flow: Flow,
  node: ts.CallExpression,
  { local, references }: {
    readonly local: LocalFunction;
    readonly references: Arguments["references"];
  },
): void {
  const procedure = procedureOf(flow, local);
  if (s.isGenerator(local.node)) return flow.emitProcedure("later", procedure);
  callProcedure(flow, procedure, { node, references });
  for (const [, argument] of references) {
    if (argument.isTemporary) flow.emit("leave", argument, { node });
  }
}

/** When a call runs what it is given, as far as its name tells and nobody can call it off. */
function scheduleOf(
  flow: Flow,
  { node, callee, demand }: Omit<Calling, "called">,
): Schedule | undefined {
  if (s.calleeName(node) === "setInterval") {
    return flow.words.has("clearInterval") ? undefined : "ever";
  }
  const isOwn = SCHEDULERS.has(s.calleeName(node)) && isOwnTimer(flow.types.file, node);
  if (demand.act !== "drop") return isOwn ? "later" : undefined;
  if (isScheduler(flow, node)) return "later";
  if (isWatched(flow, node)) return "watched";
  if (!KEEPERS.has(s.propertyName(callee))) return undefined;
  const { into } = keptIn(flow, callee);
  return into && listUse(flow.types.file, into) === "local" ? "listed" : "kept";
}

/** Whether something is listened to for good: nobody takes the listener away again. */
function isWatched(flow: Flow, node: ts.CallExpression): boolean {
  const isListener = LISTENERS.has(s.propertyName(s.bare(node.expression)));
  const ends = ["removeEventListener", "removeListener", "removeAllListeners", "off"];
  return isListener && node.arguments.length <= 2 && !ends.some((one) => flow.words.has(one));
}

/** Whether a method puts what it is given where it stays. */
function isKeeper(callee: ts.Node): boolean {
  return STORES.has(s.propertyName(callee)) || KEEPERS.has(s.propertyName(callee));
}

function keptIn(flow: Flow, callee: ts.Node): Demand {
  return { ...KEEP, into: ownerOf(flow, callee) };
}

/** The name whose method is called. */
function ownerOf(flow: Flow, callee: ts.Node) {
  return s.isAccess(callee) ? flow.bindingOf(s.bare(callee.expression)) : undefined;
}

/** A promise runs its function, too, unless it fails, which nobody here would notice. */
function isScheduler(flow: Flow, node: ts.CallExpression): boolean {
  if (SCHEDULERS.has(s.calleeName(node))) return true;
  const isThen = s.propertyName(s.bare(node.expression)) === "then";
  return isThen && flow.handler() === flow.procedure.failed;
}

function followNamedCall(flow: Flow, calling: Calling): void {
  const { node, callee, called } = calling;
  if (CANCELLERS.test(s.nameOf(callee))) callOff(flow, node);
  const isImmediate = s.isFunction(callee) && called?.local;
  if (isImmediate) followFunction(flow, isImmediate);
  else if (!called?.local) flow.follow(callee, LOOK);
  followInputs(flow, calling);
  const bound = boundConsumer(flow.types.file, flow.bindingOf(callee)?.origin.value);
  const place = bound && placeOf(flow, bound.expression);
  if (!place) return;
  flow.emit("move", place.binding, { node, inside: place.inside, by: `${s.nameOf(callee)}()` });
}

/** The function of a timer that is called off does not run. */
function callOff(flow: Flow, { arguments: [timer] }: ts.CallExpression): void {
  const value = timer && flow.bindingOf(timer)?.origin.value;
  if (!value || !ts.isCallExpression(value) || !isOwnTimer(flow.types.file, value)) return;
  const local = value.arguments[0] && functionGiven(flow, value.arguments[0]);
  if (local) flow.emitProcedure("calledOff", procedureOf(flow, local));
}

/** What runs after `assert(condition)` may count on the condition. */
function followAsserted(flow: Flow, node: ts.CallExpression, isTrue = true): void {
  const [condition, ...others] = node.arguments;
  if (!condition) return;
  const yes = flow.newBlock();
  const no = flow.newBlock();
  followCondition(flow, condition, { yes, no });
  flow.block = isTrue ? yes : no;
  for (const one of others) flow.follow(one, ESCAPE);
}

/** `assertEquals(maybe.present, false)`. */
function followEquality(flow: Flow, node: ts.CallExpression, name: string): boolean {
  const [subject, constant] = node.arguments;
  const isEquality = name === "assertEquals" || name === "assertStrictEquals";
  const check = isEquality && subject && constant && equalityCheck(flow, subject, constant);
  if (!check) return false;
  const yes = flow.newBlock();
  tell(flow, check, { yes, no: flow.newBlock() });
  flow.block = yes;
  return true;
}

/** What nothing runs after; what a runtime has is not among the types that are loaded. */
const ENDING = /^(?:(?:Deno|process)\.exit|fail|unreachable|unimplemented|assertNever)$/;

/** What waits for all of some promises, and gives what each of them gives. */
const JOINS: ReadonlySet<string> = new Set(["Promise.all", "Promise.allSettled"]);

/** `await Promise.all([…]);`: what the promises give is nobody's. */
function followJoined(flow: Flow, node: ts.CallExpression): void {
  for (const input of node.arguments) {
    const list = s.plain(input);
    const parts = ts.isArrayLiteralExpression(list) ? list.elements : [input];
    for (const one of parts) flow.follow(one, DROP);
  }
}

/** Functions that throw unless their first input is true. */
const CONDITIONS: ReadonlySet<string> = new Set([
  "assert",
  "assert.ok",
  "assertTrue",
  "invariant",
  "ok",
]);
