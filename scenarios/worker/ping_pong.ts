import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";

/**
 * The flags are 128 bytes apart, because prefetchers load cache lines in pairs. As much lies before
 * and behind them: a buffer need not begin at a cache line, and other data may lie beside it.
 */
const PING_WORD = 32;
const PONG_WORD = 64;
const FLAGS_BYTES = 384;
/** Sent in place of a ping, it makes the partner return, whose loop so reads one flag only. */
const REST = -1;
const PING_MAX = 0x3fffffff;

const axes = {} as const;

/**
 * The floor: a flag goes out, a flag comes back. No protocol can be faster between the same two
 * cores in this language. It shares no code with the core, so that a change there cannot move it.
 * Measured against itself, it shows how far two figures of one point differ by chance.
 */
export const pingPong: Scenario<typeof axes> = {
  name: "ping_pong",
  title: "a bare round trip of two flags",
  question: "What does the hardware take for a flag to go to another core and back?",
  axes,
  usualPoints: () => [{}],
  get floor() {
    return pingPong;
  },
  isAllocationFree: true,
  isPair: true,
  setup: (_point, partner) => preparePingPong(partner),
};

async function preparePingPong(partner: Partner): Promise<Trial> {
  const flags = new Int32Array(new SharedArrayBuffer(FLAGS_BYTES));
  const { wake, rest } = await partner.assign({
    moduleUrl: import.meta.url,
    init: flags.buffer,
    signalRest: () => Atomics.store(flags, PING_WORD, REST),
  });
  return {
    run: (callCount) => exchange(flags, callCount),
    wake() {
      // Sync: takes REST back before the partner begins, which would return at once otherwise.
      Atomics.store(flags, PING_WORD, Atomics.load(flags, PONG_WORD));
      wake();
    },
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Each ping is one more than the last, so that an old reply is not taken for a new one. */
function exchange(flags: Int32Array, callCount: number): void {
  let ping = Atomics.load(flags, PONG_WORD);
  for (let call = 0; call < callCount; call++) {
    ping = (ping + 1) & PING_MAX;
    // Sync: pairs with the partner's load of the ping; the reply is its store of the same number.
    Atomics.store(flags, PING_WORD, ping);
    while (Atomics.load(flags, PONG_WORD) !== ping);
  }
}

/** Runs in the partner's isolate. */
export function prepareWork(buffer: SharedArrayBuffer): Work {
  const flags = new Int32Array(buffer);
  return () => answerPings(flags);
}

function answerPings(flags: Int32Array): void {
  let answered = Atomics.load(flags, PONG_WORD);
  for (;;) {
    let ping = Atomics.load(flags, PING_WORD);
    while (ping === answered) ping = Atomics.load(flags, PING_WORD);
    if (ping === REST) return;
    // Sync: pairs with the client's load of the pong.
    Atomics.store(flags, PONG_WORD, ping);
    answered = ping;
  }
}
