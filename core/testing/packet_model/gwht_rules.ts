import type { GwhtLayout } from "../../gwht/layout.ts";
import type { ProtocolRules, Write } from "./packet_plan.ts";

/** The bits of a slot, in models of at most 32. */
function bitsOf(layout: GwhtLayout, memory: Int32Array, index: number) {
  const bit = (word: number) => (memory[word]! >>> index & 1) === 1;
  return {
    gpu: bit(layout.gpuWord),
    wave: bit(layout.waveWord),
    left: bit(layout.leftWord),
    host: bit(layout.hostWord),
    thread: bit(layout.threadWord),
  };
}

function slotsOf(layout: GwhtLayout, memory: Int32Array) {
  return Array.from({ length: layout.packetCount }, (_, index) => bitsOf(layout, memory, index));
}

/** GWHT: one bit changes at a time, along the order of a call. */
export const GWHT: ProtocolRules<GwhtLayout> = {
  module: "gwht/mod.ts",
  name: "GWHT",
  looks: [{ field: "one_packet/handshake.ts HandshakeServerSteps.#next" }],
  protocolWords: (layout) => [
    layout.gpuWord,
    layout.waveWord,
    layout.leftWord,
    layout.hostWord,
    layout.threadWord,
  ],
  objection(layout, memory, write) {
    const flipped = write.next ^ memory[write.word]!;
    if (flipped === 0) return undefined;
    if ((flipped & flipped - 1) !== 0) return "Bits of several slots change in one step";
    const index = 31 - Math.clz32(flipped);
    const isSet = (write.next >>> index & 1) === 1;
    return bitObjection(layout, memory, { ...write, index, isSet });
  },
  mayClaim: (layout, memory) =>
    slotsOf(layout, memory).some(({ gpu, wave, host, left }) => !wave || (left && gpu === host)),
  hasWork: (layout, memory) =>
    slotsOf(layout, memory).some(({ gpu, host, thread }) => gpu !== host && !thread),
  isAnswered: (layout, memory, index) => bitsOf(layout, memory, index).host,
  isAtRest: (layout, memory) =>
    slotsOf(layout, memory).every(({ gpu, wave, host, left, thread }) =>
      // Free, or left with a step for the next client.
      gpu === host && !thread && wave === left && (wave || !gpu)
    ),
};

function bitObjection(
  layout: GwhtLayout,
  memory: Int32Array,
  { word, index, isSet }: Write & { readonly index: number; readonly isSet: boolean },
): string | undefined {
  const { gpu, wave, host, thread } = bitsOf(layout, memory, index);
  switch (word) {
    case layout.gpuWord:
      return wave && host !== isSet ? undefined : `G of ${index} flips out of turn`;
    case layout.waveWord:
      return gpu || host ? `W of ${index} flips while G or H is set` : undefined;
    case layout.hostWord:
      return thread && gpu === isSet ? undefined : `H of ${index} flips out of turn`;
    case layout.leftWord:
      return wave ? undefined : `Slot ${index} is left by nobody`;
  }
}
