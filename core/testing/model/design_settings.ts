import type * as Core from "../explorer/whole_core.ts";

const BIT = { mailboxWidth: "bit", mailboxUpdate: "fetch-add" } as const;

/** Each value of each axis at least once, beside the default, with as little else as it takes. */
export const DESIGNS: readonly Partial<Core.ChannelDesign>[] = [
  { portLock: "fetch-or" },
  { portLock: "cas" },
  { portLock: "fetch-add" },
  { portLock: "exchange" },
  { portLock: "held" },
  { mailboxWidth: "padded" },
  { mailboxWidth: "word" },
  { mailboxWidth: "beside" },
  BIT,
  { mailboxUpdate: "exchange" },
  { mailboxUpdate: "fetch-add" },
  { mailboxUpdate: "fetch-xor" },
  { mailboxUpdate: "cas" },
  { mailboxWidth: "bit", mailboxUpdate: "fetch-xor" },
  { mailboxWidth: "bit", mailboxUpdate: "cas" },
  { discovery: "scan" },
  { ...BIT, discovery: "bitmap" },
  { start: "first" },
  { start: "hashed" },
  { start: "rotating" },
  { mailboxRead: "outbox" },
];

/** In which many calls are sent, locked and answered by the word. */
export const BY_WORDS = {
  portLock: "fetch-or",
  mailboxWidth: "bit",
  mailboxUpdate: "fetch-xor",
  discovery: "bitmap",
} as const;

/** In words: only what is not the default. */
export function designName(design: Partial<Core.ChannelDesign>): string {
  if (design === BY_WORDS) return "by words";
  return Object.entries(design).map(([axis, value]) => `${axis} ${value}`).join(" and ");
}
