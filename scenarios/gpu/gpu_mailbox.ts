import { DESIGN_AXES } from "../../core/internal.ts";
import type { Scenario } from "../scenario.ts";
import { oneDispatchPingPong, prepareOneDispatchPingPong } from "./gpu_live.ts";

const axes = { mailboxUpdate: DESIGN_AXES.mailboxUpdate } as const;

/** WGSL that gives a word the number of a turn, one more than it has, by each access. */
const FLIPS: Readonly<Record<typeof axes.mailboxUpdate[number], string>> = {
  store: "atomicStore(&words[word], turn);",
  exchange: "_ = atomicExchange(&words[word], turn);",
  "fetch-add": "atomicAdd(&words[word], 1u);",
  "fetch-xor": "atomicXor(&words[word], turn ^ (turn - 1u));",
  cas: "while !atomicCompareExchangeWeak(&words[word], turn - 1u, turn).exchanged {}",
};

/** Two workgroups of one dispatch hand a turn to each other: what a mailbox does, without the packet. */
export const gpuMailbox: Scenario<typeof axes> = {
  name: "gpu_mailbox",
  question: "By which atomic should a mailbox be flipped on a GPU?",
  axes,
  compares: "mailboxUpdate",
  floor: oneDispatchPingPong,
  needsAdapter: true,
  setup: ({ mailboxUpdate }) => prepareOneDispatchPingPong(FLIPS[mailboxUpdate]),
};
