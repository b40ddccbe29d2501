import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { IndexRanges } from "./index_ranges.ts";

/** More ranges of ports than these are written as one, including the gaps. */
const RANGES_MAX = 4;
/** The word of a header that holds the status. */
const STATUS_PLACE = 3;

/** Writes changes on the host's side of a channel to the device. */
export class ChannelUpload {
  readonly #channel: Channel;
  readonly #queue: GPUQueue;
  readonly #control: GPUBuffer;
  readonly #payload: GPUBuffer;
  readonly #serverMailboxes: GPUBuffer;
  /** The device's copy of the server's mailboxes. */
  readonly #known: Int32Array;
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

  /** Whether the server has returned a port below `portBound` since the last call of `put`. */
  hasReturned(portBound: number): boolean {
    const { serverOutboxWord } = this.#channel.layout;
    for (let index = 0; index < portBound; index++) {
      if (this.#channel.words.peek(serverOutboxWord + index) !== this.#known[index]) return true;
    }
    return false;
  }

  /**
   * Writes the ports below `portBound` that the server has returned since the last call.
   *
   * @param onRefusal called with each port whose call was rejected
   * @returns the number of these ports
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
    // The gaps hold words that both sides agree on, or that the device ignores as the server owns them:
    // one long write is cheaper than many short ones.
    if (this.#returned.all.length > RANGES_MAX) this.#returned.join();
    for (const { start, end } of this.#returned.all) this.#writePorts(start, end, isAnyRefused);
    return count;
  }

  /** Restores a client's mailbox that the device has overwritten. */
  repairMailbox(index: number): void {
    this.#writeControl(this.#channel.layout.clientOutboxWord + index, 1);
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
