import type { Words } from "../memory/words.ts";
import {
  attachWords,
  checkKind,
  createWords,
  handleOf,
  PacketChannel,
} from "../one_packet/packet_channel.ts";
import { type RingLayout, ringLayout, type RingShape } from "./layout.ts";
import { ReturnSlots } from "./return_slots.ts";

/** "RING" in ASCII. */
const FORMAT = { kind: "portlab.command_ring", magic: 0x52494e47 };

/** What travels to another isolate, by `postMessage`, to attach to a ring. */
export interface RingHandle extends RingShape {
  readonly kind: string;
  /** The memory itself, which is shared and not copied. */
  readonly buffer: SharedArrayBuffer;
}

/**
 * A shared memory into which clients write commands, and one host reads them.
 *
 * @example One call, both sides in one thread
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client/client.ts";
 * import { Server } from "./server/server.ts";
 * const channel = Channel.create({ slotCount: 4, cellCount: 16 });
 * const server = new Server(channel); // usually in another worker, with Channel.attach()
 * server.register("sum", (bytes) => bytes.reduce((sum, byte) => sum + byte, 0));
 * const sent = new Client(channel).trySubmit("sum", new Uint8Array([20, 22]));
 * server.serveOnce();
 * if (sent.kind !== "sent" || sent.call.tryTake() !== 42n) throw new Error("20 + 22");
 * ```
 */
export class Channel extends PacketChannel<RingLayout> {
  /** @internal For the explorer, which has words of its own. */
  constructor(layout: RingLayout, words: Words) {
    super(layout, words);
  }

  /**
   * Makes a ring, and its memory.
   *
   * @throws {RangeError} when a count is not an integer within its bounds
   */
  static create(shape: RingShape): Channel {
    const layout = ringLayout(shape);
    return new Channel(layout, createWords(FORMAT, layout));
  }

  /**
   * The ring of a handle that came from another isolate.
   *
   * @throws {TypeError} when it is no handle of a command ring, or does not fit its memory
   * @throws {RangeError} when its counts are none
   */
  static attach(handle: RingHandle): Channel {
    checkKind(FORMAT, handle);
    const layout = ringLayout(handle);
    const { slotCount: packetCount } = handle;
    const packets = { ...handle, packetCount, laneCount: 1 };
    return new Channel(layout, attachWords(FORMAT, layout, packets));
  }

  /** What to post to another isolate. */
  get handle(): RingHandle {
    const { kind, buffer } = handleOf(FORMAT, this);
    const { slotCount, cellCount } = this.layout;
    return { kind, buffer, slotCount, cellCount };
  }

  /**
   * Ends the ring for everybody, by the host or by whoever knows that it died: an error is in all
   * slots, servers return from `serve`. Bounded; may be repeated.
   */
  override stop(): void {
    super.stop();
    new ReturnSlots(this).failAll();
  }
}
