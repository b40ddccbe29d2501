import type { GwhtLayout } from "../../gwht/layout.ts";
import { GWHT } from "./gwht_rules.ts";
import { type PlantedPacketFault, testPacketModel } from "./packet_model_tests.ts";

const CLIENT = "gwht/client/client_steps.ts";
const SERVER = "gwht/server/server_steps.ts";
const ONE_CALL = { packetCount: 1, clients: [["call"]], serverCount: 1 } as const;

const PLANTED: readonly PlantedPacketFault[] = [
  {
    name: "a client clears W before G",
    ...ONE_CALL,
    clients: [["call"], ["call"]],
    file: CLIENT,
    from: "    this.#retract(index);\n    this.leave(index);\n  }",
    to: "    this.#wave.tryClear(index);\n    this.#retract(index);\n  }",
  },
  {
    name: "a client clears W while H is still set",
    ...ONE_CALL,
    clients: [["call"], ["call"]],
    file: CLIENT,
    from: "return state === WaveState.acquired || state === WaveState.answered;",
    to: "return state !== WaveState.posted;",
    also: [{
      file: CLIENT,
      from: "if (state === WaveState.acquired) return",
      to: "if (state === WaveState.acquired || state === WaveState.ending) return",
    }],
  },
  {
    name: "a server does not look again after it has T",
    ...ONE_CALL,
    serverCount: 2,
    file: SERVER,
    from: "const state = this.#state(index);",
    to: "const state = glance;",
  },
  {
    name: "a server clears T before it sets H",
    ...ONE_CALL,
    serverCount: 2,
    file: SERVER,
    from: "    this.#host.trySet(index);\n    this.#thread.tryClear(index);",
    to: "    this.#thread.tryClear(index);\n    this.#host.trySet(index);",
  },
  {
    name: "who ends a call that was left does not look again",
    ...ONE_CALL,
    clients: [["cast"], ["cast"]],
    packetCount: 1,
    file: CLIENT,
    from: "    const state = this.#state(index);\n    if (state === WaveState.acquired) return",
    to: "    const state = glance;\n    if (state === WaveState.acquired) return",
    also: [{
      file: CLIENT,
      from: "    if (!this.#left.has(index) || !this.#isCollectable(this.#state(index))) return;",
      to:
        "    const glance = this.#state(index);\n    if (!this.#left.has(index) || !this.#isCollectable(glance)) return;",
    }],
  },
  {
    name: "bits are written by a load and a store, so that a neighbour's is lost",
    ...ONE_CALL,
    packetCount: 2,
    clients: [["call"], ["call"]],
    file: "gwht/slot_bits.ts",
    from: "const seen = this.#words.compareExchange(word, held, held ^ bit);",
    to: "const seen = held;\n      this.#words.store(word, held ^ bit);",
  },
  {
    name: "a client that leaves wakes nobody",
    ...ONE_CALL,
    clients: [["cast"], ["cast"]],
    sleeps: true,
    file: CLIENT,
    from: "    this.#left.trySet(index);\n    this.#channel.freeBell.ring();",
    to: "    this.#left.trySet(index);",
  },
  {
    name: "a server wakes a client before it answers",
    ...ONE_CALL,
    sleeps: true,
    file: SERVER,
    from:
      "    this.#host.trySet(index);\n    this.#thread.tryClear(index);\n    this.#channel.answerBell.ring();",
    to:
      "    this.#channel.answerBell.ring();\n    this.#host.trySet(index);\n    this.#thread.tryClear(index);",
  },
];

testPacketModel<GwhtLayout>("GWHT", GWHT, {
  settings: [
    { ...ONE_CALL, sleeps: true },
    { ...ONE_CALL, clients: [["call"], ["call"]] },
    { ...ONE_CALL, clients: [["cast", "call"]] },
    { ...ONE_CALL, clients: [["cast"], ["call"]] },
    { ...ONE_CALL, serverCount: 2 },
    { ...ONE_CALL, packetCount: 2, clients: [["call"], ["call"]] },
  ],
  random: [
    { ...ONE_CALL, clients: [["call", "call"]], sleeps: true },
    { ...ONE_CALL, clients: [["cast", "call"], ["call"]], serverCount: 2, sleeps: true },
    { ...ONE_CALL, packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2 },
  ],
  planted: PLANTED,
});
