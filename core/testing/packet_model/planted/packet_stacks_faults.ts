import type { PlantedPacketFault } from "../packet_model_tests.ts";

const STACKS = "packet_stacks/stacks.ts";
const STEPS = "packet_stacks/packet_stacks.ts";

/** Defects of the original, and likely ones. */
export const PACKET_STACKS_FAULTS: readonly PlantedPacketFault[] = [
  {
    name: "a packet that is freed keeps its tag (ABA)",
    packetCount: 2,
    clients: [["overlap"], ["call"]],
    place: `${STACKS} Stacks.free`,
    from: "const tag = words.load(layout.tagWord + index) + 1;",
    to: "const tag = words.load(layout.tagWord + index);",
  },
  {
    name: "the ready stack is taken by a load and a store",
    packetCount: 2,
    clients: [["call"], ["call"]],
    place: `${STACKS} PacketStack.takeAll`,
    from: "let link = this.#words.exchange(this.#topWord, NO_LINK);",
    to: "let link = this.#words.load(this.#topWord); this.#words.store(this.#topWord, NO_LINK);",
  },
  {
    name: "a packet is pushed before its link is there",
    packetCount: 2,
    clients: [["call"], ["call"]],
    place: `${STACKS} PacketStack.push`,
    from:
      "this.#words.store(this.#nextWord + index, top); const seen = this.#words.compareExchange(this.#topWord, top, link);",
    to:
      "const seen = this.#words.compareExchange(this.#topWord, top, link); this.#words.store(this.#nextWord + index, top);",
  },
  {
    name: "a packet is marked ready after it was pushed",
    place: `${STEPS} StacksClientSteps.post`,
    from: "words.store(layout.phaseWord + index, Phase.ready); this.#stacks.pushReady(index);",
    to: "this.#stacks.pushReady(index); words.store(layout.phaseWord + index, Phase.ready);",
  },
  {
    name: "a client leaves a packet by a load and a store",
    clients: [["cast"]],
    place: `${STEPS} StacksClientSteps.leave`,
    from: "const held = words.compareExchange(phaseWord, Phase.ready, Phase.left);",
    to:
      "const held: number = words.load(phaseWord); if (held === Phase.ready) words.store(phaseWord, Phase.left);",
  },
  {
    name: "an answer is looked for without order",
    sleeps: true,
    place: "wait/inbox_waiter.ts InboxWaiter.wait",
    from: "if ((this.#words.load(word) >>> shift",
    to: "if ((this.#words.peek(word) >>> shift",
  },
  {
    name: "who frees a packet wakes nobody",
    clients: [["cast", "call"]],
    sleeps: true,
    place: `${STACKS} Stacks.free`,
    from: "freeBell.ring();",
    to: "void freeBell;",
  },
  {
    name: "a server wakes a client before it answers",
    sleeps: true,
    place: `${STEPS} StacksServerSteps.answer`,
    from: "const held = words.exchange(",
    to: "this.#channel.wake(index); const held = words.exchange(",
    also: [{
      place: `${STEPS} StacksServerSteps.answer`,
      from: "else this.#channel.wake(index);",
    }],
  },
];
