import { ONE_CALL, type PlantedPacketFault } from "../packet_model_tests.ts";

const CLIENT = "four_phase/four_phase.ts";
const HANDSHAKE = "one_packet/handshake.ts";

/** Defects of the original, and likely ones. */
export const FOUR_PHASE_FAULTS: readonly PlantedPacketFault[] = [
  {
    name: "a client does not look again after it took the lock",
    ...ONE_CALL,
    clients: [["cast"], ["cast"]],
    place: `${CLIENT} FourPhaseClientSteps.#tryClaimAt`,
    from: "const state = this.state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server does not look again after it took the lock",
    ...ONE_CALL,
    serverCount: 2,
    place: `${HANDSHAKE} HandshakeServerSteps.#tryTakeAt`,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server unlocks before it answers",
    ...ONE_CALL,
    serverCount: 2,
    place: `${HANDSHAKE} HandshakeServerSteps.answer`,
    from: "this.#server.set(index); this.#lock.clear(index);",
    to: "this.#lock.clear(index); this.#server.set(index);",
  },
  {
    name: "a client unlocks before it says that it has the result",
    ...ONE_CALL,
    clients: [["call"], ["call"]],
    place: `${CLIENT} FourPhaseClientSteps.release`,
    from: "this.retract(index); this.#unlock(index);",
    to: "this.#unlock(index); this.retract(index);",
  },
  {
    name: "nobody collects what an asynchronous call left",
    ...ONE_CALL,
    clients: [["cast"], ["call"]],
    place: `${CLIENT} FourPhaseClientSteps.#tryClaimAt`,
    from: "if (state === CallState.answered) this.retract(index);",
    to: "",
  },
  {
    name: "a server takes garbage for work",
    ...ONE_CALL,
    place: `${HANDSHAKE} HandshakeServerSteps.#tryTakeAt`,
    from: "if (state === CallState.posted) return true;",
    to: "if (state === CallState.posted || state === CallState.ended) return true;",
  },
  {
    name: "a post is written without order",
    ...ONE_CALL,
    place: `${HANDSHAKE} HandshakeClientSteps.post`,
    from: "this.flags.client.set(index);",
    to: "this.channel.words.plain[this.channel.layout.clientOutboxWord + index] = 1;",
  },
  {
    name: "an inbox is looked at without order",
    ...ONE_CALL,
    place: `${HANDSHAKE} HandshakeServerSteps.#state`,
    from: "const client = this.#client.has(index);",
    to:
      "const { words, layout } = this.#channel; const client = words.peek(layout.clientOutboxWord + index) !== 0;",
  },
  {
    name: "a client unlocks and wakes nobody",
    ...ONE_CALL,
    clients: [["cast"], ["call"]],
    sleeps: true,
    place: `${CLIENT} FourPhaseClientSteps.#unlock`,
    from: "this.channel.freeBell.ring();",
    to: "",
  },
  {
    name: "a server whose answer is garbage at once wakes no client",
    ...ONE_CALL,
    clients: [["cast", "call"]],
    sleeps: true,
    place: `${HANDSHAKE} HandshakeServerSteps.answer`,
    from: "this.#channel.freeBell.ring();",
    to: "",
  },
  {
    name: "a server that cleaned up wakes no client",
    ...ONE_CALL,
    clients: [["call", "call"]],
    sleeps: true,
    place: `${HANDSHAKE} HandshakeServerSteps.#clean`,
    from: "this.#channel.freeBell.ring();",
    to: "",
  },
  {
    name: "a client leaves garbage and wakes no server",
    ...ONE_CALL,
    clients: [["call", "call"]],
    sleeps: true,
    place: `${HANDSHAKE} HandshakeClientSteps.retract`,
    from: "this.channel.workBell.ring();",
    to: "",
  },
  {
    name: "a server wakes a client before it answers",
    ...ONE_CALL,
    sleeps: true,
    place: `${HANDSHAKE} HandshakeServerSteps.answer`,
    from: "this.#server.set(index); this.#lock.clear(index); this.#channel.wake(index);",
    to: "this.#channel.wake(index); this.#server.set(index); this.#lock.clear(index);",
  },
];
