import { type Axes, oneAxisAtATime } from "../axis.ts";
import type { Scenario } from "../scenario.ts";
import { FLIPS, livePingPong, prepareLivePingPong } from "./live_ping_pong.ts";

/** A sample is one dispatch, which takes some tenths of a millisecond to begin. */
const SAMPLE_SECONDS_MIN = 0.02;

const axes = {
  /** By which access both sides change their mailbox. */
  update: Object.keys(FLIPS) as readonly (keyof typeof FLIPS)[],
  /** Where the mailboxes lie. */
  place: ["apart", "one_line"],
} as const satisfies Axes;

/**
 * The oldest question of the lab, asked where it was meant: between a running kernel and its host. The
 * flips alone, without the rest of a call.
 */
export const liveUpdate: Scenario<typeof axes> = {
  name: "live_update",
  question: "By which access does a running wave change its mailbox the quickest?",
  axes,
  floor: { ...livePingPong, sampleSecondsMin: SAMPLE_SECONDS_MIN },
  needsAdapter: true,
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  points: () => oneAxisAtATime(axes, { update: "exchange", place: "apart" }),
  setup: ({ update, place }) => prepareLivePingPong({ update, isOneLine: place === "one_line" }),
};
