import { type Arguments, followArguments } from "./argument.ts";
import { followCondition } from "./condition.ts";
import { followExpression } from "./expression.ts";
import { callProcedure } from "../flow/call_procedure.ts";
import { type Demand, ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { followFunction, procedureOf } from "../function/function.ts";
import { placeOf } from "../flow/place.ts";
import type { LocalFunction } from "../syntax/scope.ts";
import { calledType } from "../types/call.ts";
import { type FunctionType, isLinearType, type Schedule } from "../value/value_type.ts";
import {
  bare,
  children,
  flag,
  isFunction,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import {
  CONSUMERS,
  DISPOSE,
  ENDINGS,
  KEEPERS,
  READERS,
  SCHEDULERS,
  USERS,
} from "../syntax/vocabulary.ts";

/** A call while it is followed. */
interface Calling {
  readonly node: SyntaxNode;
  readonly callee: SyntaxNode;
  /** What is known of the function; absent when nothing is. */
  readonly called: FunctionType | undefined;
  readonly demand: Demand;
}

/** `f(...)`, in all its forms. */
export function followCall(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const callee = bare(part(node, "callee"));
  const called = calledType(flow.types, callee, flow.scope);
  const calling = { node, callee, called, demand };
  if (called?.isMove) followMove(flow, children(node, "arguments"));
  else if (callee.type === "MemberExpression") followMethodCall(flow, calling);
  else followNamedCall(flow, calling);
  if (!isSafe(flow, node, callee)) flow.mayThrow();
  if (called?.isNever || ENDINGS.has(calleeName(callee))) return flow.stop();
  if (!isCopied(flow, callee)) flow.dropTemporary(node, flow.typeOf(node), demand);
}

/** `pending.catch(report)` gives a second promise; the port can still be had from the first. */
function isCopied(flow: Flow, callee: SyntaxNode): boolean {
  if (callee.type !== "MemberExpression") return false;
  const name = propertyName(callee);
  const isPromise = name === "catch" || name === "finally";
  return isPromise && placeOf(flow, part(callee, "object")) !== undefined;
}

function followMove(flow: Flow, inputs: readonly SyntaxNode[]): void {
  for (const input of inputs) followExpression(flow, input, by("move()"));
}

/** Closing a port cannot fail, nor can sending it, unless the work on it does. */
function isSafe(flow: Flow, node: SyntaxNode, callee: SyntaxNode): boolean {
  if (callee.type !== "MemberExpression") return false;
  const name = propertyName(callee);
  const isSend = name === "send" && children(node, "arguments").length === 0;
  return (name === "close" || isSend) && flow.typeOf(part(callee, "object"))?.kind === "port";
}

function by(name: string): Demand {
  return { act: "move", by: name };
}

/** The name of what is called, as a program writes it: `f`, `console.log`. */
export function calleeName(callee: SyntaxNode): string {
  if (callee.type !== "MemberExpression") return word(callee, "name");
  return `${word(part(callee, "object"), "name")}.${propertyName(callee)}`;
}

/** `port.send()`, `server.register(opcode, handler)`, `console.log(port)`. */
function followMethodCall(flow: Flow, calling: Calling): void {
  const { callee } = calling;
  const object = part(callee, "object");
  const name = propertyName(callee);
  const place = placeOf(flow, object);
  if (!place) {
    followExpression(flow, object, ownerDemand(flow, object, name));
    if (name === "") followExpression(flow, part(callee, "property"), LOOK);
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
function ownerDemand(flow: Flow, object: SyntaxNode, name: string): Demand {
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
  const isReader = READERS.has(name) || /^(?:console\.|assert)/.test(name);
  const { references, runFunctions } = followArguments(flow, node, {
    called,
    name,
    otherwise: isReader ? USE : ESCAPE,
    schedule: scheduleOf(flow, { callee, demand }),
    isOptional: flag(node, "optional") || flag(callee, "optional"),
  });
  beforeFunctions();
  runFunctions();
  if (called?.local) followBody(flow, node, { local: called.local, references });
}

/** A function of this file runs where it is called; a generator runs when somebody asks for more. */
function followBody(
  flow: Flow,
  node: SyntaxNode,
  { local, references }: {
    readonly local: LocalFunction;
    readonly references: Arguments["references"];
  },
): void {
  const procedure = procedureOf(flow, local);
  if (flag(local.node, "generator")) return flow.emitProcedure("later", procedure);
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
  return KEEPERS.has(propertyName(callee)) ? "kept" : undefined;
}

/** A promise runs its function, too, unless it fails, which nobody here would notice. */
function isScheduler(flow: Flow, callee: SyntaxNode): boolean {
  if (SCHEDULERS.has(calleeName(callee))) return true;
  const isThen = callee.type === "MemberExpression" && propertyName(callee) === "then";
  return isThen && flow.handler() === flow.procedure.failed;
}

function followNamedCall(flow: Flow, calling: Calling): void {
  const { callee, called } = calling;
  const isImmediate = isFunction(callee) && called?.local;
  if (isImmediate) followFunction(flow, isImmediate);
  else if (!called?.local) followExpression(flow, callee, LOOK);
  followInputs(flow, calling);
}

/** What runs after `assert(condition)` may count on the condition. */
function followAsserted(flow: Flow, node: SyntaxNode): void {
  const [condition, ...others] = children(node, "arguments");
  if (!condition) return;
  const yes = flow.newBlock();
  followCondition(flow, condition, { yes, no: flow.newBlock() });
  flow.block = yes;
  for (const one of others) followExpression(flow, one, ESCAPE);
}

/** Functions that throw unless their first input is true. */
const CONDITIONS: ReadonlySet<string> = new Set([
  "assert",
  "assert.ok",
  "assertTrue",
  "invariant",
  "ok",
]);
