/**
 * The part of ZMTP 3.0 that a Jupyter client needs: the NULL mechanism, DEALER and SUB sockets, over
 * one TCP connection each. Source: https://rfc.zeromq.org/spec/23/
 *
 * @module
 */

/** Bytes that own their memory, as the web's crypto wants them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Anything bytes can be read from: a TCP connection, or a list in a test. */
export interface ByteSource {
  /** Fills part of `target` and says how much; `null` at the end. */
  read(target: Uint8Array): Promise<number | null>;
}

const GREETING_BYTES = 64;
const FLAG_MORE = 1;
const FLAG_LONG = 2;
const FLAG_COMMAND = 4;
const SHORT_BODY_BYTES_MAX = 255;

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Signature, version 3.0, mechanism NULL; the rest is zero. */
export function greeting(): Bytes {
  const bytes = new Uint8Array(GREETING_BYTES);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.set(new TextEncoder().encode("NULL"), 12);
  return bytes;
}

/** The one command of the NULL handshake. */
export function readyCommand(socketType: "DEALER" | "SUB"): Bytes {
  const property = (name: string, value: string) => {
    const valueBytes = new TextEncoder().encode(value);
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, valueBytes.length);
    return concatBytes([shortText(name), new Uint8Array(length.buffer), valueBytes]);
  };
  const body = concatBytes([shortText("READY"), property("Socket-Type", socketType)]);
  return encodeFrame(body, FLAG_COMMAND);
}

function shortText(text: string): Bytes {
  const bytes = new TextEncoder().encode(text);
  return concatBytes([Uint8Array.of(bytes.length), bytes]);
}

function encodeFrame(body: Uint8Array, flags: number): Bytes {
  if (body.length <= SHORT_BODY_BYTES_MAX) {
    return concatBytes([Uint8Array.of(flags, body.length), body]);
  }
  const header = new DataView(new ArrayBuffer(9));
  header.setUint8(0, flags | FLAG_LONG);
  header.setBigUint64(1, BigInt(body.length));
  return concatBytes([new Uint8Array(header.buffer), body]);
}

/** One message of one or more parts, as it goes over the wire. */
export function encodeParts(parts: readonly Uint8Array[]): Bytes {
  return concatBytes(
    parts.map((part, index) => encodeFrame(part, index < parts.length - 1 ? FLAG_MORE : 0)),
  );
}

/** Reads messages from a stream of bytes, however the network has cut it. */
export class FrameReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The parts of the next message; commands, which carry none, are skipped. */
  async readParts(): Promise<Bytes[]> {
    const parts: Bytes[] = [];
    for (;;) {
      const { flags, body } = await this.readFrame();
      if (flags & FLAG_COMMAND) continue;
      parts.push(body);
      if (!(flags & FLAG_MORE)) return parts;
    }
  }

  async readFrame(): Promise<{ readonly flags: number; readonly body: Bytes }> {
    const flags = (await this.readBytes(1))[0]!;
    const isLong = (flags & FLAG_LONG) !== 0;
    const size = await this.readBytes(isLong ? 8 : 1);
    const bodyBytes = isLong ? Number(new DataView(size.buffer).getBigUint64(0)) : size[0]!;
    return { flags, body: await this.readBytes(bodyBytes) };
  }

  /** Throws `Deno.errors.UnexpectedEof` where the stream ends first. */
  async readBytes(byteCount: number): Promise<Bytes> {
    const bytes = new Uint8Array(byteCount);
    for (let done = 0; done < byteCount;) {
      const count = await this.#source.read(bytes.subarray(done));
      if (count === null) {
        throw new Deno.errors.UnexpectedEof(
          `Cannot read a frame as the peer closed the connection: ${done} of ${byteCount} bytes came`,
        );
      }
      done += count;
    }
    return bytes;
  }
}

/** A connected socket that has shaken hands. */
export class ZmtpSocket implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #reader: FrameReader;
  #writes: Promise<void> = Promise.resolve();

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    this.#reader = new FrameReader(connection);
  }

  /** Connects to a peer on this machine. A SUB socket subscribes to everything. */
  static async connect(port: number, socketType: "DEALER" | "SUB"): Promise<ZmtpSocket> {
    const socket = new ZmtpSocket(await Deno.connect({ hostname: "127.0.0.1", port }));
    await socket.#write(greeting());
    await socket.#reader.readBytes(GREETING_BYTES);
    await socket.#write(readyCommand(socketType));
    await socket.#reader.readFrame();
    if (socketType === "SUB") await socket.send([Uint8Array.of(1)]);
    return socket;
  }

  send(parts: readonly Uint8Array[]): Promise<void> {
    return this.#write(encodeParts(parts));
  }

  receive(): Promise<Bytes[]> {
    return this.#reader.readParts();
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  /** One write at a time: two that take turns would mix their frames. */
  #write(bytes: Uint8Array): Promise<void> {
    this.#writes = this.#writes.then(async () => {
      for (let done = 0; done < bytes.length;) {
        done += await this.#connection.write(bytes.subarray(done));
      }
    });
    return this.#writes;
  }
}
