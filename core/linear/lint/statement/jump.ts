import type { Flow } from "../flow/flow.ts";
import type { Frame } from "../flow/frame.ts";
import { Block } from "../flow/graph.ts";
import { callProcedure } from "../flow/call_procedure.ts";
import { child, type SyntaxNode, word } from "../syntax/syntax.ts";

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

function passFinalizer(
  flow: Flow,
  index: number,
  finalizer: Extract<Frame, { kind: "finally" }>["finalizer"],
): void {
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
