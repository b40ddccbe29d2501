import { TextWriter } from "../text/text_writer.ts";
import { recvStream, recvStreamAsync } from "../call/stream.ts";
import type { Packet } from "../memory/packet.ts";
import type { ServerPort } from "../toggle/server/server_port.ts";
import type { Host } from "./host.ts";

/** Adds the text that a lane's stream means, so many bytes from the beginning of a memory. */
export type StreamText = (writer: TextWriter, stream: DataView, streamBytes: number) => void;

/** Two words of length begin a lane's stream. */
const HEAD_WORDS = 2;

/**
 * Serves calls in which each lane sends a stream and receives how many bytes of its text were written.
 *
 * Streams that end within one packet, as nearly all do, are read where they lie, by way of one memory for
 * all lanes and calls. The texts of all lanes of a call are one write.
 */
export class TextService {
  readonly #host: Host;
  readonly #limit: { readonly limitBytes: number };
  readonly #textOf: StreamText;
  readonly #writer = new TextWriter();
  #words = new Uint32Array(0);

  /** @param options the longest stream of a lane in bytes, and what becomes of it */
  constructor(
    host: Host,
    options: { readonly limitBytes: number; readonly textOf: StreamText },
  ) {
    this.#host = host;
    this.#limit = { limitBytes: options.limitBytes };
    this.#textOf = options.textOf;
  }

  serve(port: ServerPort): void {
    if (!this.#serveWhole(port)) this.#answer(port, this.#textsOf(recvStream(port, this.#limit)));
  }

  /** As {@linkcode serve}, without blocking the event loop. */
  async serveAsync(port: ServerPort): Promise<void> {
    if (this.#serveWhole(port)) return;
    this.#answer(port, this.#textsOf(await recvStreamAsync(port, this.#limit)));
  }

  /** Serves the call if its streams are in this packet; returns whether they are. */
  #serveWhole(port: ServerPort): boolean {
    let ends: readonly number[] | undefined;
    port.use((packet) => void (ends = this.#wholeTexts(packet)));
    if (ends) this.#answer(port, ends);
    return ends !== undefined;
  }

  /** Writes the texts of a packet's streams; returns where each ends, unless one goes on behind it. */
  #wholeTexts(packet: Packet): number[] | undefined {
    const { uint32, laneCount, laneStride, laneWords, wordStride } = packet;
    const restWords = laneWords - HEAD_WORDS;
    if (this.#words.length < restWords) this.#words = new Uint32Array(restWords);
    const words = this.#words;
    const stream = new DataView(words.buffer);
    const ends: number[] = [];
    this.#writer.cut();
    for (let lane = packet.firstLane; lane < laneCount; lane = packet.nextLane(lane)) {
      let place = lane * laneStride;
      // Read once: the other side could change it.
      const streamBytes = uint32[place]!;
      if (streamBytes > restWords * 4 || uint32[place + wordStride] !== 0) return undefined;
      place += HEAD_WORDS * wordStride;
      for (let word = 0; word * 4 < streamBytes; word++) {
        words[word] = uint32[place + word * wordStride]!;
      }
      this.#textOf(this.#writer, stream, streamBytes);
      ends.push(this.#writer.length);
    }
    return ends;
  }

  #textsOf(bytesByLane: readonly (Uint8Array | undefined)[]): number[] {
    const ends: number[] = [];
    this.#writer.cut();
    for (const bytes of bytesByLane) {
      if (!bytes) continue;
      const { buffer, byteOffset, byteLength } = bytes;
      this.#textOf(this.#writer, new DataView(buffer, byteOffset, byteLength), byteLength);
      ends.push(this.#writer.length);
    }
    return ends;
  }

  #answer(port: ServerPort, ends: readonly number[]): void {
    const written = serveWriteStdout(this.#host, { text: this.#writer.written, ends });
    port.send((packet) => {
      let at = 0;
      packet.forEachLane((lane) => packet.setUint32(lane, 0, written[at++]!));
    });
  }
}

interface LaneTexts {
  readonly text: Uint8Array;
  /** Where the text of each lane ends, in bytes, in the order of the lanes. */
  readonly ends: readonly number[];
}

/**
 * Writes the texts of all lanes to standard output in one piece: a write for each lane would cost more
 * than the text. Short writes are continued; a host that takes nothing ends the lane that it stands at,
 * and the next lane is tried.
 *
 * @returns how many bytes of each lane were written
 */
export function serveWriteStdout(host: Host, { text, ends }: LaneTexts): number[] {
  const written = ends.map((end, lane) => end - (lane === 0 ? 0 : ends[lane - 1]!));
  let offset = 0;
  while (offset < text.length) {
    const countBytes = host.writeStdout(text.subarray(offset));
    if (countBytes > 0) offset += countBytes;
    else {
      const at = offset;
      const lane = ends.findIndex((end) => end > at);
      written[lane]! -= ends[lane]! - at;
      offset = ends[lane]!;
    }
  }
  return written;
}
