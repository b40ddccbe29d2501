import { OPCODE_MAX } from "../../../memory/opcode.ts";
import { HEADER_WORDS } from "../../../memory/port_headers.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { reclaimClient } from "../../../toggle/reclaim.ts";
import type { GpuDevice } from "../../device/device.ts";
import type { CopyOut, DeviceTask } from "../../device/readback.ts";
import {
  checkDefaultDesign,
  REPORT_WORDS,
  ReportWord,
  spareOwnersWord,
} from "../../wgsl/layout_constants.ts";
import { ChannelDownload, type MailboxReport } from "./channel_download.ts";
import { ChannelUpload, type PutCounts } from "./channel_upload.ts";
import { StreamTails } from "./stream_tails.ts";

/**
 * The device's copy of a channel, kept in step with the host's.
 *
 * To the host the device is a client that holds every port from construction to `destroy`. Its waves
 * have their own locks, on the device.
 */
export class DeviceChannel {
  readonly channel: Channel;
  /** The client's mailboxes, locks and the report, which a shader sees as atomics. */
  readonly control: GPUBuffer;
  /** Headers and packets, which a shader sees as plain words. */
  readonly payload: GPUBuffer;
  /** The server's mailboxes, which no shader can write. */
  readonly serverMailboxes: GPUBuffer;
  readonly #ownerId: number;
  readonly #queue: GPUQueue;
  readonly #download: ChannelDownload;
  readonly #upload: ChannelUpload;
  readonly #tails: StreamTails;
  readonly #spareCount: number;

