import { ONE_CALL, type PlantedPacketFault } from "../packet_model_tests.ts";

const CLIENT = "gwht/gwht.ts";
const HANDSHAKE = "one_packet/handshake.ts";

/** Defects of the original, and likely ones. */
export const GWHT_FAULTS: readonly PlantedPacketFault[] = [
  {
    name: "a client clears W before G",
    ...ONE_CALL,
    clients: [["call"], ["call"]],
    place: `${CLIENT} GwhtClientSteps.release`,
    from: "this.retract(index); this.leave(index);",
    to: "this.#wave.clear(index); this.retract(index);",
  },
  {
    name: "a client clears W while H is still set",
    ...ONE_CALL,
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
    name: "a server does not look again after it has T",
    ...ONE_CALL,
    serverCount: 2,
    place: `${HANDSHAKE} HandshakeServerSteps.#tryTakeAt`,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server clears T before it sets H",
    ...ONE_CALL,
    serverCount: 2,
    place: `${HANDSHAKE} HandshakeServerSteps.answer`,
    from: "this.#server.set(index); this.#lock.clear(index);",
    to: "this.#lock.clear(index); this.#server.set(index);",
  },
  {
    name: "who ends a call that was left does not look again",
    ...ONE_CALL,
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
    ...ONE_CALL,
    packetCount: 2,
    clients: [["call"], ["call"]],
    place: "one_packet/flags.ts BitFlags.#tryFlip",
    from: "const seen = this.#words.compareExchange(word, held, held ^ bit);",
    to: "const seen = held; this.#words.store(word, held ^ bit);",
  },
  {
    name: "a client that leaves wakes nobody",
    ...ONE_CALL,
    clients: [["cast"], ["cast"]],
    sleeps: true,
    place: `${CLIENT} GwhtClientSteps.leave`,
    from: "this.channel.freeBell.ring();",
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
  {
    name: "a server whose answer can be collected at once wakes no client",
    ...ONE_CALL,
    clients: [["cast", "call"]],
    sleeps: true,
    place: `${HANDSHAKE} HandshakeServerSteps.answer`,
    from: "this.#channel.freeBell.ring();",
    to: "",
  },
  {
    name: "a client clears G and wakes no server",
    ...ONE_CALL,
    clients: [["cast", "call"]],
    sleeps: true,
    place: `${HANDSHAKE} HandshakeClientSteps.retract`,
    from: "this.channel.workBell.ring();",
    to: "",
  },
];
