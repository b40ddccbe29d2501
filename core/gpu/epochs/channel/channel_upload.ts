import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { IndexRanges } from "./index_ranges.ts";
import { STATUS_PLACE, type StreamTails } from "./stream_tails.ts";

/** More ranges of ports than these are written as one, including the gaps. */
const RANGES_MAX = 4;

/** What {@linkcode ChannelUpload.put} has done. */
export interface PutCounts {
  /** Ports that the device has back. */
  readonly returnedCount: number;
  /** Ports that have sent the next packet of a stream, which the server may not wait for. */
  readonly continuedCount: number;
}

/** Writes changes on the host's side of a channel to the device. */
export class ChannelUpload {
  readonly #channel: Channel;
  readonly #queue: GPUQueue;
  readonly #control: GPUBuffer;
  readonly #payload: GPUBuffer;
  readonly #serverMailboxes: GPUBuffer;
  readonly #tails: StreamTails;
  /** The device's copy of the server's mailboxes. */
  readonly #known: Int32Array<ArrayBuffer>;
  readonly #returned = new IndexRanges();

  /** Writes everything that a shader sees of the channel except the locks, which begin free. */
  constructor(
    channel: Channel,
    device: {
      readonly queue: GPUQueue;
      readonly control: GPUBuffer;
      readonly payload: GPUBuffer;
      readonly serverMailboxes: GPUBuffer;
    },
    tails: StreamTails,
  ) {
    this.#channel = channel;
    this.#queue = device.queue;
    this.#control = device.control;
    this.#payload = device.payload;
    this.#serverMailboxes = device.serverMailboxes;
    this.#tails = tails;
    const { portCount, serverOutboxWord } = channel.layout;
    this.#known = new Int32Array(portCount);
    this.#known.set(channel.words.plain.subarray(serverOutboxWord, serverOutboxWord + portCount));
    this.#writeAll();
  }

  /** Whether the server has returned a port below `portBound` since the last call of `put`. */
  hasReturned(portBound: number): boolean {
    for (let index = 0; index < portBound; index++) if (this.#isReturned(index)) return true;
    return false;
  }

  #isReturned(index: number): boolean {
    const { words, layout: { serverOutboxWord } } = this.#channel;
    return (words.peek(serverOutboxWord + index) ^ this.#tails.flips[index]!) !==
      this.#known[index];
  }

  /**
   * Writes the ports below `portBound` that the server has returned since the last call, except those that
   * send the next packet of a stream instead.
   *
   * @param onRefusal called with each port whose call was rejected
   */
  put(portBound: number, onRefusal: (index: number) => void): PutCounts {
    const { serverOutboxWord, headersWord } = this.#channel.layout;
    const { words } = this.#channel;
    this.#returned.clear();
    let returnedCount = 0;
    let continuedCount = 0;
    let isAnyRefused = false;
    for (let index = 0; index < portBound; index++) {
      if (!this.#isReturned(index)) continue;
      if (this.#tails.goOn(index)) {
        continuedCount++;
        continue;
      }
      // Sync: pairs with the server's toggle: its packet writes are visible after this load.
      this.#known[index] = words.load(serverOutboxWord + index) ^ this.#tails.flips[index]!;
      if (words.plain[headersWord + index * HEADER_WORDS + STATUS_PLACE] !== Status.ok) {
        isAnyRefused = true;
        onRefusal(index);
      }
      this.#returned.add(index);
      returnedCount++;
    }
    // The gaps hold words that both sides agree on, or that the device ignores as the server owns them:
    // one long write is cheaper than many short ones.
    if (this.#returned.all.length > RANGES_MAX) this.#returned.join();
    for (const { start, end } of this.#returned.all) this.#writePorts(start, end, isAnyRefused);
    return { returnedCount, continuedCount };
  }

  /** Restores a client's mailbox that the device has overwritten. */
  repairMailbox(index: number): void {
    const word = this.#channel.layout.clientOutboxWord + index;
    const value = Int32Array.of(this.#plain[word]! ^ this.#tails.flips[index]!);
    this.#queue.writeBuffer(this.#control, word * 4, value, 0, 1);
  }

  /** Writes mailboxes and packets, and headers if there is a status to tell. */
  #writePorts(start: number, end: number, hasStatus: boolean): void {
    const { headersWord, packetsWord, packetWords } = this.#channel.layout;
    const count = end - start;
    this.#writeMailboxes(start, count);
    this.#writePayload(packetsWord + start * packetWords, count * packetWords);
    if (hasStatus) this.#writePayload(headersWord + start * HEADER_WORDS, count * HEADER_WORDS);
  }

  #writeAll(): void {
    const { portCount, clientOutboxWord, headersWord, totalBytes } = this.#channel.layout;
    this.#queue.writeBuffer(
      this.#control,
      clientOutboxWord * 4,
      this.#plain,
      clientOutboxWord,
      portCount,
    );
    this.#writeMailboxes(0, portCount);
    this.#writePayload(headersWord, totalBytes / 4 - headersWord);
  }

  #writeMailboxes(start: number, count: number): void {
    this.#queue.writeBuffer(this.#serverMailboxes, start * 4, this.#known, start, count);
  }

  #writePayload(word: number, count: number): void {
    const byte = (word - this.#channel.layout.headersWord) * 4;
    this.#queue.writeBuffer(this.#payload, byte, this.#plain, word, count);
  }

  get #plain(): Int32Array<ArrayBuffer> {
    return this.#channel.words.plain as Int32Array<ArrayBuffer>;
  }
}
