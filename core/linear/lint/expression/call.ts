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
import * as s from "../syntax/syntax.ts";
import { type Called, isLinearType, type Schedule } from "../types/value_type.ts";
import {
  CONSUMERS,
  DISPOSE,
  ENDINGS,
  KEEPERS,
  READERS,
  SCHEDULERS,
  STORES,
  USERS,
} from "../syntax/vocabulary.ts";
import { consumesSurely, listUse } from "../types/list.ts";
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
  if (mayChangeFields(flow, calling)) flow.forgetFields();
  if (called?.isNever || ENDINGS.has(calleeName(callee))) return flow.stop();
  const root = demand.isKept && flow.currentFunction?.isHandler && rootBinding(flow, node);
  if (root && root.isGiven && isLinearType(flow.typeOf(node))) {
    flow.emitFault(keptFinding(node, root, "call"));
  }
  if (!isCopied(flow, callee) && !(called?.isOpaque && demand.act === "look")) {
    flow.dropTemporary(node, flow.typeOf(node), demand);
  }
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

/**
 * Whether a call could give a field another port: not one of a port's method, nor one of a function
 * from elsewhere that gets neither functions nor `this`.
 */
function mayChangeFields(flow: Flow, { node, callee, called }: Calling): boolean {
  const isForeign = callee.type === "Identifier" && !called?.local;
  const object = s.child(callee, "object");
  const isPort = object !== undefined && isLinearType(flow.typeOf(object));
  const isSimple = isForeign || isPort || calleeName(callee).startsWith("console.");
  return !isSimple ||
    s.children(node, "arguments").some((one) =>
      one.type === "ThisExpression" || (!isPort && functionGiven(flow, one) !== undefined)
    );
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
  if (demand.act === "drop" && JOINS.has(name)) return followJoined(flow, node);
  const isReader = READERS.has(name) || /^(?:console\.|assert)/.test(name);
  const { references, runFunctions } = followArguments(flow, node, {
    called,
    name,
    otherwise: isReader ? USE : isKeeper(callee) ? keptIn(flow, callee) : ESCAPE,
    schedule: scheduleOf(flow, { callee, demand }),
    isOptional: s.flag(node, "optional") || s.flag(callee, "optional"),
    isDropped: demand.act === "drop",
  });
  beforeFunctions();
  runFunctions();
  if (called?.local) followBody(flow, node, { local: called.local, references });
  collectFrom(flow, node, callee);
}

/** `list.forEach((port) => port.close())` and `stack.dispose()` are the end of all that is in it. */
function collectFrom(flow: Flow, node: s.SyntaxNode, callee: s.SyntaxNode): void {
  const object = s.bare(s.part(callee, "object"));
  if (object.type !== "Identifier") return;
  const list = flow.scope.resolve(s.word(object, "name"));
  const name = s.propertyName(callee);
  if (name === "dispose" || name === "disposeAsync") return flow.collect(list, "sweep", node);
  const [work] = s.children(node, "arguments");
  if ((name !== "forEach" && name !== "map") || !work || !s.isFunction(work)) return;
  const isConsumed = consumesSurely(s.parametersOf(work)[0], s.part(work, "body"));
  if (isConsumed) flow.collect(list, "collect", node);
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
  if (!KEEPERS.has(s.propertyName(callee))) return undefined;
  const { into } = keptIn(flow, callee);
  return into && listUse(flow.types.file, into) === "local" ? "listed" : "kept";
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

/** What waits for all of some promises, and gives what each of them gives. */
const JOINS: ReadonlySet<string> = new Set(["Promise.all", "Promise.allSettled"]);

/** `await Promise.all([…]);`: what the promises give is nobody's. */
function followJoined(flow: Flow, node: s.SyntaxNode): void {
  for (const input of s.children(node, "arguments")) {
    const parts = input.type === "ArrayExpression" ? s.children(input, "elements") : [input];
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
