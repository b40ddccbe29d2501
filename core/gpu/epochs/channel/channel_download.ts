import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { Hints } from "../../../wait/hint.ts";
import type { CopyOut } from "../../device/readback.ts";
import { REPORT_WORDS } from "../../wgsl/layout_constants.ts";
import { IndexRanges } from "./index_ranges.ts";
import type { StreamTails } from "./stream_tails.ts";

/** A mailbox word of the device that violates the protocol. */
export interface MailboxReport {
  /** The port of the mailbox. */
  readonly portIndex: number;
  /** The word's value on the device. */
  readonly value: number;
  /** The rule that the word breaks. */
  readonly reason: "not 0 or 1" | "toggled while the server owned the packet";
}

/** Hints are used when fewer than one port in this many was sent. */
const HINTED_SHARE = 16;

/**
 * Whether so few ports were sent that a server finds them fastest by their hints. Otherwise it looks at
 * every port: a hint costs more than a look, but thousands of looks at idle ports cost more than a few
 * hints.
 */
export function isSparse(sentCount: number, portCount: number): boolean {
  return sentCount * HINTED_SHARE < portCount;
}

/**
 * Brings what the device has sent to the host's channel: a report, and the mailboxes, headers and
 * packets of the ports below a bound. The bound follows use: a channel of 16384 ports of which 3 are
 * busy costs as much as one of 4.
 *
 * ```text
 * words of a readback buffer, for a bound of n ports
 * report        REPORT_WORDS
 * clientOutbox  n
 * headers       n x HEADER_WORDS
 * packets       n x packetWords
 * ```
 */
export class ChannelDownload {
  readonly #channel: Channel;
  readonly #control: GPUBuffer;
  readonly #payload: GPUBuffer;
  readonly #flips: Int32Array;
  readonly #hints: Hints;
  readonly #sent = new IndexRanges();
  #sentBelow = 0;

  constructor(
    channel: Channel,
    device: { readonly control: GPUBuffer; readonly payload: GPUBuffer },
    { flips }: Pick<StreamTails, "flips">,
  ) {
    this.#channel = channel;
    this.#control = device.control;
    this.#payload = device.payload;
    this.#flips = flips;
    this.#hints = new Hints(channel.words, channel.layout);
  }

  /** No port from this one on was ever sent. */
  get sentBelow(): number {
    return this.#sentBelow;
  }

  /** Bytes that a readback buffer needs for `portBound` ports. */
  bytesOf(portBound: number): number {
    const { packetWords } = this.#channel.layout;
    return 4 * (REPORT_WORDS + portBound * (1 + HEADER_WORDS + packetWords));
  }

  /** Copies `portBound` ports out. */
  copyOut(copyOut: CopyOut, portBound: number): void {
    const { clientOutboxWord, headersWord, packetsWord, packetWords } = this.#channel.layout;
    let targetByte = 0;
    const copy = (source: GPUBuffer, sourceWord: number, wordCount: number) => {
      copyOut(source, sourceWord * 4, targetByte, wordCount * 4);
      targetByte += wordCount * 4;
    };
    copy(this.#control, headersWord, REPORT_WORDS);
    copy(this.#control, clientOutboxWord, portBound);
    copy(this.#payload, 0, portBound * HEADER_WORDS);
    copy(this.#payload, packetsWord - headersWord, portBound * packetWords);
  }

  /**
   * Takes over what the device has sent, from a readback buffer of `portBound` ports. A mailbox that no
   * client could have written is reported and ignored. Headers and packets are checked by the server,
   * as those of every client.
   *
   * @returns the number of ports sent
   */
  take(
    words: Int32Array,
    portBound: number,
    onBadMailbox: (report: MailboxReport) => void,
  ): number {
    const { clientOutboxWord, serverOutboxWord, portCount } = this.#channel.layout;
    const { plain } = this.#channel.words;
    this.#sent.clear();
    let sentCount = 0;
    for (let index = 0; index < portBound; index++) {
      const value = words[REPORT_WORDS + index]! ^ this.#flips[index]!;
      const before = plain[clientOutboxWord + index]!;
      if (value === before) continue;
      if (value === (before ^ 1) && plain[serverOutboxWord + index] === before) {
        this.#sent.add(index);
        sentCount++;
      } else {
        onBadMailbox({
          portIndex: index,
          value: words[REPORT_WORDS + index]!,
          reason: reasonOf(value),
        });
      }
    }
    this.#copySent(words, portBound);
    this.#publishSent(words, isSparse(sentCount, portCount));
    return sentCount;
  }

  #copySent(words: Int32Array, portBound: number): void {
    const { headersWord, packetsWord, packetWords } = this.#channel.layout;
    const { plain } = this.#channel.words;
    const sourceHeaders = REPORT_WORDS + portBound;
    const sourcePackets = sourceHeaders + portBound * HEADER_WORDS;
    for (const { start, end } of this.#sent.all) {
      const move = (source: number, target: number, size: number) =>
        plain.set(
          words.subarray(source + start * size, source + end * size),
          target + start * size,
        );
      move(sourceHeaders, headersWord, HEADER_WORDS);
      move(sourcePackets, packetsWord, packetWords);
      this.#sentBelow = Math.max(this.#sentBelow, end);
    }
  }

  #publishSent(words: Int32Array, isHinted: boolean): void {
    const { clientOutboxWord } = this.#channel.layout;
    for (const { start, end } of this.#sent.all) {
      for (let index = start; index < end; index++) {
        // Sync: publishes header and packet; pairs with the server's look at the mailbox. Stored
        // before them, a server in another worker could serve what the port held before.
        const value = words[REPORT_WORDS + index]! ^ this.#flips[index]!;
        this.#channel.words.store(clientOutboxWord + index, value);
        if (isHinted) this.#hints.mark(index);
      }
    }
  }
}

function reasonOf(value: number): MailboxReport["reason"] {
  const isBit = (value & ~1) === 0;
  return isBit ? "toggled while the server owned the packet" : "not 0 or 1";
}
