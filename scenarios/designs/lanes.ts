import type { LaneMask } from "../../core/mod.ts";
import { fullMask, PACKET_LAYOUTS } from "../../core/internal.ts";
import { allPoints, type Point } from "../axis.ts";
import { prepareMaskedCalls } from "../calls/masked_calls.ts";
import type { Scenario } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";

const axes = {
  packetLayout: PACKET_LAYOUTS,
  laneCount: [1, 8, 32, 64],
  /** Which lanes of the wave take part: every one, every second one, the first, or some in disorder. */
  taking: ["full", "half", "one", "random"],
} as const;

type LanesPoint = Point<typeof axes>;

/** Bits of each pattern that is not full, for the low and the high 32 lanes; "random" was drawn once. */
const PATTERNS = {
  half: { lo: 0x55555555, hi: 0x55555555 },
  one: { lo: 1, hi: 0 },
  random: { lo: 0xb5297a4d, hi: 0x68e31da4 },
} as const;

/** One call by the lanes of a wave, by how their words lie in the packet. */
export const lanes: Scenario<typeof axes> = {
  name: "lanes",
  question:
    "What does a call cost as lanes grow, by the layout of the packet and by who takes part?",
  axes,
  compares: "packetLayout",
  floor: pingPong,
  isPair: true,
  *points() {
    yield* allPoints({ ...axes, taking: ["full"] });
    yield* allPoints({ ...axes, laneCount: [64], taking: ["half", "one", "random"] });
  },
  targets: ([[32, 1.5], [64, 1.8]] as const).map(([laneCount, limit]) => ({
    text: `${laneCount} lanes of one word, word-major, in calls of 1 lane`,
    where: { laneCount, taking: "full", packetLayout: "word-major" },
    figure: { kind: "timesPoint", point: { laneCount: 1 } },
    bound: "at most",
    limit,
  })),
  skip: ({ laneCount, taking }) =>
    laneCount === 1 && taking !== "full" ? "one lane takes part, or there is no call" : undefined,
  setup: ({ packetLayout, laneCount, taking }, partner) => {
    const shape = { portCount: 1, laneCount, packetLayout };
    return prepareMaskedCalls(shape, partner, maskAt({ laneCount, taking }));
  },
};

function maskAt({ laneCount, taking }: Omit<LanesPoint, "packetLayout">): LaneMask | undefined {
  if (taking === "full") return undefined;
  const { lo, hi } = fullMask(laneCount);
  const pattern = PATTERNS[taking];
  return { lo: (lo & pattern.lo) >>> 0, hi: (hi & pattern.hi) >>> 0 };
}
