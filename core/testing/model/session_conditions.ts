import type { Condition } from "../explorer/operation.ts";
import type { SessionSetting } from "./session_setting.ts";

/** What {@linkcode workOrEnd} returns when every client has ended. */
export const ENDED = 2;
const WORK = 1;

/** Whether a client that looks for a port would find one. */
export function freePort({ plan: { portCount }, layout }: SessionSetting): Condition {
  const { clientLockWord, clientOutboxWord, serverOutboxWord } = layout;
  const ports = Array.from({ length: portCount }, (_, index) => index);
  return {
    text: "a port is free",
    words: [clientLockWord, clientOutboxWord, serverOutboxWord]
      .flatMap((word) => ports.map((index) => word + index)),
    outcome: (memory) => {
      const isFree = (index: number) =>
        memory[clientLockWord + index] === 0 &&
        memory[clientOutboxWord + index] === memory[serverOutboxWord + index];
      return Number(ports.some(isFree));
    },
  };
}

/** Whether a search by hints would find something: a call whose hint was lost does not count. */
export function workOrEnd({ plan, layout, monitors: { doneWord } }: SessionSetting): Condition {
  const { clientOutboxWord, serverOutboxWord, serverLockWord, hintWord } = layout;
  const ports = Array.from({ length: plan.portCount }, (_, index) => index);
  return {
    text: "there is work, or no client",
    words: [clientOutboxWord, serverOutboxWord, serverLockWord]
      .flatMap((word) => ports.map((index) => word + index)).concat(hintWord, doneWord),
    outcome: (memory) => {
      const isReady = (index: number) =>
        memory[clientOutboxWord + index] !== memory[serverOutboxWord + index] &&
        (memory[hintWord]! >> index & 1) === 1 && memory[serverLockWord + index] === 0;
      return memory[doneWord] === plan.clientCount ? ENDED : ports.some(isReady) ? WORK : 0;
    },
  };
}

/** Whether the inbox of a port, whose words begin at `inboxWord`, has changed. */
export function inboxChange(inboxWord: number, index: number, foreign: number): Condition {
  const word = inboxWord + index;
  return {
    text: `inbox of ${index}`,
    words: [word],
    isLoad: true,
    outcome: (memory) => Number(memory[word] !== foreign),
  };
}
