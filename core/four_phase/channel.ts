import type { Words } from "../memory/words.ts";
import {
  attachWords,
  checkKind,
  createWords,
  handleOf,
  PacketChannel,
  type PacketHandle,
  type PacketShape,
} from "../one_packet/packet_channel.ts";
import { type FourPhaseLayout, fourPhaseLayout } from "./layout.ts";

/** "4PHS" in ASCII. */
const FORMAT = { kind: "portlab.four_phase", magic: 0x34504853 };

/**
 * A shared memory in which calls are carried by the four-phase protocol.
 *
 * @example One call, both sides in one thread
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client/client.ts";
 * import { Server } from "./server/server.ts";
 * const channel = Channel.create({ packetCount: 4, laneCount: 1 });
 * const server = new Server(channel); // usually in another worker, with Channel.attach()
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 * const call = new Client(channel).tryPost(40_000, (packet) => packet.setUint32(0, 0, 41))!;
 * server.serveOnce();
 * const isOver = call.tryFinish((packet) => {
 *   if (packet.getUint32(0, 0) !== 42) throw new Error("41 + 1");
 * });
 * if (!isOver) throw new Error("it was served");
 * ```
 */
export class Channel extends PacketChannel<FourPhaseLayout> {
  /** @internal For the explorer, which has words of its own. */
  constructor(layout: FourPhaseLayout, words: Words) {
    super(layout, words);
  }

  /**
   * Makes a channel, and its memory.
   *
   * @throws {RangeError} when a count is not an integer within its bounds
   */
  static create(shape: PacketShape): Channel {
    const layout = fourPhaseLayout(shape);
    return new Channel(layout, createWords(FORMAT, layout));
  }

  /**
   * The channel of a handle that came from another isolate.
   *
   * @throws {TypeError} when it is no handle of a four-phase channel, or does not fit its memory
   * @throws {RangeError} when its counts are none
   */
  static attach(handle: PacketHandle): Channel {
    checkKind(FORMAT, handle);
    const layout = fourPhaseLayout(handle);
    return new Channel(layout, attachWords(FORMAT, layout, handle));
  }

  /** What to post to another isolate. */
  get handle(): PacketHandle {
    return handleOf(FORMAT, this);
  }
}
