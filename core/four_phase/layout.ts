import { assert } from "../memory/assert.ts";
import { REGION_BYTES, Regions } from "../memory/regions.ts";
import { type PacketMemory, type PacketShape, takePackets } from "../one_packet/packet_channel.ts";

/**
 * Every offset and size of a four-phase channel, in words from the start of the buffer. Frozen, and the
 * same in every isolate for the same shape. A port is a word in each of the first four regions.
 *
 * ```text
 * clientOutbox  packetCount x u32                client, under its lock (the server's inbox)
 * serverOutbox  packetCount x u32                server, under its lock (the client's inbox)
 * clientLock    packetCount x u32                client: 1 while a client holds the port
 * serverLock    packetCount x u32                server: 1 while a server holds the port
 * control       128 words                        see `ControlWord`
 * parked        packetCount x u32                client sets it, its waker clears it
 * headers       packetCount x 16 B               owner of the packet
 * packets       packetCount x laneCount x 64 B   owner of the packet
 * ```
 */
export interface FourPhaseLayout extends PacketMemory {
  readonly clientOutboxWord: number;
  readonly serverOutboxWord: number;
  readonly clientLockWord: number;
  readonly serverLockWord: number;
}

/**
 * Lays out a channel.
 *
 * @throws {RangeError} when a count is not an integer within its bounds
 */
export function fourPhaseLayout(shape: PacketShape): FourPhaseLayout {
  const { packetCount } = shape;
  const regions = new Regions();
  const layout = {
    clientOutboxWord: regions.take(packetCount),
    clientLockWord: regions.take(packetCount),
    serverOutboxWord: regions.take(packetCount),
    serverLockWord: regions.take(packetCount),
    ...takePackets(regions, shape),
  };
  assert(
    layout.serverOutboxWord - layout.clientOutboxWord >= REGION_BYTES / 4,
    "the mailboxes of the two sides share no cache line",
  );
  return Object.freeze(layout);
}
