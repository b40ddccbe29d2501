import type { PlantedPacketFault } from "../packet_model_tests.ts";
import { HANDSHAKE_FAULTS } from "./handshake_faults.ts";

const CLIENT = "four_phase/four_phase.ts";
const HANDSHAKE = "one_packet/handshake.ts";

/** Defects of the original, and likely ones. */
export const FOUR_PHASE_FAULTS: readonly PlantedPacketFault[] = [
  ...HANDSHAKE_FAULTS,
  {
    name: "a client does not look again after it took the lock",
    clients: [["cast"], ["cast"]],
    place: `${CLIENT} FourPhaseClientSteps.#tryClaimAt`,
    from: "const state = this.state(index);",
    to: "const state = glance;",
  },
  {
    name: "a client unlocks before it says that it has the result",
    clients: [["call"], ["call"]],
    place: `${CLIENT} FourPhaseClientSteps.release`,
    from: "this.retract(index); this.#unlock(index);",
    to: "this.#unlock(index); this.retract(index);",
  },
  {
    name: "nobody collects what an asynchronous call left",
    clients: [["cast"], ["call"]],
    place: `${CLIENT} FourPhaseClientSteps.#tryClaimAt`,
    from: "if (state === CallState.answered) this.retract(index);",
  },
  {
    name: "a server takes garbage for work",
    place: `${HANDSHAKE} HandshakeServerSteps.#tryTakeAt`,
    from: "if (state === CallState.posted) return true;",
    to: "if (state === CallState.posted || state === CallState.ended) return true;",
  },
  {
    name: "a post is written without order",
    place: `${HANDSHAKE} HandshakeClientSteps.post`,
    from: "this.flags.client.set(index);",
    to: "this.channel.words.plain[this.channel.layout.clientOutboxWord + index] = 1;",
  },
  {
    name: "an inbox is looked at without order",
    place: `${HANDSHAKE} HandshakeServerSteps.#state`,
    from: "const client = this.#client.has(index);",
    to:
      "const { words, layout } = this.#channel; const client = words.peek(layout.clientOutboxWord + index) !== 0;",
  },
  {
    name: "a client unlocks and wakes nobody",
    clients: [["cast"], ["call"]],
    sleeps: true,
    place: `${CLIENT} FourPhaseClientSteps.#unlock`,
    from: "this.channel.freeBell.ring();",
  },
  {
    name: "a server that cleaned up wakes no client",
    clients: [["call", "call"]],
    sleeps: true,
    place: `${HANDSHAKE} HandshakeServerSteps.#clean`,
    from: "this.#channel.freeBell.ring();",
  },
];
