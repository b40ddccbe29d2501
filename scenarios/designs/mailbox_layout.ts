import { DESIGN_AXES, designFault } from "../../core/internal.ts";
import { prepareCalls } from "../calls/increment_server.ts";
import type { Scenario } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";

const axes = {
  mailboxWidth: DESIGN_AXES.mailboxWidth,
  mailboxUpdate: DESIGN_AXES.mailboxUpdate,
  portCount: [1, 64, 4096],
} as const;

/** One synchronous call, by the memory that a mailbox has and the access that flips it. */
export const mailboxLayout: Scenario<typeof axes> = {
  name: "mailbox_layout",
  question: "How wide should a mailbox be, and by which access should it be flipped?",
  axes,
  compares: "mailboxWidth",
  floor: pingPong,
  isPair: true,
  skip: designFault,
  setup: (point, partner) => prepareCalls({ ...point, laneCount: 1 }, partner),
};
