import type { Words } from "../memory/words.ts";
import {
  attachWords,
  checkKind,
  createWords,
  handleOf,
  PacketChannel,
} from "../one_packet/packet_channel.ts";
import { Doorbell } from "../wait/doorbell.ts";
import { type GwhtLayout, gwhtLayout, type GwhtShape } from "./layout.ts";

/** "GWHT" in ASCII. */
const FORMAT = { kind: "portlab.gwht", magic: 0x47574854 };

/** What travels to another isolate, by `postMessage`, to attach to a channel. */
export interface GwhtHandle extends GwhtShape {
  readonly kind: string;
  /** The memory itself, which is shared and not copied. */
  readonly buffer: SharedArrayBuffer;
}

/**
 * A shared memory in which calls are carried by four booleans a slot: GPU, WAVE, HOST, THREAD.
 *
 * @example One call, both sides in one thread
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client/client.ts";
 * import { Server } from "./server/server.ts";
 * const channel = Channel.create({ slotCount: 4 });
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
export class Channel extends PacketChannel<GwhtLayout> {
  /** @internal Wakes clients that wait for an answer: there is one bell for all slots. */
  readonly answerBell: Doorbell;

  /** @internal For the explorer, which has words of its own. */
  constructor(layout: GwhtLayout, words: Words) {
    super(layout, words);
    const { answerWord } = layout;
    this.answerBell = new Doorbell(words, { sleepersWord: answerWord, bellWord: answerWord + 1 });
  }

  /**
   * Makes a channel, and its memory.
   *
   * @throws {RangeError} when the count is not an integer within its bounds
   */
  static create(shape: GwhtShape): Channel {
    const layout = gwhtLayout(shape);
    return new Channel(layout, createWords(FORMAT, layout));
  }

  /**
   * The channel of a handle that came from another isolate.
   *
   * @throws {TypeError} when it is no handle of a GWHT channel, or does not fit its memory
   * @throws {RangeError} when its count is none
   */
  static attach(handle: GwhtHandle): Channel {
    checkKind(FORMAT, handle);
    const layout = gwhtLayout(handle);
    const { packetCount, laneCount } = layout;
    const packets = { kind: handle.kind, buffer: handle.buffer, packetCount, laneCount };
    return new Channel(layout, attachWords(FORMAT, layout, packets));
  }

  /** What to post to another isolate. */
  get handle(): GwhtHandle {
    const { kind, buffer } = handleOf(FORMAT, this);
    return { kind, buffer, slotCount: this.layout.packetCount };
  }

  /** As `PacketChannel.stop`. */
  override stop(): void {
    super.stop();
    this.answerBell.wakeAll();
  }
}
