import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { devicePlaces, PARAMS_WORDS } from "../../wgsl/layout_constants.ts";
import { IndexRanges } from "./index_ranges.ts";
import { STATUS_PLACE, type StreamTails } from "./stream_tails.ts";

/** More ranges of ports than these are written as one, including the gaps. */
const RANGES_MAX = 4;
/** The largest status that a byte has room for, above a mailbox. */
const STATUS_TOLD_MAX = 127;

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
  readonly #buffer: GPUBuffer;
  readonly #params: GPUBuffer;
  readonly #tails: StreamTails;
  /** `EpochParams` in `wave_epoch.wgsl`, and the bytes in it that tell of ports. */
  readonly #paramWords: Uint32Array<ArrayBuffer>;
  readonly #told: Uint8Array;
  /** The device knows what is told of the ports from this one on. */
  #toldBelow: number;
  readonly #returned = new IndexRanges();

  /** Writes everything that a shader sees of the channel except the locks, which begin free. */
  constructor(
    channel: Channel,
    device: { readonly queue: GPUQueue; readonly buffer: GPUBuffer; readonly params: GPUBuffer },
    tails: StreamTails,
  ) {
    this.#channel = channel;
    this.#queue = device.queue;
    this.#buffer = device.buffer;
    this.#params = device.params;
    this.#tails = tails;
    const { portCount } = channel.layout;
    this.#paramWords = new Uint32Array(paramsBytes(portCount) / 4);
    this.#told = new Uint8Array(this.#paramWords.buffer, PARAMS_WORDS * 4);
    this.#toldBelow = portCount;
    this.#writeAll();
  }

  /** Whether the server has returned a port below `portBound` since the last call of `put`. */
  hasReturned(portBound: number): boolean {
    const { words: { plain }, layout: { serverOutboxWord } } = this.#channel;
    const told = this.#told;
    const { flips } = this.#tails;
    for (let index = 0; index < portBound; index++) {
      if ((plain[serverOutboxWord + index]! ^ flips[index]!) !== (told[index]! & 1)) return true;
    }
    return false;
  }

  /**
   * Takes the ports below `portBound` that the server has returned since the last call, except those that
   * send the next packet of a stream instead, and writes their packets. The device learns of them with the
   * next parameters.
   *
   * @param onRefusal called with each port whose call was rejected
   */
  put(portBound: number, onRefusal: (index: number) => void): PutCounts {
    const { serverOutboxWord, headersWord, packetWords, packetsWord } = this.#channel.layout;
    const { words } = this.#channel;
    const { plain } = words;
    const told = this.#told;
    const { flips } = this.#tails;
    const returned = this.#returned;
    returned.clear();
    let returnedCount = 0;
    let continuedCount = 0;
    for (let index = 0; index < portBound; index++) {
      if ((plain[serverOutboxWord + index]! ^ flips[index]!) === (told[index]! & 1)) continue;
      if (this.#tails.goOn(index)) {
        continuedCount++;
        continue;
      }
      // Sync: pairs with the server's toggle: its packet writes are visible after this load.
      const mailbox = (words.load(serverOutboxWord + index) ^ flips[index]!) & 1;
      const status = plain[headersWord + index * HEADER_WORDS + STATUS_PLACE]! >>> 0;
      if (status !== Status.ok) onRefusal(index);
      told[index] = mailbox | Math.min(status, STATUS_TOLD_MAX) << 1;
      returned.add(index);
      returnedCount++;
    }
    this.#toldBelow = Math.max(this.#toldBelow, returned.all.at(-1)?.end ?? 0);
    // The gaps hold words that both sides agree on, or that the device ignores as the server owns them:
    // one long write is cheaper than many short ones.
    if (returned.all.length > RANGES_MAX) returned.join();
    for (const { start, end } of returned.all) {
      this.#writePayload(packetsWord + start * packetWords, (end - start) * packetWords);
    }
    return { returnedCount, continuedCount };
  }

  /**
   * Writes the parameters of a dispatch, and what has changed of what the device is told of ports.
   *
   * @param head at most `PARAMS_WORDS` numbers, in the order of `EpochParams`
   */
  writeParams(head: readonly number[]): void {
    this.#paramWords.set(head);
    const count = PARAMS_WORDS + Math.ceil(this.#toldBelow / 4);
    this.#queue.writeBuffer(this.#params, 0, this.#paramWords, 0, count);
    this.#toldBelow = 0;
  }

  /** Restores a client's mailbox that the device has overwritten. */
  repairMailbox(index: number): void {
    const { words: { plain }, layout } = this.#channel;
    const value = plain[layout.clientOutboxWord + index]! ^ this.#tails.flips[index]!;
    const byte = (devicePlaces(layout).clientOutboxWord + index) * 4;
    this.#queue.writeBuffer(this.#buffer, byte, Int32Array.of(value), 0, 1);
  }

  #writeAll(): void {
    const { words, layout } = this.#channel;
    const { portCount, clientOutboxWord, serverOutboxWord, headersWord, totalBytes } = layout;
    for (let index = 0; index < portCount; index++) {
      this.#told[index] = words.peek(serverOutboxWord + index) & 1;
    }
    this.#write(devicePlaces(layout).clientOutboxWord * 4, clientOutboxWord, portCount);
    this.#writePayload(headersWord, totalBytes / 4 - headersWord);
  }

  #writePayload(word: number, count: number): void {
    const { layout } = this.#channel;
    this.#write((devicePlaces(layout).payloadWord + word - layout.headersWord) * 4, word, count);
  }

  #write(byte: number, word: number, count: number): void {
    const plain = this.#channel.words.plain as Int32Array<ArrayBuffer>;
    this.#queue.writeBuffer(this.#buffer, byte, plain, word, count);
  }
}

/** Bytes of the parameters of a dispatch, with what the host tells of ports. */
export function paramsBytes(portCount: number): number {
  return PARAMS_WORDS * 4 + Math.ceil(portCount / 16) * 16;
}
