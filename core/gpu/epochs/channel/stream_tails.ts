import { CONTINUES } from "../../../memory/port_headers.ts";
import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { Hints } from "../../../wait/hint.ts";

/** The places in a header of the opcode and of the status. */
const OPCODE_PLACE = 2;
export const STATUS_PLACE = 3;

/** Packets that follow what was sent on a port, one behind the other. */
interface Tail {
  readonly words: Int32Array;
  nextWord: number;
  readonly endWord: number;
}

/**
 * Sends the packets of streams behind their first. To the device a stream is one packet and one answer: it
 * leaves the others in spares. Here they are sent one by one, when the server asks for more, as a client
 * does.
 *
 * ```text
 * words of a readback buffer, for n spares
 * spares        n x packetWords
 * owners        n; at the first spare of a stream, how many it has and its port: count << 16 | port
 * ```
 */
export class StreamTails {
  /**
   * By port, 1 where the mailboxes of both sides were flipped for an odd number of packets that the device
   * does not know of: it sees them the other way round.
   */
  readonly flips: Int32Array;
  readonly #channel: Channel;
  readonly #hints: Hints;
  readonly #tails = new Map<number, Tail>();

  constructor(channel: Channel) {
    this.#channel = channel;
    this.#hints = new Hints(channel.words, channel.layout);
    this.flips = new Int32Array(channel.layout.portCount);
  }

  /** Bytes that a readback buffer needs for so many spares. */
  bytesOf(spareCount: number): number {
    return 4 * spareCount * (this.#channel.layout.packetWords + 1);
  }

  /**
   * Takes over what the device has left in spares, up to a word that names no port, or more spares than
   * there are. Whatever the device writes there, it harms its own streams alone.
   *
   * @returns the number of packets
   */
  take(words: Int32Array, spareCount: number): number {
    const { packetWords, portCount } = this.#channel.layout;
    const ownersWord = spareCount * packetWords;
    const copy = words.slice(0, ownersWord);
    let spare = 0;
    while (spare < spareCount) {
      const owner = words[ownersWord + spare]!;
      const index = owner & 0xffff;
      const count = owner >>> 16;
      if (count === 0 || count > spareCount - spare || index >= portCount) break;
      const nextWord = spare * packetWords;
      spare += count;
      this.#tails.set(index, { words: copy, nextWord, endWord: spare * packetWords });
    }
    return spare;
  }

  /**
   * Sends the port's next packet, if the server has given the buffer back and asks for more. For a port of
   * which the server has had the first.
   *
   * @returns whether there was one
   */
  goOn(index: number): boolean {
    const tail = this.#tails.get(index);
    if (!tail) return false;
    const { words, layout } = this.#channel;
    const { headersWord, headerStride, packetsWord, packetStride, packetWords } = layout;
    const { plain } = words;
    const outboxWord = layout.clientOutboxWord + index * layout.mailboxStride;
    const value = plain[outboxWord]!;
    // Sync: pairs with the server's toggle: its status is visible, and its look at the packet over.
    const inboxWord = layout.serverOutboxWord + index * layout.mailboxStride;
    if (words.load(inboxWord) !== value) return false;
    const header = headersWord + index * headerStride;
    const isWanted = plain[header + STATUS_PLACE] === Status.ok;
    const endWord = tail.nextWord + packetWords;
    if (!isWanted || endWord === tail.endWord) this.#tails.delete(index);
    if (!isWanted) return false;
    plain.set(tail.words.subarray(tail.nextWord, endWord), packetsWord + index * packetStride);
    plain[header + OPCODE_PLACE]! |= CONTINUES;
    tail.nextWord = endWord;
    this.flips[index]! ^= 1;
    // Sync: publishes packet and header; pairs with the server's look at the mailbox. Stored before them,
    // it would take the last packet for this one.
    words.store(outboxWord, value ^ 1);
    this.#hints.mark(index);
    return true;
  }
}
