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
import { type StacksLayout, stacksLayout } from "./layout.ts";
import { Stacks } from "./stacks.ts";

/** "STAK" in ASCII. */
const FORMAT = { kind: "portlab.packet_stacks", magic: 0x5354414b };

/**
 * A shared memory in which calls are carried by packets that wander between two stacks.
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
export class Channel extends PacketChannel<StacksLayout> {
  /** @internal For the explorer, which has words of its own. */
  constructor(layout: StacksLayout, words: Words) {
    super(layout, words);
  }

  /**
   * Makes a channel, and its memory; all packets are free.
   *
   * @throws {RangeError} when a count is not an integer within its bounds
   */
  static create(shape: PacketShape): Channel {
    const layout = stacksLayout(shape);
    const channel = new Channel(layout, createWords(FORMAT, layout));
    const stacks = new Stacks(channel);
    for (let index = shape.packetCount - 1; index >= 0; index--) stacks.free(index);
    return channel;
  }

  /**
   * The channel of a handle that came from another isolate.
   *
   * @throws {TypeError} when it is no handle of packet stacks, or does not fit its memory
   * @throws {RangeError} when its counts are none
   */
  static attach(handle: PacketHandle): Channel {
    checkKind(FORMAT, handle);
    const layout = stacksLayout(handle);
    return new Channel(layout, attachWords(FORMAT, layout, handle));
  }

  /** What to post to another isolate. */
  get handle(): PacketHandle {
    return handleOf(FORMAT, this);
  }
}
