import type { Channel } from "../../toggle/channel.ts";
import { Hints } from "../../wait/hint.ts";
import { claimPorts, releasePorts } from "./claim_ports.ts";
import { HEADER_WORDS } from "../../toggle/layout.ts";
import type { GpuDevice } from "../device/device.ts";
import { REPORT_WORDS } from "../wgsl/layout_constants.ts";
import { Stretches } from "./index_ranges.ts";

/** A mailbox word of the device that no client that keeps to the protocol could have written. */
export interface MailboxFault {
  readonly portIndex: number;
  /** What the device had in the word. */
  readonly value: number;
  readonly reason: "not 0 or 1" | "toggled while the server owned the packet";
}

/** More neighbouring stretches than this are written as one, gaps included. */
const STRETCHES_MAX = 4;
/** Hints are worth it when fewer than one port in so many was sent. */
const HINTED_SHARE = 16;
/**
 * The device's copy of a channel, and what has to travel between it and the host's.
 *
 * Two buffers, because a shader sees one either as atomics or as plain words: mailboxes, locks and
 * the report in `control`, headers and packets in `payload`. Offsets are the channel's own.
 *
 * What comes out is the report, and mailboxes, headers and packets of the ports below a bound that
 * follows use: a channel of 16384 ports of which 3 are busy costs as much as one of 4. What goes in
 * is what the server has given back since the last time.
 *
 * The host trusts nothing of what comes out: a mailbox that no client could have written is
 * reported, ignored and repaired; the rest is for the server to check, as with every client.
 */
export class DeviceChannel {
  readonly channel: Channel;
  readonly control: GPUBuffer;
  readonly payload: GPUBuffer;
  /** Bytes that a readback buffer must have. */
  readonly readbackBytes: number;
  readonly #ownerId: number;
  readonly #queue: GPUQueue;
  readonly #hints: Hints;
  /** What the device has in its copy of the server's mailboxes. */
  readonly #known: Int32Array;
  readonly #repairs: number[] = [];
  /** The server has had no port at or above this one. */
  #putBelow = 0;
  readonly #stretches = new Stretches();

  /** @throws {RangeError} when the channel is larger than the device's buffers may be */
  constructor(gpu: GpuDevice, channel: Channel) {
    const { headersWord, totalBytes, portCount } = channel.layout;
    const controlBytes = (headersWord + REPORT_WORDS) * 4;
    const payloadBytes = totalBytes - headersWord * 4;
    checkFits(gpu.device, channel, payloadBytes);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.channel = channel;
    this.control = gpu.device.createBuffer({ size: controlBytes, usage, label: "channel" });
    this.payload = gpu.device.createBuffer({ size: payloadBytes, usage, label: "payload" });
    this.readbackBytes = REPORT_WORDS * 4 + portCount * 4 + payloadBytes;
    this.#ownerId = channel.takeOwnerId();
    this.#queue = gpu.device.queue;
    this.#hints = new Hints(channel.words, channel.layout);
    this.#known = new Int32Array(portCount);
    this.#putAll();
    claimPorts(channel, this.#ownerId);
  }

  /** Bytes that come out of the device for `portBound` ports. */
  outBytes(portBound: number): number {
    return 4 * (REPORT_WORDS + portBound * (1 + HEADER_WORDS + this.channel.layout.packetWords));
  }

  /** Adds to a command buffer what brings `portBound` ports into a readback buffer. */
  encodeOut(encoder: GPUCommandEncoder, target: GPUBuffer, portBound: number): void {
    const { clientOutboxWord, headersWord, packetsWord, packetWords } = this.channel.layout;
    const outboxBytes = portBound * 4;
    const headersBytes = portBound * HEADER_WORDS * 4;
    const packetsByte = (packetsWord - headersWord) * 4;
    let byte = REPORT_WORDS * 4;
    encoder.copyBufferToBuffer(this.control, headersWord * 4, target, 0, byte);
    encoder.copyBufferToBuffer(this.control, clientOutboxWord * 4, target, byte, outboxBytes);
    byte += outboxBytes;
    encoder.copyBufferToBuffer(this.payload, 0, target, byte, headersBytes);
    byte += headersBytes;
    encoder.copyBufferToBuffer(
      this.payload,
      packetsByte,
      target,
      byte,
      portBound * packetWords * 4,
    );
  }

  /**
   * Takes over what the device has sent, from a readback buffer of `portBound` ports.
   *
   * @returns how many ports were sent
   */
  take(words: Int32Array, portBound: number, onFault: (fault: MailboxFault) => void): number {
    const { clientOutboxWord, serverOutboxWord } = this.channel.layout;
    const { plain } = this.channel.words;
    this.#stretches.clear();
    let sentCount = 0;
    for (let index = 0; index < portBound; index++) {
      const value = words[REPORT_WORDS + index]!;
      const before = plain[clientOutboxWord + index]!;
      if (value === before) continue;
      if (value === (before ^ 1) && plain[serverOutboxWord + index] === before) {
        this.#stretches.add(index);
        sentCount++;
      } else {
        this.#repairs.push(index);
        onFault({ portIndex: index, value, reason: (value & ~1) === 0 ? TOGGLED : NOT_A_BIT });
      }
    }
    this.#takeStretches(words, portBound, this.isSparse(sentCount));
    this.#putBelow = Math.max(this.#putBelow, this.#stretches.all.at(-1)?.end ?? 0);
    return sentCount;
  }

  /**
   * Whether so few ports are best found by their hints. More are found by a look at all: a hint
   * costs more than a look, and a look at thousands of idle ports more than a few hints.
   */
  isSparse(sentCount: number): boolean {
    return sentCount * HINTED_SHARE < this.channel.layout.portCount;
  }

  #takeStretches(words: Int32Array, portBound: number, isHinted: boolean): void {
    const { headersWord, packetsWord, packetWords, clientOutboxWord } = this.channel.layout;
    const { plain } = this.channel.words;
    const headers = REPORT_WORDS + portBound;
    const packets = headers + portBound * HEADER_WORDS;
    for (const { start, end } of this.#stretches.all) {
      const move = (source: number, target: number, size: number) =>
        plain.set(
          words.subarray(source + start * size, source + end * size),
          target + start * size,
        );
      move(headers, headersWord, HEADER_WORDS);
      move(packets, packetsWord, packetWords);
      for (let index = start; index < end; index++) {
        // Sync: publishes header and packet; pairs with the server's look at the mailbox. Stored
        // before them, a server in another worker could serve what the port held before.
        this.channel.words.store(clientOutboxWord + index, words[REPORT_WORDS + index]!);
        if (isHinted) this.#hints.mark(index);
      }
    }
  }

