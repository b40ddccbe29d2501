import type { SourceFault } from "../explorer/changed_core.ts";
import type { LivePlan } from "./live_model.ts";

/** A change of the text of the waves' port, `live_port.wgsl`, which must say `from` once. */
interface WgslFault {
  readonly wgsl: { readonly from: string; readonly to: string };
}

/** A fault where waves, sleepers and the ringer meet, and the smallest plan in which it shows. */
export type PlantedLiveFault =
  & { readonly name: string }
  & Pick<LivePlan, "waveCalls" | "others" | "ringer">
  & (WgslFault | { readonly source: SourceFault } | Required<Pick<LivePlan, "ringer">>);

const ONE_CAST = { waveCalls: ["cast"] } as const;
const TWO_CASTS = { waveCalls: ["cast", "cast"] } as const;
const BESIDE = { waveCalls: ["cast"], others: [["cast"]] } as const;

export const PLANTED_LIVE_FAULTS: readonly PlantedLiveFault[] = [
  {
    name: "a wave marks the hint before it flips",
    ...TWO_CASTS,
    wgsl: {
      from: "let mine = side_give(index); side_mark(index, true);",
      to: "side_mark(index, true); let mine = side_give(index);",
    },
  },
  {
    name: "a wave flips by a store, which is late when it looks at the hint",
    ...TWO_CASTS,
    wgsl: {
      from: "_ = atomicExchange(&channel[word], turn);",
      to: "atomicStore(&channel[word], turn);",
    },
  },
  {
    name: "a wave does not ask the host to wake a server",
    ...ONE_CAST,
    wgsl: { from: "atomicLoad(&channel[SLEEPERS_WORD]) != 0u", to: "index >= PORT_COUNT" },
  },
  {
    name: "a wave that unlocks asks nobody to wake who waits for the port",
    ...BESIDE,
    wgsl: { from: "if side_unlock(index) { ring(); } }", to: "_ = side_unlock(index); }" },
  },
  {
    name: "a wave asks to wake who waits for the port before it unlocks",
    ...BESIDE,
    wgsl: {
      from: "if side_unlock(index) { ring(); } }",
      to:
        "if atomicLoad(&channel[LOCK_WORD + index]) != owner_id { ring(); } _ = side_unlock(index); }",
    },
  },
  {
    name: "a wave does not look again after it took the lock",
    ...TWO_CASTS,
    wgsl: {
      from: "if side_owns(index) { found = index; } else { port_unlock(index); }",
      to: "found = index;",
    },
  },
  {
    name: "a wave flips without its turn",
    waveCalls: ["call"],
    wgsl: { from: "payload[TURN_WORD + index] = turn;", to: "" },
  },
  {
    name: "the ringer reads the word again behind the wakes",
    ...TWO_CASTS,
    ringer: "looks late",
  },
  {
    name: "the ringer does not look once more when the last wave has ended",
    ...ONE_CAST,
    ringer: "ends early",
  },
  {
    name: "a doorbell is lost between the server's look at the queue and its sleep",
    ...ONE_CAST,
    source: {
      place: "toggle/server/work_search.ts WorkSearch.#canSleep",
      from: "if (this.#finder.findLast() !== NO_PORT) return false;",
      to: "",
    },
  },
];