  /**
   * @param spareCount how many packets there are behind those of the ports, for the rest of streams
   * @throws {RangeError} when the channel exceeds the device's buffers, or has another design than the
   * default
   * @throws {TypeError} when another client holds a port
   */
  constructor(gpu: GpuDevice, channel: Channel, spareCount = 0) {
    checkDefaultDesign(channel.layout);
    const { headersWord, totalBytes } = channel.layout;
    const controlBytes = (headersWord + REPORT_WORDS) * 4;
    const sparesEndByte = (spareOwnersWord(channel.layout, spareCount) + spareCount) * 4;
    const payloadBytes = Math.max(totalBytes, sparesEndByte) - headersWord * 4;
    checkFits(gpu.device, channel, payloadBytes);
    this.channel = channel;
    this.#ownerId = channel.takeOwnerId();
    lockPorts(channel, this.#ownerId);
    const { device } = gpu;
    const { queue } = device;
    this.#queue = queue;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const control = device.createBuffer({ size: controlBytes, usage, label: "channel" });
    const payload = device.createBuffer({ size: payloadBytes, usage, label: "payload" });
    const serverMailboxes = device.createBuffer({
      size: Math.ceil(channel.layout.portCount / 4) * 16,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
      label: "server mailboxes",
    });
    this.control = control;
    this.payload = payload;
    this.serverMailboxes = serverMailboxes;
    const tails = this.#tails = new StreamTails(channel);
    this.#spareCount = spareCount;
    this.#download = new ChannelDownload(channel, { control, payload }, tails);
    this.#upload = new ChannelUpload(channel, { queue, control, payload, serverMailboxes }, tails);
  }

  /** Bytes that a readback buffer needs for all spares. */
  get tailsBytes(): number {
    return this.#tails.bytesOf(this.#spareCount);
  }

  /** Bytes that a readback buffer needs for `portBound` ports; for all of them when absent. */
  readbackBytes(portBound: number = this.channel.layout.portCount): number {
    return this.#download.bytesOf(portBound);
  }

  /** Copies `portBound` ports out. */
  copyOut(copyOut: CopyOut, portBound: number): void {
    this.#download.copyOut(copyOut, portBound);
  }

  /**
   * Takes over what the device has sent, from a readback buffer of `portBound` ports. A mailbox that no
   * client could have written is reported, ignored and restored on the device.
   *
   * @returns the number of ports sent
   */
  take(
    words: Int32Array,
    portBound: number,
    onBadMailbox: (report: MailboxReport) => void,
  ): number {
    return this.#download.take(words, portBound, (report) => {
      this.#upload.repairMailbox(report.portIndex);
      onBadMailbox(report);
    });
  }

  /**
   * Writes the ports that the server has returned to the device.
   *
   * @param onRefusal called with each port whose call was rejected, before it goes to the device
   */
  put(onRefusal: (index: number) => void): PutCounts {
    return this.#upload.put(this.#download.sentBelow, onRefusal);
  }

  /**
   * Brings the packets of streams behind their first.
   *
   * @param what names the action in error messages
   * @param takenSpares how many spares were taken, as the device says
   * @returns the number of packets
   */
  *takeTails(what: string, takenSpares: number): DeviceTask<number> {
    const spareCount = Math.min(takenSpares, this.#spareCount);
    if (takenSpares > 0) this.clearReport("takenSpares");
    if (spareCount === 0) return 0;
    const { headersWord, packetWords, packetsWord, portCount } = this.channel.layout;
    const sparesWord = packetsWord + portCount * packetWords - headersWord;
    const ownersWord = spareOwnersWord(this.channel.layout, this.#spareCount) - headersWord;
    const sparesBytes = spareCount * packetWords * 4;
    let packetCount = 0;
    yield {
      what,
      encode: (_, copyOut) => {
        copyOut(this.payload, sparesWord * 4, 0, sparesBytes);
        copyOut(this.payload, ownersWord * 4, sparesBytes, spareCount * 4);
      },
      use: (words) => packetCount = this.#tails.take(words, spareCount),
    };
    return packetCount;
  }

  /** Sends the next packet of the port's stream, if the server asks for it; returns whether it was. */
  goOn(index: number): boolean {
    return this.#tails.goOn(index);
  }

  /** Whether the server has returned a port that the device does not know of yet. */
  get hasReturned(): boolean {
    return this.#upload.hasReturned(this.#download.sentBelow);
  }

  /** The opcode of the first port that the server has not returned. */
  get unansweredOpcode(): number | undefined {
    const { words, layout: { clientOutboxWord, serverOutboxWord, headersWord } } = this.channel;
    for (let index = 0; index < this.#download.sentBelow; index++) {
      if (words.peek(clientOutboxWord + index) === words.peek(serverOutboxWord + index)) continue;
      return words.plain[headersWord + index * HEADER_WORDS + 2]! & OPCODE_MAX;
    }
    return undefined;
  }

  /** Clears a word of the device's report, so that it can tell of the next event. */
  clearReport(word: keyof typeof ReportWord): void {
    const byte = (this.channel.layout.headersWord + ReportWord[word]) * 4;
    this.#queue.writeBuffer(this.control, byte, new Uint32Array(1));
  }

  /**
   * Frees the device's memory and releases the channel to other clients, whose turns are settled: the
   * device has written outboxes alone.
   */
  destroy(): void {
    reclaimClient(this.channel, this.#ownerId);
    this.control.destroy();
    this.payload.destroy();
    this.serverMailboxes.destroy();
  }
}

/**
 * Locks every port for one client. The locks of the device's waves stay on the device, and a server
 * must not mistake a wave for a client that has left.
 */
function lockPorts(channel: Channel, ownerId: number): void {
  const { portCount, clientLockWord } = channel.layout;
  for (let index = 0; index < portCount; index++) {
    // Sync: against clients in other workers, which lock ports in the same way.
    const holder = channel.words.compareExchange(clientLockWord + index, 0, ownerId);
    if (holder === 0) continue;
    reclaimClient(channel, ownerId);
    throw new TypeError(
      `Cannot put the channel on the device as client ${holder} holds its port ${index}: a channel is the device's alone`,
    );
  }
}

function checkFits(device: GPUDevice, channel: Channel, payloadBytes: number): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
  const bytesMax = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  if (payloadBytes <= bytesMax) return;
  const { portCount, laneCount } = channel.layout;
  throw new RangeError(
    `Cannot put the channel on the device as its packets need ${payloadBytes} bytes of at most ${bytesMax}: current value is ${portCount} ports of ${laneCount} lanes`,
  );
}
