import type { ChannelLayout } from "../../toggle/layout.ts";
import type { Side } from "../../toggle/side.ts";
import type { Condition } from "../explorer/operation.ts";
import { isBalanced, isUnlocked, lockPlace, outboxPlace, type Place } from "./channel_places.ts";
import type { SessionSetting } from "./session_setting.ts";

/** What {@linkcode workOrEnd} returns when every client has ended. */
export const ENDED = 2;
const WORK = 1;

/** Whether a client that looks for a port would find one. */
export function freePort({ plan: { portCount }, layout }: SessionSetting): Condition {
  const ports = Array.from({ length: portCount }, (_, index) => index);
  return {
    text: "a port is free",
    words: ports.flatMap((index) => wordsOf(layout, "client", index)),
    outcome: (memory) => {
      const isFree = (index: number) =>
        isUnlocked(memory, { layout, side: "client", index }) && isBalanced(memory, layout, index);
      return Number(ports.some(isFree));
    },
  };
}

/** Whether a search would find something: where it goes by hints, a call whose hint was lost does not count. */
export function workOrEnd(setting: SessionSetting): Condition {
  const { plan, layout, monitors: { doneWord } } = setting;
  const { hintWord, discovery } = layout;
  const ports = Array.from({ length: plan.portCount }, (_, index) => index);
  return {
    text: "there is work, or no client",
    words: ports.flatMap((index) => wordsOf(layout, "server", index)).concat(hintWord, doneWord),
    outcome: (memory) => {
      const isReady = (index: number) =>
        !isBalanced(memory, layout, index) &&
        (discovery !== "hint" || (memory[hintWord]! >> index & 1) === 1) &&
        isUnlocked(memory, { layout, side: "server", index });
      return areAllDone(setting, memory) ? ENDED : ports.some(isReady) ? WORK : 0;
    },
  };
}

/** The words that say whether a side may claim a port. */
function wordsOf(layout: ChannelLayout, side: Side, index: number): number[] {
  return [
    outboxPlace(layout, "client", index).word,
    outboxPlace(layout, "server", index).word,
    lockPlace(layout, side, index).word,
  ];
}

/** Whether the inbox of a port, which the other side writes, has changed. */
export function inboxChange(inbox: Place, index: number, foreign: number): Condition {
  return {
    text: `inbox of ${index}`,
    words: [inbox.word],
    isLoad: true,
    outcome: (memory) => Number(inbox.valueIn(memory[inbox.word]!) !== foreign),
  };
}

/** Whether every client has ended. */
export function areAllDone({ plan, monitors }: SessionSetting, memory: Int32Array): boolean {
  return memory[monitors.doneWord] === 2 ** plan.clientCount - 1;
}
