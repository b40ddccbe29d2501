import { callProcedure, DROP, ESCAPE, type Flow, type Frame, LOOK } from "../flow/flow.ts";
import { consumesSurely } from "../types/list.ts";
import { Block, type Procedure } from "../flow/graph.ts";
import { child, children, part, type SyntaxNode, word } from "../syntax/syntax.ts";
import { assignPattern } from "../expression/assignment.ts";
import { followCondition } from "../expression/condition.ts";

/** Where a jump leads when it has come to a frame; `undefined` when that is further out. */
type Landing = (frame: Frame) => Block | undefined;

/** `break` and `continue`, with or without a label. */
export function followLoopJump(flow: Flow, node: SyntaxNode): void {
  const label = child(node, "label");
  const name = label ? word(label, "name") : "";
  const isBreak = node.type === "BreakStatement";
  jump(flow, node, (frame) => {
    if (frame.kind !== "target") return undefined;
    const takesBare = isBreak ? frame.takesBareBreak : frame.continueTo !== undefined;
    if (name === "" ? !takesBare : frame.label !== name) return undefined;
    return isBreak ? frame.breakTo : frame.continueTo ?? frame.breakTo;
  });
}

/** Leaves the function, its value already consumed. */
export function followReturn(flow: Flow, node: SyntaxNode): void {
  jump(flow, node, (frame) => frame.kind === "function" ? frame.returnTo : undefined);
}

/** A `throw` statement: goes to whoever catches, or out of the function. */
export function followThrow(flow: Flow, node: SyntaxNode): void {
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
function jump(flow: Flow, node: SyntaxNode, landing: Landing, isThrown = false): void {
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
export function followFor(flow: Flow, node: SyntaxNode, label: string): void {
  const init = child(node, "init");
  const scope = flow.types.statementScope(node, flow.scope);
  flow.withScope(scope, () => {
    if (init?.type === "VariableDeclaration") flow.followStatements([init]);
    else if (init) flow.follow(init, DROP);
    followRounds(flow, node, label);
  }, node);
}

/** `while`, `do while`, and `for` when it has begun. */
export function followRounds(flow: Flow, node: SyntaxNode, label: string): void {
  const test = flow.newBlock();
  const body = flow.newBlock();
  const update = flow.newBlock();
  const after = flow.newBlock();
  flow.block.next.push(node.type === "DoWhileStatement" ? body : test);
  flow.block = test;
  const condition = child(node, "test");
  if (condition) followCondition(flow, condition, { yes: body, no: after });
  else flow.block.next.push(body);
  flow.block = body;
  within(flow, { label, breakTo: after, continueTo: update }, () => followBody(flow, node));
  flow.continueIn(update);
  const change = child(node, "update");
  if (change) flow.follow(change, DROP);
  flow.block.next.push(test);
  flow.block = after;
}

/** `for of`, `for await of` and `for in`: what the elements are is not known. */
export function followForEach(flow: Flow, node: SyntaxNode, label: string): void {
  const list = part(node, "right");
  const left = part(node, "left");
  const inner = patternOf(left);
  const isConsumed = consumesSurely(inner, part(node, "body"));
  const isWritten = list.type === "ArrayExpression" && isConsumed;
  if (isWritten) {
    for (const one of children(list, "elements")) flow.follow(one, { act: "move", by: "the loop" });
  } else flow.follow(list, flow.typeOf(list)?.kind === "list" ? LOOK : ESCAPE);
  const round = flow.newBlock();
  const after = flow.newBlock();
  flow.continueIn(round);
  round.next.push(after);
  flow.mayThrow();
  const scope = flow.types.statementScope(node, flow.scope);
  flow.continueIn(flow.newBlock());
  // The target is around the names: each round has its own, which `continue` leaves.
  within(flow, { label, breakTo: after, continueTo: round }, () => {
    flow.withScope(scope, () => {
      assignPattern(flow, inner, {
        isDeclaration: left.type === "VariableDeclaration",
        type: flow.types.elementOf(list, inner),
      });
      followBody(flow, node);
    }, node);
  });
  flow.block.next.push(round);
  flow.block = after;
  const name = list.type === "Identifier" ? flow.scope.resolve(word(list, "name")) : undefined;
  if (isConsumed) flow.collect(name, "collect", list);
}

function patternOf(left: SyntaxNode): SyntaxNode {
  const declarator = children(left, "declarations")[0];
  return (declarator && child(declarator, "id")) ?? left;
}

function within(
  flow: Flow,
  target: { readonly label: string; readonly breakTo: Block; readonly continueTo: Block },
  work: () => void,
): void {
  flow.within({ kind: "target", ...target, takesBareBreak: true }, work);
}

function followBody(flow: Flow, loop: SyntaxNode): void {
  const body = child(loop, "body");
  flow.followStatements(body ? [body] : []);
}
