import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { IndexRanges } from "./index_ranges.ts";

/** More ranges of ports than this are written as one range, gaps included. */
const RANGES_MAX = 4;
/** The word of a header that holds the status. */
const STATUS_PLACE = 3;

/** Writes to the device what changed on the host's side of a channel. */
export class ChannelUpload {
  readonly #channel: Channel;
  readonly #queue: GPUQueue;
  readonly #control: GPUBuffer;
  readonly #payload: GPUBuffer;
  readonly #serverMailboxes: GPUBuffer;
  /** The server's mailboxes as the device has them. */
  readonly #known: Int32Array;
  readonly #returned = new IndexRanges();

  /** Writes what a shader sees of the channel but its locks, which begin free. */
  constructor(
    channel: Channel,
    device: {
      readonly queue: GPUQueue;
      readonly control: GPUBuffer;
      readonly payload: GPUBuffer;
      readonly serverMailboxes: GPUBuffer;
    },
  ) {
    this.#channel = channel;
    this.#queue = device.queue;
    this.#control = device.control;
    this.#payload = device.payload;
    this.#serverMailboxes = device.serverMailboxes;
    const { portCount, serverOutboxWord } = channel.layout;
    this.#known = channel.words.plain.slice(serverOutboxWord, serverOutboxWord + portCount);
    this.#writeAll();
  }

  /** Whether the server has given back one of the ports below `portBound` since the last time. */
  hasReturned(portBound: number): boolean {
    const { serverOutboxWord } = this.#channel.layout;
    for (let index = 0; index < portBound; index++) {
      if (this.#channel.words.peek(serverOutboxWord + index) !== this.#known[index]) return true;
    }
    return false;
  }

  /**
   * Writes the ports below `portBound` that the server has given back since the last time.
   *
   * @param onRefusal told of each port whose call was refused
   * @returns how many ports that were
   */
  put(portBound: number, onRefusal: (index: number) => void): number {
    const { serverOutboxWord, headersWord } = this.#channel.layout;
    const { words } = this.#channel;
    this.#returned.clear();
    let count = 0;
    let isAnyRefused = false;
    for (let index = 0; index < portBound; index++) {
      if (words.peek(serverOutboxWord + index) === this.#known[index]) continue;
      // Sync: pairs with the server's toggle: its packet writes are visible after this load.
      this.#known[index] = words.load(serverOutboxWord + index);
      if (words.plain[headersWord + index * HEADER_WORDS + STATUS_PLACE] !== Status.ok) {
        isAnyRefused = true;
        onRefusal(index);
      }
      this.#returned.add(index);
      count++;
    }
    // Between the ranges lies what both sides agree on, or what is the server's and ignored by the
    // device: one long write with such gaps is cheaper than many short ones.
    if (this.#returned.all.length > RANGES_MAX) this.#returned.join();
    for (const { start, end } of this.#returned.all) this.#writePorts(start, end, isAnyRefused);
    return count;
  }

  /** Writes the host's value over a client's mailbox that the device has overwritten. */
  repairMailbox(index: number): void {
    this.#writeControl(this.#channel.layout.clientOutboxWord + index, 1);
  }

  /** Mailboxes and packets; headers only where a status has to travel. */
  #writePorts(start: number, end: number, hasStatus: boolean): void {
    const { headersWord, packetsWord, packetWords } = this.#channel.layout;
    const count = end - start;
    this.#writeMailboxes(start, count);
    this.#writePayload(packetsWord + start * packetWords, count * packetWords);
    if (hasStatus) this.#writePayload(headersWord + start * HEADER_WORDS, count * HEADER_WORDS);
  }

  #writeAll(): void {
    const { portCount, clientOutboxWord, headersWord, totalBytes } = this.#channel.layout;
    this.#writeControl(clientOutboxWord, portCount);
    this.#writeMailboxes(0, portCount);
    this.#writePayload(headersWord, totalBytes / 4 - headersWord);
  }

  #writeMailboxes(start: number, count: number): void {
    const word = this.#channel.layout.serverOutboxWord + start;
    this.#queue.writeBuffer(this.#serverMailboxes, start * 4, this.#plain, word, count);
  }

  #writeControl(word: number, count: number): void {
    this.#queue.writeBuffer(this.#control, word * 4, this.#plain, word, count);
  }

  #writePayload(word: number, count: number): void {
    const byte = (word - this.#channel.layout.headersWord) * 4;
    this.#queue.writeBuffer(this.#payload, byte, this.#plain, word, count);
  }

  get #plain(): Int32Array<ArrayBuffer> {
    return this.#channel.words.plain as Int32Array<ArrayBuffer>;
  }
}
