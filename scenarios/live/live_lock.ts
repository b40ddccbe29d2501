import { SharedWords } from "../../core/memory/words.ts";
import type { Point } from "../axis.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";
import { livePingPong } from "./live_ping_pong.ts";

/** A sample is one dispatch, which takes some tenths of a millisecond to begin. */
const SAMPLE_SECONDS_MIN = 0.02;

const LOCK = 64;
const COUNT = 128;
/** How often each contender takes the lock; changes with `round`. */
const TURNS = 192;
/** Counts the runs: the Worker begins when it changes, and says in `done` which it has finished. */
const ROUND = 193;
const DONE = 256;
const REST = -1;
/** How many contenders have come: they begin together, as far as the device runs them at once. */
const STARTED = 320;
const START_LOOKS_MAX = 1 << 17;

/**
 * How a lock is tried and given back, on the wave's side and on the host's. The names are those of a
 * channel's `portLock`; `cas` is also what its `owner` does.
 */
const LOCKS = {
  cas: {
    wgsl: "atomicCompareExchangeWeak(&words[LOCK], 0u, 1u).exchanged",
    tryLock: (words: SharedWords) => words.compareExchange(LOCK, 0, 1) === 0,
  },
  exchange: {
    wgsl: "atomicExchange(&words[LOCK], 1u) == 0u",
    tryLock: (words: SharedWords) => words.exchange(LOCK, 1) === 0,
  },
  "fetch-or": {
    wgsl: "(atomicOr(&words[LOCK], 1u) & 1u) == 0u",
    tryLock: (words: SharedWords) => (words.or(LOCK, 1) & 1) === 0,
  },
  "fetch-add": {
    wgsl: "add_or_undo()",
    tryLock(words: SharedWords) {
      if (words.add(LOCK, 1) === 0) return true;
      words.add(LOCK, -1);
      return false;
    },
  },
} as const;
type LockName = keyof typeof LOCKS;

const axes = {
  lock: Object.keys(LOCKS) as readonly LockName[],
  /** Who wants the lock all the time. */
  contenders: ["one_wave", "two_waves", "wave_and_worker"],
} as const;

/**
 * The lock alone, on a bare kernel. Each contender
 * takes it once in a turn, and counts while it has it.
 */
export const liveLock: Scenario<typeof axes> = {
  name: "live_lock",
  question: "What does a lock cost that waves of a running kernel and a Worker contend for?",
  axes,
  compares: "lock",
  floor: { ...livePingPong, sampleSecondsMin: SAMPLE_SECONDS_MIN },
  needsAdapter: true,
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  callsPerTurn: ({ contenders }) => contenders === "one_wave" ? 1 : 2,
  setup: prepareLock,
};

/** Each looks before it tries, as the protocol's locks do. The word goes back to 0 by what undoes the try. */
function kernelText(lock: LockName, contenderCount: number): string {
  return `
    const LOCK = ${LOCK}u;
    fn add_or_undo() -> bool {
      if atomicAdd(&words[LOCK], 1u) == 0u { return true; }
      _ = atomicSub(&words[LOCK], 1u);
      return false;
    }
    fn try_lock() -> bool { return atomicLoad(&words[LOCK]) == 0u && ${LOCKS[lock].wgsl}; }
    @compute @workgroup_size(1) fn main() {
      let turns = atomicLoad(&words[${TURNS}]);
      atomicAdd(&words[${STARTED}], 1u);
      for (var look = 0u; look < ${START_LOOKS_MAX}u; look++) {
        if atomicLoad(&words[${STARTED}]) >= ${contenderCount}u { break; }
      }
      for (var turn = 0u; turn < turns; turn++) {
        var looks = 0u;
        while !try_lock() {
          looks++;
          if (looks & 0xffffu) == 0u && atomicLoad(&words[STOP]) != 0u { return; }
        }
        atomicStore(&words[${COUNT}], atomicLoad(&words[${COUNT}]) + 1u);
        ${
    lock === "fetch-add" ? "_ = atomicSub(&words[LOCK], 1u);" : "atomicStore(&words[LOCK], 0u);"
  }
      }
    }`;
}

async function prepareLock(
  { lock, contenders }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  const lab = await LiveLab.open();
  const hasWorker = contenders === "wave_and_worker";
  const waveCount = contenders === "two_waves" ? 2 : 1;
  const contenderCount = waveCount + Number(hasWorker);
  const { words, run } = lab.bareKernel(kernelText(lock, contenderCount));
  const worker = hasWorker
    ? await partner.assign({
      moduleUrl: import.meta.url,
      init: { buffer: words.plain.buffer, lock },
      signalRest: () => words.store(ROUND, REST),
    })
    : undefined;
  let round = 0;
  return {
    adapter: lab.adapter,
    wake() {
      words.store(ROUND, round);
      worker?.wake();
    },
    rest: () => worker?.rest(),
    run(turnCount) {
      words.store(TURNS, turnCount);
      words.store(COUNT, 0);
      words.store(STARTED, 0);
      // Sync: after the turns, which the Worker reads when it has seen the round.
      words.store(ROUND, ++round);
      run(waveCount, () => {});
      // Sync: pairs with the Worker's store and notify after its last turn.
      while (hasWorker && words.load(DONE) !== round) words.wait(DONE, round - 1, 1);
      const count = words.load(COUNT);
      if (count === turnCount * contenderCount) return;
      throw new Error(
        `Cannot trust the lock ${lock} as ${contenderCount} counted to ${turnCount} each: ` +
          `current value is ${count}`,
      );
    },
    [Symbol.asyncDispose]: () => Promise.resolve(lab[Symbol.dispose]()),
  };
}

/** Runs in the partner's isolate: contends in each round until it is told to rest. */
export function prepareWork(
  { buffer, lock }: { readonly buffer: SharedArrayBuffer; readonly lock: LockName },
): Work {
  const words = new SharedWords(buffer);
  const { tryLock } = LOCKS[lock];
  const unlock = lock === "fetch-add" ? () => words.add(LOCK, -1) : () => words.store(LOCK, 0);
  return () => {
    for (;;) {
      const round = words.load(ROUND);
      if (round === REST) return;
      if (round === words.load(DONE)) continue;
      words.add(STARTED, 1);
      for (let look = 0; look < START_LOOKS_MAX && words.load(STARTED) < 2; look++);
      for (let left = words.load(TURNS); left > 0; left--) {
        while (words.load(LOCK) !== 0 || !tryLock(words));
        // Sync: with the lock held; two that had it at once would lose a count, which `run` sees.
        words.store(COUNT, words.load(COUNT) + 1);
        unlock();
      }
      words.store(DONE, round);
      words.notify(DONE);
    }
  };
}
