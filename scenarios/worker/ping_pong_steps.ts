import type { Point } from "../axis.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { featureCost } from "./feature_cost.ts";
import { pingPong } from "./ping_pong.ts";

const axes = {
  /** What a call is made of up to here; the digits keep the order in tables and charts. */
  step: [
    "1_word",
    "2_header",
    "3_hint",
    "4_state",
    "5_outbox",
    "6_locks",
    "7_page",
    "8_library",
  ],
} as const;
type Step = Point<typeof axes>["step"];

/**
 * From two bare flags to the library, a step at a time: 1 port, 1 lane, a checked word there and back, and
 * each step with all before it. The steps up to the locks share no code with the core.
 */
export const callSteps: Scenario<typeof axes> = {
  name: "call_steps",
  question: "What is a call made of, from bare flags to the library?",
  axes,
  floor: pingPong,
  isPair: true,
  setup({ step }, partner) {
    const shape = { portCount: 1, laneCount: 1 } as const;
    if (step === "7_page") return featureCost.setup({ ...shape, sides: "page+page" }, partner);
    if (step !== "8_library") return prepareBare(step, partner);
    return featureCost.setup({ ...shape, sides: "library+library" }, partner);
  },
};

/** 128 bytes apart, as prefetchers load lines in pairs; the header's four lie side by side. */
const WORD = {
  ...{ clientOutbox: 32, serverOutbox: 64, packet: 96, header: 128 },
  ...{ hint: 160, state: 192, clientLock: 224, serverLock: 256 },
} as const;
const MEMORY_BYTES = 288 * 4;
/** In place of a flip, it makes the partner return. */
const REST = 2;
const OPCODE = 1;
const RUNNING = 0;

/** From which place of `axes.step` on each part is there. */
const FROM = { header: 1, hint: 2, state: 3, outbox: 4, locks: 5 } as const;

async function prepareBare(step: Step, partner: Partner): Promise<Trial> {
  const words = new Int32Array(new SharedArrayBuffer(MEMORY_BYTES));
  const depth = axes.step.indexOf(step);
  const { wake, rest } = await partner.assign({
    moduleUrl: import.meta.url,
    init: { buffer: words.buffer, depth } satisfies BareInit,
    signalRest: () => Atomics.store(words, WORD.clientOutbox, REST),
  });
  return {
    run: (callCount) => makeCalls(words, { depth, callCount }),
    wake() {
      // Sync: takes REST back before the partner begins, which would return at once otherwise.
      Atomics.store(words, WORD.clientOutbox, Atomics.load(words, WORD.serverOutbox));
      wake();
    },
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** @throws {Error} when another word came back */
function makeCalls(
  words: Int32Array,
  { depth, callCount }: { readonly depth: number; readonly callCount: number },
): void {
  let out = Atomics.load(words, WORD.clientOutbox);
  let wrongBits = 0;
  for (let call = 0; call < callCount; call++) {
    // Sync: with clients that there are none of; each keeps others of its side from its port.
    if (depth >= FROM.locks) {
      while (Atomics.compareExchange(words, WORD.clientLock, 0, 1) !== 0);
    }
    if (depth >= FROM.state) wrongBits |= words[WORD.state]! ^ RUNNING;
    // The partner polls this word; the locals of a loop do not outlive a call of a library.
    if (depth >= FROM.outbox) out = Atomics.load(words, WORD.clientOutbox);
    if (depth >= FROM.header) writeHeader(words);
    words[WORD.packet] = call;
    out ^= 1;
    // Sync: pairs with the partner's load; flipped before the packet is filled, it would take the last one.
    Atomics.store(words, WORD.clientOutbox, out);
    if (depth >= FROM.hint && Atomics.load(words, WORD.hint) === 0) Atomics.or(words, WORD.hint, 1);
    while (Atomics.load(words, WORD.serverOutbox) !== out);
    wrongBits |= words[WORD.packet]! ^ (call + 1);
    if (depth >= FROM.header) wrongBits |= words[WORD.header + 3]!;
    if (depth >= FROM.locks) Atomics.exchange(words, WORD.clientLock, 0);
  }
  if (wrongBits !== 0) throw new Error("Cannot trust the calls as another word came back");
}

/** Lane mask, opcode and status: as in the library, written where they are not as in the call before. */
function writeHeader(words: Int32Array): void {
  const isThere = words[WORD.header] === 1 && words[WORD.header + 1] === 0 &&
    words[WORD.header + 2] === OPCODE && words[WORD.header + 3] === 0;
  if (isThere) return;
  words[WORD.header] = 1;
  words[WORD.header + 1] = 0;
  words[WORD.header + 2] = OPCODE;
  words[WORD.header + 3] = 0;
}

interface BareInit {
  readonly buffer: SharedArrayBuffer;
  readonly depth: number;
}

/** Runs in the partner's isolate. */
export function prepareWork({ buffer, depth }: BareInit): Work {
  const words = new Int32Array(buffer);
  return () => answerCalls(words, depth);
}

function answerCalls(words: Int32Array, depth: number): void {
  let out = Atomics.load(words, WORD.serverOutbox);
  for (;;) {
    const inbox = Atomics.load(words, WORD.clientOutbox);
    if (inbox === out) continue;
    if (inbox === REST) return;
    if (depth >= FROM.outbox && Atomics.load(words, WORD.serverOutbox) === inbox) continue;
    if (depth >= FROM.hint && words[WORD.hint] === 0) continue;
    if (depth >= FROM.state && words[WORD.state] !== RUNNING) return;
    // Sync: with servers that there are none of, as the client's lock.
    if (depth >= FROM.locks) {
      while (Atomics.compareExchange(words, WORD.serverLock, 0, 1) !== 0);
    }
    if (depth < FROM.header || words[WORD.header + 2] === OPCODE) words[WORD.packet]! += 1;
    out = inbox;
    // Sync: pairs with the client's load; flipped before the answer is there, it would read its question.
    Atomics.store(words, WORD.serverOutbox, out);
    if (depth >= FROM.locks) Atomics.exchange(words, WORD.serverLock, 0);
  }
}
