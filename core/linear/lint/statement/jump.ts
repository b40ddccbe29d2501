import { callProcedure, DROP, ESCAPE, type Flow, type Frame, LOOK } from "../flow/flow.ts";
import { consumesSurely } from "../types/list.ts";
import { Block, type Procedure } from "../flow/graph.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { assignPattern, followDeclarations } from "../expression/assignment.ts";
import { followCondition } from "../expression/condition.ts";

/** Where a jump leads when it has come to a frame; `undefined` when that is further out. */
type Landing = (frame: Frame) => Block | undefined;

/** `break` and `continue`, with or without a label. */
export function followLoopJump(flow: Flow, node: ts.BreakOrContinueStatement): void {
  const name = s.nameOf(node.label);
  const isBreak = ts.isBreakStatement(node);
  jump(flow, node, (frame) => {
    if (frame.kind !== "target") return undefined;
    const takesBare = isBreak ? frame.takesBareBreak : frame.continueTo !== undefined;
    if (name === "" ? !takesBare : frame.label !== name) return undefined;
    return isBreak ? frame.breakTo : frame.continueTo ?? frame.breakTo;
  });
}

/** Leaves the function, its value already consumed. */
export function followReturn(flow: Flow, node: ts.Node): void {
  jump(flow, node, (frame) => frame.kind === "function" ? frame.returnTo : undefined);
}

/** A `throw` statement: goes to whoever catches, or out of the function. */
export function followThrow(flow: Flow, node: ts.Node): void {
  const isCaught = isCaughtHere(flow.frames);
  jump(flow, node, (frame) => {
    if (frame.kind === "catch") return frame.entry;
    return frame.kind === "function" ? flow.procedure.failed : undefined;
  }, !isCaught);
}

/** Whether a `catch` of the same function takes what is thrown here. */
function isCaughtHere(frames: readonly Frame[]): boolean {
  const outermost = frames[0];
  return frames.some(({ kind }) => kind === "catch") ||
    (outermost?.kind === "outside" && isCaughtHere(outermost.frames));
}

/** Passes frames on the way out, names ending and finalizers running, until one takes the jump. */
function jump(flow: Flow, node: ts.Node, landing: Landing, isThrown = false): void {
  const { frames } = flow;
  for (let index = frames.length - 1; index >= 0; index--) {
    const frame = frames[index]!;
    const target = landing(frame);
    if (target) {
      flow.block.next.push(target);
      break;
    }
    if (frame.kind === "scope") flow.leave(frame.scope, node, isThrown);
    if (frame.kind === "finally") passFinalizer(flow, index, frame.finalizer);
    if (frame.kind === "outside") {
      leaveFinalizer(flow, frame, () => jump(flow, node, landing, isThrown));
    }
  }
  flow.stop();
}

function passFinalizer(flow: Flow, index: number, finalizer: Procedure): void {
  const { frames } = flow;
  flow.frames = frames.slice(0, index);
  callProcedure(flow, finalizer);
  flow.frames = frames;
}

/** A jump out of a `finally` goes on where the `try` stands, for each run of the `finally`. */
function leaveFinalizer(
  flow: Flow,
  frame: Extract<Frame, { kind: "outside" }>,
  goOn: () => void,
): void {
  const exit = new Block(flow.procedure, true);
  flow.block.next.push(exit);
  const { procedure, frames, scope, block } = flow;
  const target = new Block(frame.procedure);
  procedure.jumps.push([exit, target]);
  Object.assign(flow, {
    procedure: frame.procedure,
    frames: frame.frames,
    scope: frame.scope,
    block: target,
  });
  goOn();
  Object.assign(flow, { procedure, frames, scope, block });
}

/** `for (init; test; update)`. */
export function followFor(flow: Flow, node: ts.ForStatement, label: string): void {
  const { initializer } = node;
  flow.withNames(node, () => {
    if (initializer && ts.isVariableDeclarationList(initializer)) {
      followDeclarations(flow, initializer);
    } else if (initializer) flow.follow(initializer, DROP);
    followRounds(flow, node, label);
  });
}

/** `while`, `do while`, and `for` when it has begun. */
export function followRounds(
  flow: Flow,
  node: ts.WhileStatement | ts.DoStatement | ts.ForStatement,
  label: string,
): void {
  const test = flow.newBlock();
  const body = flow.newBlock();
  const update = flow.newBlock();
  const after = flow.newBlock();
  flow.block.next.push(ts.isDoStatement(node) ? body : test);
  flow.block = test;
  const { condition, incrementor } = ts.isForStatement(node)
    ? node
    : { condition: node.expression };
  if (condition) followCondition(flow, condition, { yes: body, no: after });
  else flow.block.next.push(body);
  flow.block = body;
  within(flow, { label, breakTo: after, continueTo: update }, () => {
    flow.followStatements([node.statement]);
  });
  flow.continueIn(update);
  if (incrementor) flow.follow(incrementor, DROP);
  flow.block.next.push(test);
  flow.block = after;
}

/** `for of`, `for await of` and `for in`: what the elements are is not known. */
export function followForEach(
  flow: Flow,
  node: ts.ForOfStatement | ts.ForInStatement,
  label: string,
): void {
  const list = s.plain(node.expression);
  const { initializer, statement } = node;
  const isDeclaration = ts.isVariableDeclarationList(initializer);
  const inner = isDeclaration ? initializer.declarations[0]?.name ?? initializer : initializer;
  const isConsumed = consumesSurely(inner, statement);
  if (ts.isArrayLiteralExpression(list) && isConsumed) {
    for (const one of list.elements) flow.follow(one, { act: "move", by: "the loop" });
  } else flow.follow(list, flow.typeOf(list)?.kind === "list" ? LOOK : ESCAPE);
  const round = flow.newBlock();
  const after = flow.newBlock();
  flow.continueIn(round);
  round.next.push(after);
  flow.mayThrow();
  flow.continueIn(flow.newBlock());
  // The target is around the names: each round has its own, which `continue` leaves.
  within(flow, { label, breakTo: after, continueTo: round }, () => {
    flow.withNames(node, () => {
      assignPattern(flow, inner, { isDeclaration, type: flow.types.elementOf(list, inner) });
      flow.followStatements([statement]);
    });
  });
  flow.block.next.push(round);
  flow.block = after;
  if (isConsumed) flow.collect(flow.bindingOf(list), "collect", list);
}

function within(
  flow: Flow,
  target: { readonly label: string; readonly breakTo: Block; readonly continueTo: Block },
  work: () => void,
): void {
  flow.within({ kind: "target", ...target, takesBareBreak: true }, work);
}
