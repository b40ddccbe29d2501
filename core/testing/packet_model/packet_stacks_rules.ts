import { Phase, type StacksLayout } from "../../packet_stacks/layout.ts";
import { NO_LINK, TaggedLinks } from "../../packet_stacks/stacks.ts";
import type { ProtocolRules } from "./packet_plan.ts";

/** Packet stacks: each packet is on one stack at a time, or has one holder. */
export const PACKET_STACKS: ProtocolRules<StacksLayout> = {
  module: "packet_stacks/mod.ts",
  name: "PACKET_STACKS",
  looks: [{ field: "packet_stacks/packet_stacks.ts StacksServerSteps.#taken" }],
  protocolWords: (layout) => [
    layout.freeTopWord,
    layout.readyTopWord,
    ...[layout.nextWord, layout.tagWord, layout.phaseWord].flatMap((word) =>
      Array.from({ length: layout.packetCount }, (_, index) => word + index)
    ),
  ],
  objection(layout, memory, { word, next }) {
    const index = word - layout.phaseWord;
    if (index < 0 || index >= layout.packetCount) return undefined;
    // From answered to ready, from there to left or to answered, from left to answered.
    const held = memory[word];
    const isStep = next === Phase.ready ? held === Phase.answered : held !== Phase.answered;
    return isStep ? undefined : `Phase ${index} goes from ${held} to ${next}`;
  },
  mayClaim: (layout, memory) => memory[layout.freeTopWord] !== NO_LINK,
  hasWork: (layout, memory) => memory[layout.readyTopWord] !== NO_LINK,
  isAnswered: (layout, memory, index) => memory[layout.phaseWord + index] !== Phase.ready,
  isAtRest(layout, memory) {
    const links = new TaggedLinks(layout.packetCount);
    const free = new Set<number>();
    let link = memory[layout.freeTopWord]!;
    for (let count = 0; count < layout.packetCount; count++) {
      const index = links.indexOf(link);
      if (index === undefined) return false;
      free.add(index);
      link = memory[layout.nextWord + index]!;
    }
    return link === NO_LINK && free.size === layout.packetCount &&
      memory[layout.readyTopWord] === NO_LINK;
  },
};
