import type { StacksLayout } from "../../packet_stacks/layout.ts";
import { type PlantedPacketFault, testPacketModel } from "./packet_model_tests.ts";
import { PACKET_STACKS } from "./packet_stacks_rules.ts";

const STACK = "packet_stacks/packet_stack.ts";
const CLIENT = "packet_stacks/client/client_steps.ts";
const SERVER = "packet_stacks/server/server_steps.ts";

const PLANTED: readonly PlantedPacketFault[] = [
  {
    name: "a packet that is freed keeps its tag (ABA)",
    packetCount: 2,
    clients: [["overlap"], ["call"]],
    serverCount: 1,
    file: "packet_stacks/stacks.ts",
    from: "const tag = words.load(layout.tagWord + index) + 1;",
    to: "const tag = words.load(layout.tagWord + index);",
  },
  {
    name: "the ready stack is taken by a load and a store",
    packetCount: 2,
    clients: [["call"], ["call"]],
    serverCount: 1,
    file: STACK,
    from: "let link = this.#words.exchange(this.#topWord, NO_LINK);",
    to:
      "let link = this.#words.load(this.#topWord);\n    this.#words.store(this.#topWord, NO_LINK);",
  },
  {
    name: "a packet is pushed before its link is there",
    packetCount: 2,
    clients: [["call"], ["call"]],
    serverCount: 1,
    file: STACK,
    from:
      "      this.#words.store(this.#nextWord + index, top);\n      const seen = this.#words.compareExchange(this.#topWord, top, link);\n",
    to:
      "      const seen = this.#words.compareExchange(this.#topWord, top, link);\n      this.#words.store(this.#nextWord + index, top);\n",
  },
  {
    name: "a packet is marked ready after it was pushed",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    file: CLIENT,
    from:
      "    words.store(layout.phaseWord + index, Phase.ready);\n    this.#stacks.pushReady(index);",
    to:
      "    this.#stacks.pushReady(index);\n    words.store(layout.phaseWord + index, Phase.ready);",
  },
  {
    name: "a client leaves a packet by a load and a store",
    packetCount: 1,
    clients: [["cast"]],
    serverCount: 1,
    file: CLIENT,
    from: "const held = words.compareExchange(phaseWord, Phase.ready, Phase.left);",
    to:
      "const held: number = words.load(phaseWord);\n    if (held === Phase.ready) words.store(phaseWord, Phase.left);",
  },
  {
    name: "an answer is looked for without order",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    sleeps: true,
    file: "wait/inbox_waiter.ts",
    from: "if ((this.#words.load(word) >>> shift",
    to: "if ((this.#words.peek(word) >>> shift",
  },
  {
    name: "who frees a packet wakes nobody",
    packetCount: 1,
    clients: [["cast", "call"]],
    serverCount: 1,
    sleeps: true,
    file: "packet_stacks/stacks.ts",
    from: "    freeBell.ring();\n",
    to: "    void freeBell;\n",
  },
  {
    name: "a server wakes a client before it answers",
    packetCount: 1,
    clients: [["call"]],
    serverCount: 1,
    sleeps: true,
    file: SERVER,
    from: "    const held = words.exchange(",
    to: "    this.#channel.wake(index);\n    const held = words.exchange(",
    also: [{ file: SERVER, from: "    else this.#channel.wake(index);\n", to: "" }],
  },
];

testPacketModel<StacksLayout>("packet stacks", PACKET_STACKS, {
  settings: [
    { packetCount: 1, clients: [["call", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["cast", "call"]], serverCount: 1, sleeps: true },
    { packetCount: 1, clients: [["call"], ["cast"]], serverCount: 1 },
    { packetCount: 2, clients: [["call"], ["call"]], serverCount: 1 },
    { packetCount: 2, clients: [["overlap"], ["call"]], serverCount: 1 },
    { packetCount: 1, clients: [["call"], ["cast"]], serverCount: 2 },
    { packetCount: 2, clients: [["overlap"]], serverCount: 2 },
  ],
  random: [
    { packetCount: 1, clients: [["call"], ["call"]], serverCount: 1, sleeps: true },
    { packetCount: 2, clients: [["overlap"], ["call", "cast"]], serverCount: 2, sleeps: true },
    { packetCount: 3, clients: [["overlap", "cast"], ["overlap", "call"]], serverCount: 2 },
  ],
  planted: PLANTED,
});
