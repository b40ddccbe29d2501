import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { Hints } from "../../../wait/hint.ts";
import type { CopyOut } from "../../device/readback.ts";
import { type DevicePlaces, devicePlaces, REPORT_WORDS } from "../../wgsl/layout_constants.ts";
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
 *
 * For all ports, there are gaps before headers and packets as on the device, for one copy instead of three.
 */
export class ChannelDownload {
  readonly #channel: Channel;
  readonly #buffer: GPUBuffer;
  readonly #device: DevicePlaces;
  readonly #flips: Int32Array;
  readonly #hints: Hints;
  readonly #sent = new IndexRanges();
  #sentBelow = 0;

  constructor(channel: Channel, buffer: GPUBuffer, { flips }: Pick<StreamTails, "flips">) {
    this.#channel = channel;
    this.#buffer = buffer;
    this.#device = devicePlaces(channel.layout);
    this.#flips = flips;
    this.#hints = new Hints(channel.words, channel.layout);
  }

  /** No port from this one on was ever sent. */
  get sentBelow(): number {
    return this.#sentBelow;
  }

  /** Bytes that a readback buffer needs for `portBound` ports. */
  bytesOf(portBound: number): number {
    return 4 * (this.#placesOf(portBound).packets + portBound * this.#channel.layout.packetWords);
  }

  /** The words of a readback buffer from which headers and packets of `portBound` ports begin. */
  #placesOf(portBound: number): { readonly headers: number; readonly packets: number } {
    const { reportWord, payloadWord, packetsWord } = this.#device;
    if (portBound === this.#channel.layout.portCount) {
      return { headers: payloadWord - reportWord, packets: packetsWord - reportWord };
    }
    const headers = REPORT_WORDS + portBound;
    return { headers, packets: headers + portBound * HEADER_WORDS };
  }

  /** Copies `portBound` ports out. */
  copyOut(copyOut: CopyOut, portBound: number): void {
    const { portCount, packetWords } = this.#channel.layout;
    const { reportWord, payloadWord, packetsWord } = this.#device;
    const copy = (word: number, target: number, wordCount: number) =>
      copyOut(this.#buffer, word * 4, target * 4, wordCount * 4);
    if (portBound === portCount) return copy(reportWord, 0, this.bytesOf(portBound) / 4);
    const { headers, packets } = this.#placesOf(portBound);
    copy(reportWord, 0, headers);
    copy(payloadWord, headers, portBound * HEADER_WORDS);
    copy(packetsWord, packets, portBound * packetWords);
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
    const { clientOutboxWord, serverOutboxWord, mailboxStride, portCount } = this.#channel.layout;
    const { plain } = this.#channel.words;
    this.#sent.clear();
    let sentCount = 0;
    for (let index = 0; index < portBound; index++) {
      const value = words[REPORT_WORDS + index]! ^ this.#flips[index]!;
      const before = plain[clientOutboxWord + index * mailboxStride]!;
      if (value === before) continue;
      const answered = plain[serverOutboxWord + index * mailboxStride];
      if (value === (before ^ 1) && answered === before) {
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
    const { headersWord, headerStride, packetsWord, packetStride, packetWords } =
      this.#channel.layout;
    const { plain } = this.#channel.words;
    const { headers, packets } = this.#placesOf(portBound);
    for (const { start, end } of this.#sent.all) {
      const move = (source: number, target: number, stride: number, size: number) => {
        // Where the parts lie together, all at once.
        const step = stride === size ? end - start : 1;
        for (let index = start; index < end; index += step) {
          const from = source + index * size;
          plain.set(words.subarray(from, from + step * size), target + index * stride);
        }
      };
      move(headers, headersWord, headerStride, HEADER_WORDS);
      move(packets, packetsWord, packetStride, packetWords);
      this.#sentBelow = Math.max(this.#sentBelow, end);
    }
  }

  #publishSent(words: Int32Array, isHinted: boolean): void {
    const { words: shared, layout: { clientOutboxWord, mailboxStride } } = this.#channel;
    for (const { start, end } of this.#sent.all) {
      for (let index = start; index < end; index++) {
        // Sync: publishes header and packet; pairs with the server's look at the mailbox. Stored
        // before them, a server in another worker could serve what the port held before.
        const value = words[REPORT_WORDS + index]! ^ this.#flips[index]!;
        shared.store(clientOutboxWord + index * mailboxStride, value);
        if (isHinted) this.#hints.mark(index);
      }
    }
  }
}

function reasonOf(value: number): MailboxReport["reason"] {
  const isBit = (value & ~1) === 0;
  return isBit ? "toggled while the server owned the packet" : "not 0 or 1";
}
