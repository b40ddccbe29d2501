import type { PlantedPacketFault } from "../packet_model_tests.ts";
import { HANDSHAKE_FAULTS } from "./handshake_faults.ts";

const CLIENT = "gwht/gwht.ts";

/** Defects of the original, and likely ones. */
export const GWHT_FAULTS: readonly PlantedPacketFault[] = [
  ...HANDSHAKE_FAULTS,
  {
    name: "a client clears W before G",
    clients: [["call"], ["call"]],
    place: `${CLIENT} GwhtClientSteps.release`,
    from: "this.retract(index); this.leave(index);",
    to: "this.#wave.clear(index); this.retract(index);",
  },
  {
    name: "a client clears W while H is still set",
    clients: [["call"], ["call"]],
    place: `${CLIENT} GwhtClientSteps.#isCollectable`,
    from: "return state === CallState.idle || state === CallState.answered;",
    to: "return state !== CallState.posted;",
    also: [{
      place: `${CLIENT} GwhtClientSteps.#collect`,
      from: "if (state === CallState.idle) return",
      to: "if (state === CallState.idle || state === CallState.ended) return",
    }],
  },
  {
    name: "who ends a call that was left does not look again",
    clients: [["cast"], ["cast"]],
    place: `${CLIENT} GwhtClientSteps.#collect`,
    from: "const state = this.state(index); if (state === CallState.idle) return",
    to: "const state = glance; if (state === CallState.idle) return",
    also: [{
      place: `${CLIENT} GwhtClientSteps.#collect`,
      from: "if (!this.#left.has(index) || !this.#isCollectable(this.state(index))) return;",
      to:
        "const glance = this.state(index); if (!this.#left.has(index) || !this.#isCollectable(glance)) return;",
    }],
  },
  {
    name: "bits are written by a load and a store, so that a neighbour's is lost",
    packetCount: 2,
    clients: [["call"], ["call"]],
    place: "one_packet/flags.ts BitFlags.#tryFlip",
    from: "const seen = this.#words.compareExchange(word, held, held ^ bit);",
    to: "const seen = held; this.#words.store(word, held ^ bit);",
  },
  {
    name: "a client that leaves wakes nobody",
    clients: [["cast"], ["cast"]],
    sleeps: true,
    place: `${CLIENT} GwhtClientSteps.leave`,
    from: "this.channel.freeBell.ring();",
  },
];
