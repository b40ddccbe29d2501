import { SharedWords } from "../memory/words.ts";
import type { WaiterName } from "../wait/strategy.ts";
import {
  ControlWord,
  PacketChannel,
  type PacketHandle,
  type PacketMemory,
  type PacketShape,
} from "./packet_channel.ts";
import { PacketClient, type PacketClientOptions } from "./packet_client.ts";
import { PacketServer, type PacketServerOptions } from "./packet_server.ts";
import type { ClientSteps, ServerSteps } from "./packet_steps.ts";

const VERSION = 1;

/** How a protocol lays out its memory, and how that is recognized. */
export interface FormatParts<Shape, Memory extends PacketMemory> {
  /** The protocol's name. */
  readonly kind: string;
  /** Four ASCII letters: the first word of the control region. */
  readonly magic: number;
  /** Throws a `RangeError` when a count of the shape is not an integer within its bounds. */
  layout(shape: Shape): Memory;
  /** Fills the memory of a new channel, which is zero before. */
  prepare?(channel: PacketChannel<Memory>): void;
}

/** The parts of a protocol that carries a packet there and back. */
export interface ProtocolParts<Memory extends PacketMemory>
  extends FormatParts<PacketShape, Memory> {
  clientSteps(channel: PacketChannel<Memory>, waiter: WaiterName): ClientSteps;
  serverSteps(channel: PacketChannel<Memory>): ServerSteps;
}

/** Creates channels of one protocol, and attaches to them. */
export class PacketFormat<Shape, Memory extends PacketMemory & Shape> {
  readonly #parts: FormatParts<Shape, Memory>;

  /** @internal Once for each protocol. */
  constructor(parts: FormatParts<Shape, Memory>) {
    this.#parts = parts;
  }

  /**
   * Creates a channel and its memory.
   *
   * @throws {RangeError} when a count is not an integer within its bounds
   */
  create(shape: Shape): PacketChannel<Memory> {
    const layout = this.#parts.layout(shape);
    const words = new SharedWords(new SharedArrayBuffer(layout.totalBytes));
    for (const [word, value] of this.#marks(layout)) words.store(word, value);
    const channel = new PacketChannel(this.#parts.kind, layout, words);
    this.#parts.prepare?.(channel);
    return channel;
  }

  /**
   * Attaches to a channel by a handle from another isolate.
   *
   * @throws {TypeError} when the handle is not one of this protocol, or does not fit its memory
   * @throws {RangeError} when a count in it is not an integer within its bounds
   */
  attach(handle: PacketHandle<Memory>): PacketChannel<Memory> {
    const { kind } = this.#parts;
    const { kind: found, buffer } = handle ?? {};
    const layout = found === kind ? this.#parts.layout(handle) : undefined;
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength === layout?.totalBytes) {
      const words = new SharedWords(buffer);
      const isMarked = this.#marks(layout).every(([word, value]) => words.load(word) === value);
      if (isMarked) return new PacketChannel(kind, layout, words);
    }
    const memory = `${Object.prototype.toString.call(buffer)} of ${buffer?.byteLength} bytes`;
    throw new TypeError(
      `Cannot attach to a channel as the handle must be one of ${kind}, with its memory: its kind is ${
        String(found)
      }, its memory ${memory}`,
    );
  }

  /** The first words of the control region, by which attach() recognizes the memory. */
  #marks({ controlWord, packetCount, laneCount }: Memory): (readonly [number, number])[] {
    return [
      [controlWord + ControlWord.magic, this.#parts.magic],
      [controlWord + ControlWord.version, VERSION],
      [controlWord + ControlWord.packetCount, packetCount],
      [controlWord + ControlWord.laneCount, laneCount],
    ];
  }
}

/** A protocol that carries a packet there and back: creates its channels, clients and servers. */
export class PacketProtocol<Memory extends PacketMemory> extends PacketFormat<PacketShape, Memory> {
  readonly #parts: ProtocolParts<Memory>;

  /** @internal Once for each protocol. */
  constructor(parts: ProtocolParts<Memory>) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Creates a client. Each worker that calls needs its own.
   *
   * @throws {TypeError} when the waiter's name is unknown
   */
  client(
    channel: PacketChannel<Memory>,
    { waiter = "adaptive" }: PacketClientOptions = {},
  ): PacketClient {
    return new PacketClient(channel, this.#parts.clientSteps(channel, waiter), waiter);
  }

  /**
   * Creates a server. Each worker that serves needs its own.
   *
   * @throws {TypeError} when the waiter's name is unknown
   */
  server(channel: PacketChannel<Memory>, options: PacketServerOptions = {}): PacketServer {
    return new PacketServer(channel, this.#parts.serverSteps(channel), options);
  }
}
