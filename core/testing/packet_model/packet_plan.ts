import type { Look } from "../explorer/changed_core.ts";
import type { PacketChannel, PacketMemory } from "../../one_packet/packet_channel.ts";
import type { PacketClient, PacketClientOptions } from "../../one_packet/packet_client.ts";
import type { PacketServer, PacketServerOptions } from "../../one_packet/packet_server.ts";
import type { SharedWords, Words } from "../../memory/words.ts";
import type { WaiterName } from "../../wait/strategy.ts";

/** A channel class of a protocol of packets, as its folder exports it. */
type ChannelClass<Memory extends PacketMemory> =
  & (new (layout: Memory, words: Words) => PacketChannel<Memory>)
  & { create(shape: NewShape): PacketChannel<Memory> };

/** Of which a protocol takes what it has: GWHT calls its packets slots. */
interface NewShape {
  readonly packetCount: number;
  readonly slotCount: number;
  readonly laneCount: number;
}

/** What the folder of a protocol of packets exports. */
export interface PacketProtocol<Memory extends PacketMemory> {
  readonly Channel: ChannelClass<Memory>;
  readonly Client: new (
    channel: PacketChannel<Memory>,
    options: PacketClientOptions,
  ) => PacketClient;
  readonly Server: new (
    channel: PacketChannel<Memory>,
    options: PacketServerOptions,
  ) => PacketServer;
}

/** A protocol's own part of its model. */
export interface ProtocolRules<Memory extends PacketMemory> {
  /** Its module, a path from `core/`. */
  readonly module: string;
  /** What its objects remember. */
  readonly looks: readonly Look[];
  readonly laneCount: number;
  /** The words that it has beside those of every channel of packets. */
  protocolWords(layout: Memory): readonly number[];
  /** What is wrong with writing `next` into one of its words; absent when it may. */
  objection(layout: Memory, memory: Int32Array, write: Write): string | undefined;
  /** Whether a client that looks for a packet would find one now, or garbage to collect. */
  mayClaim(layout: Memory, memory: Int32Array): boolean;
  /** Whether a server that looks for work would find some now, or garbage to clean up. */
  hasWork(layout: Memory, memory: Int32Array): boolean;
  /** Whether the answer is there. */
  isAnswered(layout: Memory, memory: Int32Array, index: number): boolean;
  /** Whether all calls are over, and each packet is free or will be collected by who needs it. */
  isAtRest(layout: Memory, memory: Int32Array): boolean;
}

/** A write of a word. */
export interface Write {
  readonly word: number;
  readonly next: number;
}

/**
 * What a client does, one after the other: `call`; `cast`; `overlap`: two calls are under way, and the
 * first ends first.
 */
export type ClientAct = "call" | "cast" | "overlap";

/** Who takes part. */
export interface PacketPlan {
  /**
   * Whether waits are as they are; else each is one step, possible when what is waited for is there,
   * and nobody rings or wakes. False when absent.
   */
  readonly sleeps?: boolean;
  readonly packetCount: number;
  readonly clients: readonly (readonly ClientAct[])[];
  readonly serverCount: number;
}

/** How everybody waits: where nobody sleeps the loops of a waiter that never does are taken. */
export function waiterOf({ sleeps }: Pick<PacketPlan, "sleeps">): { readonly waiter: WaiterName } {
  return { waiter: sleeps ? "park" : "spin" };
}

/** Calls that a client makes at most. */
export const CALLS_MAX = 6;

/** How many calls an act makes. */
export function callCount(acts: readonly ClientAct[]): number {
  return acts.reduce((sum, act) => sum + (act === "overlap" ? 2 : 1), 0);
}

/** Words behind the channel, in which the model keeps what no thread may see. */
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
  readonly core: PacketProtocol<Memory>;
  readonly rules: ProtocolRules<Memory>;
  readonly layout: Memory;
  readonly at: ModelWords;
}

/** The memory of a new channel, as the product makes it. */
export function newMemory<Memory extends PacketMemory>(
  core: PacketProtocol<Memory>,
  shape: { readonly packetCount: number; readonly laneCount: number },
): { readonly layout: Memory; readonly plain: Int32Array } {
  const { layout, words } = core.Channel.create({ ...shape, slotCount: shape.packetCount });
  return { layout, plain: (words as SharedWords).plain };
}
