import type { FourPhaseLayout } from "../../four_phase/layout.ts";
import type { ProtocolRules, Write } from "./packet_plan.ts";

/** The four-phase protocol: an outbox is written only under its side's lock, and as the table says. */
export const FOUR_PHASE: ProtocolRules<FourPhaseLayout> = {
  module: "four_phase/mod.ts",
  name: "FOUR_PHASE",
  looks: [
    { field: "four_phase/four_phase.ts FourPhaseClientSteps.#home" },
    { field: "one_packet/handshake.ts HandshakeServerSteps.#next" },
  ],
  protocolWords: ({ packetCount, ...layout }) =>
    [
      layout.clientOutboxWord,
      layout.clientLockWord,
      layout.serverOutboxWord,
      layout.serverLockWord,
    ].flatMap((word) => Array.from({ length: packetCount }, (_, index) => word + index)),
  objection: (layout, memory, write) =>
    outboxObjection(layout, memory, write) ?? lockObjection(layout, memory, write),
  mayClaim: (layout, memory) =>
    indexesOf(layout).some((index) =>
      memory[layout.clientLockWord + index] === 0 &&
      memory[layout.clientOutboxWord + index] === memory[layout.serverOutboxWord + index]
    ),
  hasWork: (layout, memory) =>
    indexesOf(layout).some((index) =>
      memory[layout.serverLockWord + index] === 0 &&
      memory[layout.clientOutboxWord + index] !== memory[layout.serverOutboxWord + index]
    ),
  isAnswered: (layout, memory, index) => memory[layout.serverOutboxWord + index] !== 0,
  isAtRest: (layout, memory) =>
    indexesOf(layout).every((index) =>
      // Idle, or the result of an asynchronous call, which the next client collects.
      memory[layout.clientOutboxWord + index] === memory[layout.serverOutboxWord + index] &&
      memory[layout.clientLockWord + index] === 0 && memory[layout.serverLockWord + index] === 0
    ),
};

function indexesOf({ packetCount }: FourPhaseLayout): number[] {
  return Array.from({ length: packetCount }, (_, index) => index);
}

/** From idle on, client and server write in turns. */
function outboxObjection(layout: FourPhaseLayout, memory: Int32Array, { word, next }: Write) {
  const { packetCount, clientOutboxWord, serverOutboxWord } = layout;
  const isClients = word >= clientOutboxWord && word < clientOutboxWord + packetCount;
  const isServers = word >= serverOutboxWord && word < serverOutboxWord + packetCount;
  if (!isClients && !isServers) return undefined;
  const index = word - (isClients ? clientOutboxWord : serverOutboxWord);
  const lockWord = isClients ? layout.clientLockWord : layout.serverLockWord;
  if (memory[lockWord + index] === 0) return `Outbox ${index} is written without its lock`;
  const peer = memory[(isClients ? serverOutboxWord : clientOutboxWord) + index]!;
  const expected = isClients ? 1 - peer : peer;
  const isTurn = next === expected && memory[word] !== next;
  return isTurn ? undefined : `Outbox ${index} is written against the table`;
}

/** A lock is dropped only by its holder, so never when it is free. */
function lockObjection(layout: FourPhaseLayout, memory: Int32Array, { word, next }: Write) {
  const { packetCount, clientLockWord, serverLockWord } = layout;
  const isLock = [clientLockWord, serverLockWord].some((first) =>
    word >= first && word < first + packetCount
  );
  if (!isLock || memory[word] !== next) return undefined;
  return `A lock is ${next === 0 ? "dropped though it is free" : "taken though it is held"}`;
}
