import type { Deadline } from "../wait/deadline.ts";
import type { WaitGuard } from "../wait/inbox_waiter.ts";
import { type Frame, FrameKind } from "./line/line_end.ts";

/** The worker is not there any more, or its end was asked for. `cause` is what it threw, if that is known. */
export class WorkerEndedError extends Error {
  /** The name of the class, also in another thread. */
  override readonly name = "WorkerEndedError";
}

/** Lines of a stack that are of this module and of `connect`: of a call that blocks, and of another. */
export const [BLOCKING_FRAMES, ASYNC_FRAMES] = [4, 3];

/** The result that an answer brings, or throws what was thrown, with the lines of who called. */
export function readAnswer({ kind, value, error }: Frame, ownFrames: number): unknown {
  if (error) throw withCaller(error, ownFrames);
  if (kind === FrameKind.thrown) throw withCaller(value, ownFrames);
  return value;
}

/** Adds who called to the stack of what another thread threw, which tells only of that thread. */
function withCaller(thrown: unknown, ownFrames: number): unknown {
  if (!(thrown instanceof Error)) return thrown;
  // Some engines write a title in front of the frames.
  const frames = new Error().stack?.split("\n").filter((line) => /^ +at |@/.test(line)) ?? [];
  const stack = [thrown.stack, CALL, ...frames.slice(ownFrames)].join("\n");
  Object.defineProperty(thrown, "stack", { value: stack, configurable: true, writable: true });
  return thrown;
}

const CALL = "    at <the call>";
/** The first line of this library under a function that it called. Node leaves out the class of private methods. */
const OWN_LINE = /^ +at (?:async )?(?:CallServer\.|#(?:callWith|answerLater))/;

/** Takes the lines of this library from the stack of what a function threw, up to those of who called it before. */
export function cutStack(thrown: unknown): void {
  if (!(thrown instanceof Error)) return;
  const lines = String(thrown.stack).split("\n");
  const first = lines.lastIndexOf(CALL) + 1;
  const end = lines.findIndex((line, at) => at >= first && OWN_LINE.test(line));
  if (end < 0) return;
  const value = lines.slice(0, end).join("\n");
  Reflect.defineProperty(thrown, "stack", { value, configurable: true, writable: true });
}

/** Polls between two looks at the clock, which costs more than they do. */
const GUARD_POLLS = 64;

/** What ends a wait for an answer in time. */
export function guardOf(deadline: Deadline, name: string): WaitGuard {
  let polls = 0;
  return {
    check() {
      if (polls++ % GUARD_POLLS === 0) deadline.check(`finish the call of ${name}`);
    },
    get leftMilliseconds() {
      polls = 0; // the clock is looked at behind each sleep
      return deadline.leftMilliseconds;
    },
  };
}
