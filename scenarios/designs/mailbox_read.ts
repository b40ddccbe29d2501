import { DESIGN_AXES } from "../../core/internal.ts";
import { prepareCalls } from "../calls/increment_server.ts";
import type { Control, Scenario } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";

const axes = {
  mailboxRead: DESIGN_AXES.mailboxRead,
  portCount: [1, 64],
  laneCount: [1, 64],
} as const;

/** The same call as LLVM libc makes it, in turn with the point's own. */
const byOutbox: Control<typeof axes> = {
  name: "outbox",
  setup: (point, partner) => prepareCalls({ ...point, mailboxRead: "outbox" }, partner),
};

/** One synchronous call, by where each side looks for what its own outbox holds. */
export const mailboxRead: Scenario<typeof axes> = {
  name: "mailbox_read",
  question: "Should a side read its own outbox, which the other side polls, or a copy of it?",
  axes,
  compares: "mailboxRead",
  floor: pingPong,
  references: [byOutbox],
  mainReference: "outbox",
  isPair: true,
  setup: (point, partner) => prepareCalls(point, partner),
};
