import type { Look } from "../explorer/changed_core.ts";
import type { PacketChannel, PacketMemory } from "../../one_packet/packet_channel.ts";
import type { PacketProtocol } from "../../one_packet/packet_format.ts";
import type { WaiterName } from "../../wait/strategy.ts";

/** The exports of a protocol's module that a model uses, from a copy with looks. */
export interface PacketCore<Memory extends PacketMemory> {
  readonly PacketChannel: typeof PacketChannel;
  readonly protocol: PacketProtocol<Memory>;
}

/** The part of a model that each protocol has of its own. */
export interface ProtocolRules<Memory extends PacketMemory> {
  /** Its module, a path from `core/`, and what that exports the protocol as. */
  readonly module: string;
  readonly name: string;
  /** Fields in which its objects remember something. */
  readonly looks: readonly Look[];
  /** Its own words, besides those of every channel of packets. */
  protocolWords(layout: Memory): readonly number[];
  /** The error in writing `next` to one of its words; `undefined` when it is allowed. */
  objection(layout: Memory, memory: Int32Array, write: Write): string | undefined;
  /** Whether a client's search would find a packet now, or garbage to collect. */
  mayClaim(layout: Memory, memory: Int32Array): boolean;
  /** Whether a server's search would find work now, or garbage to clean up. */
  hasWork(layout: Memory, memory: Int32Array): boolean;
  /** Whether the answer is there. */
  isAnswered(layout: Memory, memory: Int32Array, index: number): boolean;
  /** Whether all calls are over, and each packet is free or collectable by the next client. */
  isAtRest(layout: Memory, memory: Int32Array): boolean;
}

/** A write of a word. */
export interface Write {
  readonly word: number;
  readonly next: number;
}

/**
 * One act of a client: a call, a cast, or `overlap`: two calls under way at once, of which the first ends
 * first.
 */
export type ClientAct = "call" | "cast" | "overlap";

/** The clients and servers of a model. */
export interface PacketPlan {
  /**
   * Whether the model runs real waits. Otherwise each wait is one step, which is possible when its condition
   * holds, and no one rings or wakes. False when absent.
   */
  readonly sleeps?: boolean;
  readonly packetCount: number;
  readonly clients: readonly (readonly ClientAct[])[];
  readonly serverCount: number;
}

/** The waiter of both sides: without real waits, one that never sleeps. */
export function waiterOf({ sleeps }: Pick<PacketPlan, "sleeps">): { readonly waiter: WaiterName } {
  return { waiter: sleeps ? "park" : "spin" };
}

/** The largest number of calls of a client. */
export const CALLS_MAX = 6;

/** The number of calls of these acts. */
export function callCount(acts: readonly ClientAct[]): number {
  return acts.reduce((sum, act) => sum + (act === "overlap" ? 2 : 1), 0);
}

/** Words after the channel, in which the model keeps what no thread may see. */
export interface ModelWords {
  /** A bit for each client that has ended. */
  readonly doneWord: number;
  /** A bit for each call that was served. */
  readonly servedWord: number;
  /** What a packet holds: one word each. */
  readonly dataWord: number;
}

/** A plan with its memory. */
export interface PacketSetting<Memory extends PacketMemory> {
  readonly plan: PacketPlan;
  readonly core: PacketCore<Memory>;
  readonly rules: ProtocolRules<Memory>;
  readonly layout: Memory;
  readonly at: ModelWords;
}
