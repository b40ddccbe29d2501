import { Child } from "../../system/child.ts";
import { watchUse } from "../../system/process_use.ts";
import { TASKS_MAX } from "../../system/task_group.ts";
import type { WallLimits } from "../../system/wall.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";

/** A guest's process: its channels, its limits, and who hears of it. */
export interface GuestProcessOptions {
  /** Of the guest's calls, and of what it tells. */
  readonly shapes: readonly [calls: ChannelShape, own: ChannelShape];
  readonly limits: WallLimits;
  /** It has ended, or cannot go on. */
  readonly onEnd: (error: Error) => void;
  /** It printed past its console. */
  readonly onLine: (stream: string, line: string) => void;
  /** It told so many times that it changed its channels. */
  readonly onRing: (count: number) => void;
}

/** It tells of each change of the memory, so that a host without work has nothing to do. */
const HOST_NAPS = { firstMilliseconds: 8, longestMilliseconds: 1000 };
/** So that V8 collects garbage before the system refuses memory. */
const HEAP_SHARE = 0.75;
/** What the runtime holds beside the guest's memory, its program's pages among it. */
const RUNTIME_BYTES = 1 << 28;

/** A process that is to go behind a wall of the system's: it begins with a `start`. */
export interface GuestProcess {
  readonly child: Child;
  /** For its calls, and for what it tells. */
  readonly channels: readonly Channel[];
  /** That it has ended, and that all was heard that it printed. */
  readonly ended: Promise<void>;
}

/** @throws {Error} when the system starts no process */
export function startGuestProcess(
  { shapes, limits, onEnd, onLine, onRing }: GuestProcessOptions,
): GuestProcess {
  const { memoryBytes } = limits;
  const heapMegabytes = Math.max(16, Math.floor(memoryBytes * HEAP_SHARE / (1 << 20)));
  const child = new Child({
    program: new URL("./guest/deno_guest_process.ts", import.meta.url),
    flags: ["--allow-ffi", `--v8-flags=--max-old-space-size=${heapMegabytes}`],
    shapes,
    onRing,
    onLine,
  });
  const channels = child.channels.map(({ channel, words }) => {
    words.naps = HOST_NAPS;
    return channel;
  });
  const most = { memoryBytes: memoryBytes + RUNTIME_BYTES, threadCount: TASKS_MAX };
  const endWatch = watchUse(child.pid, most, (what) => {
    onEnd(new Error(`Cannot go on with the guest as it has ${what}`));
  });
  const ended = child.ended.then(({ signal, code }) => {
    endWatch();
    onEnd(new Error(`Cannot go on with the guest as ${endText(signal, code)}`));
  });
  return { child, channels, ended };
}

/** What a signal says of the limits. */
const SIGNALS: Readonly<Record<string, string>> = {
  SIGXCPU: ": its time of processors is over",
  SIGTRAP: ": it gave up, as without memory",
  SIGABRT: ": it gave up, as without memory",
};

function endText(signal: string | null, code: number): string {
  if (signal === null) return `its process ended with code ${code}`;
  return `${signal} ended it${SIGNALS[signal] ?? ""}`;
}
