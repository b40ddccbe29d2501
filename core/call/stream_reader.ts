import { assert } from "../memory/assert.ts";
import type { Packet } from "../memory/packet.ts";
import { checkLimit, LengthRefusedError } from "./limit.ts";
import type { RecvBytesOptions } from "./stream.ts";
import {
  type Chunk,
  chunkOfPart,
  LENGTH_BYTES,
  partCount,
  type PartsWork,
  WINDOW_SHIFT,
  WINDOWS,
} from "./stream_window.ts";

/** Puts the packets of a stream together. */
export class StreamReader {
  readonly bytesByLane: (Uint8Array | undefined)[] = [];
  readonly #options: RecvBytesOptions;
  #longestBytes = 0;
  #laneBytes = 0;
  #window = 1;
  /** Where the next packet's bytes go; 0 before the first. */
  #offset = 0;

  constructor(options: RecvBytesOptions) {
    checkLimit(options.limitBytes);
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#offset >= this.#longestBytes;
  }

  /** What the other side offers to send in parts, once the first packet has come and more is to come. */
  get parts(): PartsWork | undefined {
    if (this.#window === 1 || this.isDone) return undefined;
    const rest = {
      laneBytes: this.#laneBytes,
      longestBytes: this.#longestBytes,
      window: this.#window,
    };
    const use = (packet: Packet, part: number) => this.#read(packet, chunkOfPart(rest, part));
    return { count: partCount(rest), window: this.#window, use };
  }

  take(packet: Packet): void {
    this.#laneBytes = packet.laneWords * 4;
    if (this.#offset === 0) return this.#takeFirst(packet, this.#laneBytes - LENGTH_BYTES);
    this.#read(packet, { offset: this.#offset, laneByte: 0, lengthBytes: this.#laneBytes });
    this.#offset += this.#laneBytes;
  }

  #read(packet: Packet, { offset, laneByte, lengthBytes }: Chunk): void {
    const end = offset + lengthBytes;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      const bytes = this.bytesByLane[lane]!;
      if (offset < bytes.length) packet.readLane(lane, bytes.subarray(offset, end), laneByte);
    }
  }

  #takeFirst(packet: Packet, firstBytes: number): void {
    const { lengthsBytes, window } = readLengths(packet, this.#options.limitBytes);
    this.#window = window;
    this.bytesByLane.length = packet.laneCount;
    this.bytesByLane.fill(undefined);
    for (const [lane, lengthBytes] of lengthsBytes) {
      const bytes = allocate(lengthBytes, lane, this.#options);
      packet.readLane(lane, bytes.subarray(0, firstBytes), LENGTH_BYTES);
      this.bytesByLane[lane] = bytes;
      this.#longestBytes = Math.max(this.#longestBytes, lengthBytes);
    }
    this.#offset = firstBytes;
  }
}

/**
 * Reads each length once: the other side could change it between a check and a use. The window is the
 * first lane's.
 */
function readLengths(
  packet: Packet,
  limitBytes: number,
): { readonly lengthsBytes: Map<number, number>; readonly window: number } {
  const lengthsBytes = new Map<number, number>();
  let window: number | undefined;
  packet.forEachLane((lane) => {
    const high = packet.getUint32(lane, 1);
    const windowOfLane = WINDOWS[high >>> WINDOW_SHIFT];
    // The bits of a window that there is not are taken for some of the length.
    const highBytes = windowOfLane === undefined ? high : high % 2 ** WINDOW_SHIFT;
    const lengthBytes = packet.getUint32(lane, 0) + highBytes * 2 ** 32;
    if (lengthBytes > limitBytes) {
      throw new LengthRefusedError(
        `Cannot receive a stream of ${lengthBytes} bytes on lane ${lane} as the limit is ${limitBytes}`,
      );
    }
    window ??= windowOfLane;
    lengthsBytes.set(lane, lengthBytes);
  });
  return { lengthsBytes, window: window ?? 1 };
}

function allocate(lengthBytes: number, lane: number, options: RecvBytesOptions): Uint8Array {
  const bytes = options.allocate?.(lengthBytes, lane) ?? new Uint8Array(lengthBytes);
  assert(bytes.length === lengthBytes, "an allocator returns as many bytes as it was asked for");
  return bytes;
}
