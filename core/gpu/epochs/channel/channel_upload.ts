import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import { type DevicePlaces, devicePlaces, PARAMS_WORDS } from "../../wgsl/layout_constants.ts";
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

/** What ports from `start` to before `end` have of a region: `size` words each, `stride` words from the last. */
interface PortParts {
  readonly start: number;
  readonly end: number;
  readonly stride: number;
  readonly size: number;
}

/** Writes changes on the host's side of a channel to the device. */
export class ChannelUpload {
  readonly #channel: Channel;
  readonly #queue: GPUQueue;
  readonly #buffer: GPUBuffer;
  readonly #params: GPUBuffer;
  readonly #device: DevicePlaces;
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
    this.#device = devicePlaces(channel.layout);
    this.#tails = tails;
    const { portCount } = channel.layout;
    this.#paramWords = new Uint32Array(paramsBytes(portCount) / 4);
    this.#told = new Uint8Array(this.#paramWords.buffer, PARAMS_WORDS * 4);
    this.#toldBelow = portCount;
    this.#writeAll();
  }

  /** Whether the server has returned a port below `portBound` since the last call of `put`. */
  hasReturned(portBound: number): boolean {
    const { words: { plain }, layout: { serverOutboxWord, mailboxStride } } = this.#channel;
    const told = this.#told;
    const { flips } = this.#tails;
    for (let index = 0; index < portBound; index++) {
      const mailbox = plain[serverOutboxWord + index * mailboxStride]!;
      if ((mailbox ^ flips[index]!) !== (told[index]! & 1)) return true;
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
    const { words, layout } = this.#channel;
    const { serverOutboxWord, mailboxStride, headersWord, headerStride } = layout;
    const { plain } = words;
    const told = this.#told;
    const { flips } = this.#tails;
    const returned = this.#returned;
    returned.clear();
    let returnedCount = 0;
    let continuedCount = 0;
    for (let index = 0; index < portBound; index++) {
      const word = serverOutboxWord + index * mailboxStride;
      if ((plain[word]! ^ flips[index]!) === (told[index]! & 1)) continue;
      if (this.#tails.goOn(index)) {
        continuedCount++;
        continue;
      }
      // Sync: pairs with the server's toggle: its packet writes are visible after this load.
      const mailbox = (words.load(word) ^ flips[index]!) & 1;
      const status = plain[headersWord + index * headerStride + STATUS_PLACE]! >>> 0;
      if (status !== Status.ok) onRefusal(index);
      told[index] = mailbox | Math.min(status, STATUS_TOLD_MAX) << 1;
      returned.add(index);
      returnedCount++;
    }
    this.#toldBelow = Math.max(this.#toldBelow, returned.all.at(-1)?.end ?? 0);
    // The gaps hold words that both sides agree on, or that the device ignores as the server owns them:
    // one long write is cheaper than many short ones.
    if (returned.all.length > RANGES_MAX) returned.join();
    for (const { start, end } of returned.all) this.#writePackets(start, end);
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
    const mailbox = plain[layout.clientOutboxWord + index * layout.mailboxStride]!;
    const value = mailbox ^ this.#tails.flips[index]!;
    const byte = (this.#device.clientOutboxWord + index) * 4;
    this.#queue.writeBuffer(this.#buffer, byte, Int32Array.of(value), 0, 1);
  }

  #writeAll(): void {
    const { words, layout } = this.#channel;
    const { portCount, clientOutboxWord, serverOutboxWord, mailboxStride, headersWord } = layout;
    for (let index = 0; index < portCount; index++) {
      this.#told[index] = words.peek(serverOutboxWord + index * mailboxStride) & 1;
    }
    const mailboxes = { start: 0, end: portCount, stride: mailboxStride, size: 1 };
    this.#write(this.#device.clientOutboxWord, clientOutboxWord, mailboxes);
    const headers = { ...mailboxes, stride: layout.headerStride, size: HEADER_WORDS };
    this.#write(this.#device.payloadWord, headersWord, headers);
    this.#writePackets(0, portCount);
  }

  #writePackets(start: number, end: number): void {
    const { packetsWord, packetStride: stride, packetWords: size } = this.#channel.layout;
    this.#write(this.#device.packetsWord, packetsWord, { start, end, stride, size });
  }

  /** Writes what some ports have of a region, whose part of port 0 begins at `word`, to one that has no gaps. */
  #write(deviceWord: number, word: number, { start, end, stride, size }: PortParts): void {
    const plain = this.#channel.words.plain as Int32Array<ArrayBuffer>;
    const byte = (deviceWord + start * size) * 4;
    const count = (end - start) * size;
    const from = word + start * stride;
    if (stride === size) return this.#queue.writeBuffer(this.#buffer, byte, plain, from, count);
    const parts = new Int32Array(count);
    for (let port = 0; port < end - start; port++) {
      const part = from + port * stride;
      parts.set(plain.subarray(part, part + size), port * size);
    }
    this.#queue.writeBuffer(this.#buffer, byte, parts);
  }
}

/** Bytes of the parameters of a dispatch, with what the host tells of ports. */
export function paramsBytes(portCount: number): number {
  return PARAMS_WORDS * 4 + Math.ceil(portCount / 16) * 16;
}
