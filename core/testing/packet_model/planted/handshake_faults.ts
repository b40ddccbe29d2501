import type { PlantedPacketFault } from "../packet_model_tests.ts";

const STEPS = "one_packet/handshake.ts HandshakeServerSteps";

/** Likely defects of what two protocols share. */
export const HANDSHAKE_FAULTS: readonly PlantedPacketFault[] = [
  {
    name: "a server does not look again after it took the lock",
    serverCount: 2,
    place: `${STEPS}.#tryTakeAt`,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server unlocks before it answers",
    serverCount: 2,
    place: `${STEPS}.answer`,
    from: "this.#server.set(index); this.#lock.clear(index);",
    to: "this.#lock.clear(index); this.#server.set(index);",
  },
  {
    name: "a server whose answer is garbage at once wakes no client",
    clients: [["cast", "call"]],
    sleeps: true,
    place: `${STEPS}.answer`,
    from: "this.#channel.freeBell.ring();",
  },
  {
    name: "a server wakes a client before it answers",
    sleeps: true,
    place: `${STEPS}.answer`,
    from: "this.#server.set(index); this.#lock.clear(index); this.#channel.wake(index);",
    to: "this.#channel.wake(index); this.#server.set(index); this.#lock.clear(index);",
  },
  {
    name: "a client leaves garbage and wakes no server",
    clients: [["call", "call"]],
    sleeps: true,
    place: "one_packet/handshake.ts HandshakeClientSteps.retract",
    from: "this.channel.workBell.ring();",
  },
];
