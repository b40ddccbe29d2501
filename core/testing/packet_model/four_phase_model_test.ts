import { type FourPhaseLayout } from "../../four_phase/layout.ts";
import { FOUR_PHASE } from "./four_phase_rules.ts";
import { type PlantedPacketFault, testPacketModel } from "./packet_model_tests.ts";

const CLIENT = "four_phase/client/client_steps.ts";
const SERVER = "four_phase/server/server_steps.ts";

const PLANTED: readonly PlantedPacketFault[] = [
  {
    name: "a client does not look again after it took the lock",
    packetCount: 1,
    clients: [["cast"], ["cast"]],
    serverCount: 1,
    file: CLIENT,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server does not look again after it took the lock",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 2,
    file: SERVER,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server unlocks before it answers",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 2,
    file: SERVER,
    from: "    words.store(layout.serverOutboxWord + index, 1);\n    this.#locks.unlock(index);",
    to: "    this.#locks.unlock(index);\n    words.store(layout.serverOutboxWord + index, 1);",
  },
  {
    name: "a client unlocks before it says that it has the result",
    packetCount: 1,
    clients: [["call"], ["call"]],
    serverCount: 1,
    file: CLIENT,
    from: "    this.#retract(index);\n    this.#unlock(index);\n  }\n\n  /** Says",
    to: "    this.#unlock(index);\n    this.#retract(index);\n  }\n\n  /** Says",
  },
  {
    name: "nobody collects what an asynchronous call left",
    packetCount: 1,
    clients: [["cast"], ["call"]],
    serverCount: 1,
    file: CLIENT,
    from: "    if (state === ClientState.result) this.#retract(index);\n",
    to: "",
  },
  {
    name: "a server takes garbage for work",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    file: SERVER,
    from: "    if (state === ServerState.work) return true;\n",
    to: "    if (state === ServerState.work || state === ServerState.garbage) return true;\n",
  },
  {
    name: "a post is written without order",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    file: CLIENT,
    from: "words.store(layout.clientOutboxWord + index, 1);",
    to: "words.plain[layout.clientOutboxWord + index] = 1;",
  },
  {
    name: "an inbox is looked at without order",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    file: SERVER,
    from: "const inbox = words.load(",
    to: "const inbox = words.peek(",
  },
  {
    name: "a client unlocks and wakes nobody",
    packetCount: 1,
    clients: [["cast"], ["call"]],
    serverCount: 1,
    sleeps: true,
    file: CLIENT,
    from: "    this.#channel.freeBell.ring();\n",
    to: "",
  },
  {
    name: "a server whose answer is garbage at once wakes no client",
    packetCount: 1,
    clients: [["cast", "call"]],
    serverCount: 1,
    sleeps: true,
    file: SERVER,
    from:
      "    // An asynchronous call has left garbage now, which a client that waits for a port collects.\n    freeBell.ring();\n",
    to: "    void freeBell;\n",
  },
  {
    name: "a server that cleaned up wakes no client",
    packetCount: 1,
    clients: [["call", "call"]],
    serverCount: 1,
    sleeps: true,
    file: SERVER,
    from: "    freeBell.ring();\n  }\n}",
    to: "    void freeBell;\n  }\n}",
  },
  {
    name: "a client leaves garbage and wakes no server",
    packetCount: 1,
    clients: [["call", "call"]],
    serverCount: 1,
    sleeps: true,
    file: CLIENT,
    from: "    words.store(layout.clientOutboxWord + index, 0);\n    workBell.ring();\n",
    to: "    words.store(layout.clientOutboxWord + index, 0);\n    void workBell;\n",
  },
  {
    name: "a server wakes a client before it answers",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    sleeps: true,
    file: SERVER,
    from:
      "    words.store(layout.serverOutboxWord + index, 1);\n    this.#locks.unlock(index);\n    this.#channel.wake(index);\n",
    to:
      "    this.#channel.wake(index);\n    words.store(layout.serverOutboxWord + index, 1);\n    this.#locks.unlock(index);\n",
  },
];

testPacketModel<FourPhaseLayout>("four-phase", FOUR_PHASE, {
  settings: [
    { packetCount: 1, clients: [["call", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["cast", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 1 },
    { packetCount: 1, clients: [["cast"], ["call", "cast"]], serverCount: 1 },
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 2 },
    { packetCount: 1, clients: [["cast"], ["call"]], serverCount: 2 },
    { packetCount: 1, clients: [["call"], ["call"], ["cast"]], serverCount: 1 },
    { packetCount: 2, clients: [["call"], ["call"]], serverCount: 1 },
    { packetCount: 2, clients: [["overlap"], ["call"]], serverCount: 1 },
  ],
  random: [
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["cast", "call"], ["call"]], serverCount: 2, sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2, sleeps: true },
  ],
  planted: PLANTED,
});
