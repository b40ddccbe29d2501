import { OPCODE_MAX } from "../../../memory/opcode.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { reclaimClient } from "../../../toggle/reclaim.ts";
import type { GpuDevice } from "../../device/device.ts";
import type { CopyOut, DeviceTask } from "../../device/readback.ts";
import {
  checkDefaultDesign,
  type DevicePlaces,
  devicePlaces,
  ReportWord,
} from "../../wgsl/layout_constants.ts";
import type { KernelBuffer } from "../../device/bound_pipeline.ts";
import { ChannelDownload, type MailboxReport } from "./channel_download.ts";
import { ChannelUpload, paramsBytes, type PutCounts } from "./channel_upload.ts";
import { StreamTails } from "./stream_tails.ts";

/**
 * The device's copy of a channel, kept in step with the host's.
 *
 * To the host the device is a client that holds every port from construction to `destroy`. Its waves
 * have their own locks, on the device.
 */
export class DeviceChannel {
  readonly channel: Channel;
  /** The parameters of a dispatch and what the host tells of ports, which no shader can write. */
  readonly params: GPUBuffer;
  /** Everything else, so that it comes back by one copy: see `devicePlaces`. */
  readonly #buffer: GPUBuffer;
  readonly #places: DevicePlaces;
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
    this.#places = devicePlaces(channel.layout, spareCount);
    checkFits(gpu.device, channel, this.#places);
    this.channel = channel;
    this.#ownerId = channel.takeOwnerId();
    lockPorts(channel, this.#ownerId);
    const { device } = gpu;
    const { queue } = device;
    this.#queue = queue;
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.#buffer = device.createBuffer({
      size: this.#places.totalWords * 4,
      usage: STORAGE | COPY_SRC | COPY_DST,
      label: "channel",
    });
    this.params = device.createBuffer({
      size: paramsBytes(channel.layout.portCount),
      usage: UNIFORM | COPY_DST,
      label: "params",
    });
    this.#tails = new StreamTails(channel);
    this.#spareCount = spareCount;
    this.#download = new ChannelDownload(channel, this.#buffer, this.#tails);
    const target = { queue, buffer: this.#buffer, params: this.params };
    this.#upload = new ChannelUpload(channel, target, this.#tails);
  }

  /** In the order of the bindings of `port.wgsl`: what a shader sees as atomics, then as plain words. */
  get buffers(): readonly KernelBuffer[] {
    const buffer = this.#buffer;
    const offset = this.#places.payloadWord * 4;
    return [{ buffer, size: offset }, { buffer, offset }, { buffer: this.params, type: "uniform" }];
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
   * Writes the packets of the ports that the server has returned to the device, which learns of them with
   * the next parameters.
   *
   * @param onRefusal called with each port whose call was rejected, before it goes to the device
   */
  put(onRefusal: (index: number) => void): PutCounts {
    return this.#upload.put(this.#download.sentBelow, onRefusal);
  }

  /** Writes the parameters of a dispatch: at most `PARAMS_WORDS` numbers, in the order of `EpochParams`. */
  writeParams(head: readonly number[]): void {
    this.#upload.writeParams(head);
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
    const { packetWords, portCount } = this.channel.layout;
    const sparesWord = this.#places.packetsWord + portCount * packetWords;
    const ownersWord = sparesWord + this.#spareCount * packetWords;
    const sparesBytes = spareCount * packetWords * 4;
    let packetCount = 0;
    yield {
      what,
      encode: (_, copyOut) => {
        copyOut(this.#buffer, sparesWord * 4, 0, sparesBytes);
        copyOut(this.#buffer, ownersWord * 4, sparesBytes, spareCount * 4);
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
    const { words, layout } = this.channel;
    const { clientOutboxWord, serverOutboxWord, mailboxStride, headersWord, headerStride } = layout;
    for (let index = 0; index < this.#download.sentBelow; index++) {
      const [sent, answered] = [clientOutboxWord, serverOutboxWord]
        .map((word) => words.peek(word + index * mailboxStride));
      if (sent === answered) continue;
      return words.plain[headersWord + index * headerStride + 2]! & OPCODE_MAX;
    }
    return undefined;
  }

  /** Clears a word of the device's report, so that it can tell of the next event. */
  clearReport(word: keyof typeof ReportWord): void {
    const byte = (this.#places.reportWord + ReportWord[word]) * 4;
    this.#queue.writeBuffer(this.#buffer, byte, new Uint32Array(1));
  }

  /**
   * Frees the device's memory and releases the channel to other clients, whose turns are settled: the
   * device has written outboxes alone.
   */
  destroy(): void {
    reclaimClient(this.channel, this.#ownerId);
    this.#buffer.destroy();
    this.params.destroy();
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

function checkFits(device: GPUDevice, channel: Channel, { totalWords }: DevicePlaces): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
  const bytesMax = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  if (totalWords * 4 <= bytesMax) return;
  const { portCount, laneCount } = channel.layout;
  throw new RangeError(
    `Cannot put the channel on the device as it needs ${
      totalWords * 4
    } bytes of at most ${bytesMax}: current value is ${portCount} ports of ${laneCount} lanes`,
  );
}
