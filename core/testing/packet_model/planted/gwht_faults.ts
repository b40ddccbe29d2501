import type { PlantedPacketFault } from "../packet_model_tests.ts";

const CLIENT = "gwht/client/client_steps.ts";
const SERVER = "gwht/server/server_steps.ts";
const ONE_CALL = { packetCount: 1, clients: [["call"]], serverCount: 1 } as const;

/** Defects of the original, or such as are easily made. */
export const GWHT_FAULTS: readonly PlantedPacketFault[] = [
  {
    name: "a client clears W before G",
    ...ONE_CALL,
    clients: [["call"], ["call"]],
    place: `${CLIENT} GwhtClientSteps.release`,
    from: "this.#retract(index); this.leave(index);",
    to: "this.#wave.tryClear(index); this.#retract(index);",
  },
  {
    name: "a client clears W while H is still set",
    ...ONE_CALL,
    clients: [["call"], ["call"]],
    place: `${CLIENT} GwhtClientSteps.#isCollectable`,
    from: "return state === WaveState.acquired || state === WaveState.answered;",
    to: "return state !== WaveState.posted;",
    also: [{
      place: `${CLIENT} GwhtClientSteps.#collect`,
      from: "if (state === WaveState.acquired) return",
      to: "if (state === WaveState.acquired || state === WaveState.ending) return",
    }],
  },
  {
    name: "a server does not look again after it has T",
    ...ONE_CALL,
    serverCount: 2,
    place: `${SERVER} GwhtServerSteps.#tryTakeAt`,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server clears T before it sets H",
    ...ONE_CALL,
    serverCount: 2,
    place: `${SERVER} GwhtServerSteps.answer`,
    from: "this.#host.trySet(index); this.#thread.tryClear(index);",
    to: "this.#thread.tryClear(index); this.#host.trySet(index);",
  },
  {
    name: "who ends a call that was left does not look again",
    ...ONE_CALL,
    clients: [["cast"], ["cast"]],
    packetCount: 1,
    place: `${CLIENT} GwhtClientSteps.#collect`,
    from: "const state = this.#state(index); if (state === WaveState.acquired) return",
    to: "const state = glance; if (state === WaveState.acquired) return",
    also: [{
      place: `${CLIENT} GwhtClientSteps.#collect`,
      from: "if (!this.#left.has(index) || !this.#isCollectable(this.#state(index))) return;",
      to:
        "const glance = this.#state(index); if (!this.#left.has(index) || !this.#isCollectable(glance)) return;",
    }],
  },
  {
    name: "bits are written by a load and a store, so that a neighbour's is lost",
    ...ONE_CALL,
    packetCount: 2,
    clients: [["call"], ["call"]],
    place: "gwht/slot_bits.ts SlotBits.#tryFlip",
    from: "const seen = this.#words.compareExchange(word, held, held ^ bit);",
    to: "const seen = held; this.#words.store(word, held ^ bit);",
  },
  {
    name: "a client that leaves wakes nobody",
    ...ONE_CALL,
    clients: [["cast"], ["cast"]],
    sleeps: true,
    place: `${CLIENT} GwhtClientSteps.leave`,
    from: "this.#left.trySet(index); this.#channel.freeBell.ring();",
    to: "this.#left.trySet(index);",
  },
  {
    name: "a server wakes a client before it answers",
    ...ONE_CALL,
    sleeps: true,
    place: `${SERVER} GwhtServerSteps.answer`,
    from:
      "this.#host.trySet(index); this.#thread.tryClear(index); this.#channel.answerBell.ring();",
    to: "this.#channel.answerBell.ring(); this.#host.trySet(index); this.#thread.tryClear(index);",
  },
];
