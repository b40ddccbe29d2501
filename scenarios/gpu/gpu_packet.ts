import { PACKET_LAYOUTS } from "../../core/internal.ts";
import type { Scenario } from "../scenario.ts";
import { oneDispatchPingPong, prepareOneDispatch } from "./gpu_live.ts";

const axes = {
  packetLayout: PACKET_LAYOUTS,
  /** Lanes of the client's workgroup and of the server's. */
  laneCount: [1, 8, 32],
} as const;

/** A call between two workgroups of one dispatch, a word of each lane: see `gpu_live`. */
export const gpuPacket: Scenario<typeof axes> = {
  name: "gpu_packet",
  question: "Does it matter on a GPU how the words of its lanes lie in a packet?",
  axes,
  compares: "packetLayout",
  floor: oneDispatchPingPong,
  needsAdapter: true,
  setup: (point) => prepareOneDispatch({ ...point, portCount: 1, lock: "fetch-or" }),
};