  /** Brings to the device what the server has given back; returns how many ports that were. */
  put(): number {
    this.#repairMailboxes();
    const { serverOutboxWord, headersWord } = this.channel.layout;
    const { words } = this.channel;
    this.#stretches.clear();
    let count = 0;
    let isRefused = false;
    for (let index = 0; index < this.#putBelow; index++) {
      if (words.peek(serverOutboxWord + index) === this.#known[index]) continue;
      // Sync: pairs with the server's toggle: its packet writes are visible after this load.
      this.#known[index] = words.load(serverOutboxWord + index);
      isRefused ||= words.plain[headersWord + index * HEADER_WORDS + 3] !== 0;
      this.#stretches.add(index);
      count++;
    }
    if (count > 0) this.#putStretches(isRefused);
    return count;
  }

  #putStretches(withHeaders: boolean): void {
    // What lies between is the same on both sides, or the server's, which the device ignores.
    if (this.#stretches.all.length > STRETCHES_MAX) this.#stretches.join();
    const { serverOutboxWord, headersWord, packetsWord, packetWords } = this.channel.layout;
    for (const { start, end } of this.#stretches.all) {
      this.#write(this.control, serverOutboxWord + start, {
        word: serverOutboxWord + start,
        count: end - start,
      });
      this.#writePayload(packetsWord + start * packetWords, (end - start) * packetWords);
      if (withHeaders) {
        this.#writePayload(headersWord + start * HEADER_WORDS, (end - start) * HEADER_WORDS);
      }
    }
  }

  #writePayload(word: number, count: number): void {
    this.#write(this.payload, word - this.channel.layout.headersWord, { word, count });
  }

  #write(
    target: GPUBuffer,
    targetWord: number,
    source: { readonly word: number; readonly count: number },
  ) {
    const plain = this.channel.words.plain as Int32Array<ArrayBuffer>;
    this.#queue.writeBuffer(target, targetWord * 4, plain, source.word, source.count);
  }

  #putAll(): void {
    const { headersWord, clientLockWord, hintWord, totalBytes, portCount, serverOutboxWord } =
      this.channel.layout;
    this.#write(this.control, 0, { word: 0, count: clientLockWord });
    this.#write(this.control, hintWord, { word: hintWord, count: headersWord - hintWord });
    this.#writePayload(headersWord, totalBytes / 4 - headersWord);
    const { plain } = this.channel.words;
    this.#known.set(plain.subarray(serverOutboxWord, serverOutboxWord + portCount));
  }

  #repairMailboxes(): void {
    const { clientOutboxWord } = this.channel.layout;
    for (const index of this.#repairs) {
      this.#write(this.control, clientOutboxWord + index, {
        word: clientOutboxWord + index,
        count: 1,
      });
    }
    this.#repairs.length = 0;
  }

  /** Frees the device's memory, and gives the channel to other clients. */
  destroy(): void {
    releasePorts(this.channel, this.#ownerId);
    this.control.destroy();
    this.payload.destroy();
  }
}

const NOT_A_BIT = "not 0 or 1";
const TOGGLED = "toggled while the server owned the packet";

function checkFits(device: GPUDevice, channel: Channel, payloadBytes: number): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
  const bytesMax = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  if (payloadBytes <= bytesMax) return;
  const { portCount, laneCount } = channel.layout;
  throw new RangeError(
    `Cannot put the channel on the device as its packets need ${payloadBytes} bytes of at most ${bytesMax}: current value is ${portCount} ports of ${laneCount} lanes`,
  );
}
