import type { SharedWords } from "../../core/memory/words.ts";
import type { Control, Trial } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";

/** Lines apart, as in `ping_pong`: prefetchers bring lines in pairs. */
const Place = { turns: 64, ping: 128, pong: 192 } as const;
/** A mailbox in the line of the other one. */
const NEAR_PONG = Place.ping + 1;

/**
 * How a side changes its word, whose value it knows, to the next number: on the wave's side, and on the
 * host's. The names are those of a channel's `mailboxUpdate`.
 */
export const FLIPS = {
  store: {
    wgsl: "atomicStore(&words[word], turn);",
    flip: (words: SharedWords, word: number, turn: number) => words.store(word, turn),
  },
  exchange: {
    wgsl: "_ = atomicExchange(&words[word], turn);",
    flip: (words: SharedWords, word: number, turn: number) => words.exchange(word, turn),
  },
  "fetch-add": {
    wgsl: "_ = atomicAdd(&words[word], 1u);",
    flip: (words: SharedWords, word: number) => words.add(word, 1),
  },
  "fetch-xor": {
    wgsl: "_ = atomicXor(&words[word], turn ^ (turn - 1u));",
    flip: (words: SharedWords, word: number, turn: number) => words.xor(word, turn ^ (turn - 1)),
  },
  cas: {
    wgsl: `while !atomicCompareExchangeWeak(&words[word], turn - 1u, turn).exchanged {}`,
    flip: (words: SharedWords, word: number, turn: number) =>
      words.compareExchange(word, turn - 1, turn),
  },
} as const;
/** One of {@linkcode FLIPS}. */
export type FlipName = keyof typeof FLIPS;

/** How a bare ping-pong goes. */
export interface LivePingPongOptions {
  /** By which access both sides change their words; `store` when absent. */
  readonly update?: FlipName;
  /** Whether the two words lie in one cache line; false when absent. */
  readonly isOneLine?: boolean;
  /** Round trips in each of what `run` counts; 1 when absent. */
  readonly turnsPerCall?: number;
  /** Rounds of arithmetic that the wave does before each ping; 0 when absent. */
  readonly restRounds?: number;
}

/** WGSL of a function that keeps a wave busy for so many rounds, and asks for nothing. */
export const REST_WGSL = `
  fn rest(rounds: u32, seed: u32) -> u32 {
    var x = seed | 1u;
    for (var round = 0u; round < rounds; round++) { x = x * 1664525u + 1013904223u; }
    return x;
  }`;

/** A running wave and this thread change a word each, in turn: a call between them costs no less. */
export const livePingPong: Control = {
  name: "live_ping_pong",
  setup: () => prepareLivePingPong({}),
};

/** Prepares turns of a wave and this thread, which spins. Each sample is a dispatch of its own. */
export async function prepareLivePingPong(options: LivePingPongOptions): Promise<Trial> {
  const { update = "store", isOneLine = false, turnsPerCall = 1, restRounds = 0 } = options;
  const pong = isOneLine ? NEAR_PONG : Place.pong;
  const { wgsl, flip } = FLIPS[update];
  const lab = await LiveLab.open();
  const { words, run } = lab.bareKernel(`
    ${REST_WGSL}
    fn flip(word: u32, turn: u32) { ${wgsl} }
    @compute @workgroup_size(1) fn main() {
      let turns = atomicLoad(&words[${Place.turns}]);
      for (var turn = 1u; turn <= turns; turn++) {
        if ${restRounds}u > 0u { atomicStore(&words[${
    Place.turns + 1
  }], rest(${restRounds}u, turn)); }
        flip(${Place.ping}u, turn);
        var looks = 0u;
        while atomicLoad(&words[${pong}]) != turn {
          looks++;
          if (looks & 0xffffu) == 0u && atomicLoad(&words[STOP]) != 0u { return; }
        }
      }
    }`);
  return {
    adapter: lab.adapter,
    run(callCount) {
      const turns = callCount * turnsPerCall;
      words.store(Place.turns, turns);
      words.store(Place.ping, 0);
      words.store(pong, 0);
      run(1, () => {
        for (let turn = 1; turn <= turns; turn++) {
          // Sync: pairs with the wave's flip of its word, which it does for this turn when it has seen
          // this thread's last; and ours with the wave's look. Without it, nobody's turn would come.
          while (words.load(Place.ping) !== turn);
          flip(words, pong, turn);
        }
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(lab[Symbol.dispose]()),
  };
}
