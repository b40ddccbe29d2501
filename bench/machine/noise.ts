import { getHeapStatistics } from "node:v8";
import { allocatedBytes } from "../../scenarios/partner/heap.ts";

/** What disturbed the machine while samples were taken, as far as the system tells. */
export interface Noise {
  /** Share of the processors' time that other programs used; absent where the system does not say. */
  readonly otherShare?: number;
  /** Share of it that the host gave to other virtual machines; absent where the system does not say. */
  readonly stealShare?: number;
  /** Seconds by which the wall clock moved against the clock that measures. */
  readonly wallStepSeconds: number;
  /** Bytes of this isolate's heap that the collector took back. */
  readonly collectedBytes: number;
}

/** Processor time since the system began, in the system's ticks, of all processors together. */
interface Ticks {
  readonly total: number;
  /** Without waiting for disks, and without what the host took. */
  readonly busy: number;
  readonly steal: number;
  /** Of this process, its threads included. */
  readonly own: number;
}

/** Watches the machine from `start` to `stop`. */
export class NoiseMeter {
  readonly #ticks = readTicks();
  readonly #wallSeconds = wallAheadSeconds();
  readonly #heap = readHeap();

  private constructor() {}

  /** Begins to watch. */
  static start(): NoiseMeter {
    return new NoiseMeter();
  }

  stop(): Noise {
    const heap = readHeap();
    const collected = heap.allocated - this.#heap.allocated - (heap.used - this.#heap.used);
    return {
      ...sharesOf(this.#ticks, readTicks()),
      wallStepSeconds: wallAheadSeconds() - this.#wallSeconds,
      collectedBytes: Math.max(0, collected),
    };
  }
}

/** What others used between two readings; nothing where one is missing or no time went by. */
export function sharesOf(
  before: Ticks | undefined,
  after: Ticks | undefined,
): Pick<Noise, "otherShare" | "stealShare"> {
  if (before === undefined || after === undefined || after.total <= before.total) return {};
  const total = after.total - before.total;
  const others = after.busy - before.busy - (after.own - before.own);
  return {
    otherShare: Math.max(0, others) / total,
    stealShare: (after.steal - before.steal) / total,
  };
}

function wallAheadSeconds(): number {
  return (Date.now() - performance.now()) / 1000;
}

function readHeap(): { readonly allocated: number; readonly used: number } {
  return { allocated: allocatedBytes() || 0, used: getHeapStatistics().used_heap_size };
}

/** Linux counts in files; elsewhere there is nothing to read. */
function readTicks(): Ticks | undefined {
  try {
    return parseTicks(
      Deno.readTextFileSync("/proc/stat"),
      Deno.readTextFileSync("/proc/self/stat"),
    );
  } catch {
    return undefined;
  }
}

/** Reads what Linux says in `/proc/stat` and `/proc/self/stat`. */
export function parseTicks(stat: string, selfStat: string): Ticks {
  const [user, nice, system, idle, ioWait, irq, softIrq, steal] = stat.split("\n")[0]!
    .trim().split(/\s+/).slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
  // The program's name, in parentheses, may hold spaces.
  const own = selfStat.slice(selfStat.lastIndexOf(")") + 2).split(" ").map(Number);
  const busy = user + nice + system + irq + softIrq;
  return { total: busy + idle + ioWait + steal, busy, steal, own: own[11]! + own[12]! };
}

/** From this share of other programs on, figures in seconds are doubtful. */
const OTHER_SHARE_MAX = 0.1;
/** Time that the host takes comes in slices of milliseconds, right in the middle of a sample. */
const STEAL_SHARE_MAX = 0.01;
/** A clock that is kept in step with others moves by less in the time of a point. */
const WALL_STEP_SECONDS_MAX = 0.05;
/** Less than this is what the harness itself leaves behind. */
const COLLECTED_BYTES_MAX = 20e6;

/** What is doubtful about samples that were taken meanwhile, in sentences. */
export function noiseWarnings(noise: Noise): string[] {
  const { otherShare = 0, stealShare = 0, wallStepSeconds, collectedBytes } = noise;
  const share = (value: number) => `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %`;
  return [
    otherShare > OTHER_SHARE_MAX &&
    `Other programs used ${share(otherShare)} of the processors' time during the samples`,
    stealShare > STEAL_SHARE_MAX &&
    `The host gave ${
      share(stealShare)
    } of the processors' time to other machines during the samples`,
    Math.abs(wallStepSeconds) > WALL_STEP_SECONDS_MAX &&
    `The wall clock was moved by ${wallStepSeconds.toFixed(2)} s during the samples`,
    collectedBytes > COLLECTED_BYTES_MAX &&
    `The collector took back ${
        Math.round(collectedBytes / 1e6)
      } MB during the samples: its pauses ` +
      "are part of them",
  ].filter((warning) => warning !== false);
}

/**
 * The share of the processors' time that programs used within a time from now; absent where the system
 * does not say.
 */
export async function busyShare(seconds: number): Promise<number | undefined> {
  const before = readTicks();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return sharesOf(before, readTicks()).otherShare;
}
