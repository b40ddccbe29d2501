import { Deadline, SharedWords } from "../../core/internal.ts";
import { Channel, Server } from "../../core/mod.ts";
import { WAITER_NAMES } from "../../core/internal.ts";
import type { Point } from "../axis.ts";
import { INCREMENT_OPCODE, incrementLanes } from "../calls/increment.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";
import { prepareLivePingPong, REST_WGSL } from "./live_ping_pong.ts";

const axes = {
  /** How the server waits beside a running kernel; `nap` is what LLVM's host does. */
  waiting: [...WAITER_NAMES, "nap"],
  /** Rounds of arithmetic that the wave does before each call: some tens of nanoseconds each on a software
   * adapter. */
  restRounds: [0, 1000, 20_000],
} as const;
type WaitPoint = Point<typeof axes>;

/** `nap`: once nothing came for so long, sleeps between two looks. The numbers are those of LLVM's host. */
const IDLE_SECONDS = 25e-6;
const NAP_MILLISECONDS = 0.25;
/** How often a ringer wakes whom waves cannot: as the run of a live kernel does. */
const RING_MILLISECONDS = 1;

/** Words by which this thread and the wave speak: how many calls are wanted, and that it should end. */
const WANTED = 0;
const END_WORD = 64;

/**
 * Waits for calls of one wave that goes on running: its rest is the same in the floor, so the seconds over
 * the floor are what waiting costs. Processor time is that of all threads, the wave's included, which never
 * sleeps on a software adapter.
 */
export const liveWait: Scenario<typeof axes> = {
  name: "live_wait",
  question: "What does each way of waiting cost a server beside a running kernel?",
  axes,
  floor: {
    name: "live_ping_pong",
    sampleSecondsMin: 0.01,
    setup: ({ restRounds }) => prepareLivePingPong({ restRounds }),
  },
  needsAdapter: true,
  countsCpuTime: true,
  setup: prepareWaiting,
};

const KERNEL = `
  @group(1) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
  @service(${INCREMENT_OPCODE}) fn increment(x: u32) -> u32;
  ${REST_WGSL}
  fn kernel() {
    for (var call = 0u; true; call++) {
      while atomicLoad(&words[${WANTED}]) == call && atomicLoad(&words[${END_WORD}]) == 0u {}
      if atomicLoad(&words[${END_WORD}]) != 0u { return; }
      let x = rest(REST_ROUNDS, call);
      if increment(x) != x + 1u { return; }
    }
  }`;

async function prepareWaiting(
  { waiting, restRounds }: WaitPoint,
  partner: Partner,
): Promise<Trial> {
  const lab = await LiveLab.openToWait();
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const buffer = lab.createBuffer(128);
  const words = new SharedWords(buffer.words as SharedArrayBuffer);
  const kernel = await lab.kernel(channel, {
    source: `${KERNEL} const REST_ROUNDS = ${restRounds}u;`,
    waveCount: 1,
    buffers: [buffer],
  });
  const ring = new SharedWords(new SharedArrayBuffer(4));
  const ringer = await partner.assign({
    moduleUrl: import.meta.url,
    init: { handle: channel.handle, buffer: ring.plain.buffer },
    signalRest: () => ring.store(0, 1),
  });
  let served = 0;
  let wanted = 0;
  const server = new Server(channel, { waiter: waiting === "nap" ? "spin" : waiting });
  server.operate(INCREMENT_OPCODE, (packet) => {
    incrementLanes(packet);
    if (++served === wanted) channel.raiseAttention();
  });
  const serve = waiting === "nap" ? () => nap(server, () => served < wanted) : () => server.run();
  let run: Promise<unknown> | undefined;
  let lastRun: Promise<unknown> = Promise.resolve();
  const serveMore = (callCount: number) => {
    wanted = served + callCount;
    // Sync: the wave goes on when it sees it, and looks at nothing else before it calls.
    words.store(WANTED, wanted);
    while (served < wanted) serve();
  };
  const begin = async (callCount: number) => {
    await lastRun;
    words.store(END_WORD, 0);
    words.store(WANTED, 0);
    served = 0;
    lastRun = run = kernel.runAsync();
    serveMore(callCount);
  };
  const rest = () => {
    words.store(END_WORD, 1);
    run = undefined;
    ringer.rest();
  };
  return {
    adapter: lab.adapter,
    wake() {
      ring.store(0, 0);
      ringer.wake();
    },
    run: (callCount) => run === undefined ? begin(callCount) : serveMore(callCount),
    rest,
    async [Symbol.asyncDispose]() {
      rest();
      await lastRun;
      lab[Symbol.dispose]();
      channel.shutDown();
    },
  };
}

/** Serves while it is `wanted`, as LLVM's host does: looks all the time, and sleeps once it was idle. */
function nap(server: Server, isWanted: () => boolean): void {
  const sleeper = new SharedWords(new SharedArrayBuffer(4));
  let idle = new Deadline({ timeoutSeconds: IDLE_SECONDS });
  while (isWanted()) {
    if (server.runOnce()) idle = new Deadline({ timeoutSeconds: IDLE_SECONDS });
    // Sync: with nobody: the word never changes, so the time ends the wait.
    else if (idle.leftMilliseconds <= 0) sleeper.wait(0, 0, NAP_MILLISECONDS);
  }
}

/** Runs in the partner's isolate: wakes whoever sleeps, now and then. */
export function prepareWork(
  { handle, buffer }: {
    readonly handle: Channel["handle"];
    readonly buffer: SharedArrayBuffer;
  },
): Work {
  const channel = Channel.attach(handle);
  const words = new SharedWords(buffer);
  return () => {
    while (words.load(0) === 0) {
      // Sync: ended early by nobody: a rest is seen after the time.
      words.wait(0, 0, RING_MILLISECONDS);
      channel.wakeAll();
    }
  };
}
