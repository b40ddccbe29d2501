import type { CloneReceiver } from "../../call/clone/tags.ts";
import { CloneDecoder, type CloneValue } from "../../call/clone/clone_decoder.ts";
import type { CloneMessage } from "../../call/clone/clone_encoder.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import type { Doorbell } from "../../wait/doorbell.ts";
import { LAYOUT, type Line, type LineSide } from "./line.ts";
import { RingReader, RingWriter, roundUp } from "./ring.ts";

/** What is said in front of a message. */
export const FrameKind = {
  /** From here on, by the number of the function: a call. */
  result: 0,
  thrown: 1,
  /** The worker ends: its last words. */
  ended: 2,
  /** A function is not wanted any more, by its number in the place of the call's. */
  released: 3,
  /** What follows holds what is carried beside the line, up to the number in the place of the call's. */
  carried: 4,
  call: 16,
} as const;

/** A message that came, whole. */
export interface Frame {
  readonly kind: number;
  /** The call that it belongs to. */
  readonly id: number;
  /** Nothing, where it could not be read. */
  readonly value?: unknown;
  /** Why it could not be read. */
  readonly error?: Error;
}

/** After so many bytes the reader is told to begin. */
const CHUNK_BYTES = 1 << 16;
/** Kind, call, bytes of the head, of the buffers, and in two words of all that follows in the ring. */
const HEADER_WORDS = 6;
const NOTHING = new Uint8Array(0);
/** What is kept to read messages into. */
const SCRATCH_BYTES = 1 << 21;
/** The most bytes of a message, when nothing else is told. */
export const MESSAGE_LIMIT_BYTES = 2 ** 30;

/** A message that was not yet written, or not all of it. */
interface Outgoing {
  pieces: Uint8Array[];
  piece: number;
  offset: number;
  /** Whether its bytes are its own. */
  isKept: boolean;
}

/** A message that is being read. */
interface Incoming {
  readonly kind: number;
  readonly id: number;
  readonly bufferBytes: number;
  /** What the ring holds of it behind what was read. */
  leftBytes: number;
  target: Uint8Array;
  /** How many bytes of the target are wanted. */
  wanted: number;
  filled: number;
  clone: CloneValue | undefined;
  error: Error | undefined;
  /** The buffer that is filled; -1: the head is. */
  buffer: number;
}

/**
 * One side's end of a line. Nothing here waits: what does not fit now is written by the next
 * {@linkcode pump}.
 */
export class LineEnd {
  /** Wakes this side: a message has come, or there is room for the rest of one. */
  readonly bell: Doorbell;
  readonly line: Line;
  readonly #otherBell: Doorbell;
  readonly #writer: RingWriter;
  readonly #reader: RingReader;
  readonly #receive: (frame: Frame) => void;
  readonly #receiver: CloneReceiver | undefined;
  readonly #limitBytes: number;
  readonly #side: LineSide;
  readonly #header = new Uint32Array(HEADER_WORDS);
  readonly #headerBytes = new Uint8Array(this.#header.buffer);
  readonly #headerIn = new Uint32Array(HEADER_WORDS);
  readonly #headerInBytes = new Uint8Array(this.#headerIn.buffer);
  #outgoing: Outgoing[] = [];
  #unpublishedBytes = 0;
  #incoming: Incoming | undefined;
  #scratch = new Uint8Array(CHUNK_BYTES);

  /**
   * @param options `receive`: is given each message; `limitBytes`: of one of them; `receiver`: as of a
   * `CloneDecoder`
   */
  constructor(
    line: Line,
    side: LineSide,
    options: {
      readonly receive: (frame: Frame) => void;
      readonly limitBytes: number;
      readonly receiver?: CloneReceiver;
    },
  ) {
    const { words } = line;
    const other = side === "client" ? "server" : "client";
    this.line = line;
    this.#side = side;
    this.bell = line.bellOf(side);
    this.#otherBell = line.bellOf(other);
    this.#writer = new RingWriter(words, LAYOUT.rings[side]);
    this.#reader = new RingReader(words, LAYOUT.rings[other]);
    this.#receive = options.receive;
    this.#receiver = options.receiver;
    this.#limitBytes = options.limitBytes;
    line.limit(options.limitBytes);
  }

  /** Whether something waits for room. */
  get hasOutgoing(): boolean {
    return this.#outgoing.length > 0;
  }

  /** Whether the other side has taken all that was posted. */
  get isTaken(): boolean {
    return !this.hasOutgoing && this.#writer.isTaken;
  }

  /**
   * Sends a message, as much of it as there is room for. Until the rest has gone, or was copied by
   * {@linkcode keep}, its bytes must not change.
   */
  post(kind: number, id: number, { headBytes, pieces }: CloneMessage): void {
    let [bufferBytes, ringBytes] = [-headBytes, 0];
    for (const { length } of pieces) {
      bufferBytes += length;
      ringBytes += roundUp(length);
    }
    const isFirst = this.#outgoing.length === 0;
    const header = isFirst ? this.#header : new Uint32Array(HEADER_WORDS);
    header[0] = kind;
    header[1] = id;
    header[2] = headBytes;
    header[3] = bufferBytes;
    header[4] = ringBytes;
    header[5] = ringBytes / 2 ** 32;
    const roomBytes = HEADER_WORDS * 4 + ringBytes;
    if (isFirst && roomBytes <= CHUNK_BYTES && this.#writer.hasRoom(roomBytes)) {
      // Most messages: nothing has to be remembered of them.
      this.#writer.put(this.#headerBytes, 0);
      for (const piece of pieces) this.#writer.put(piece, 0);
      return this.#publish();
    }
    const first = isFirst ? this.#headerBytes : new Uint8Array(header.buffer);
    this.#outgoing.push({ pieces: [first, ...pieces], piece: 0, offset: 0, isKept: false });
    if (isFirst) this.flush();
  }

  /** Copies what was not yet written, so that its bytes may change. */
  keep(): void {
    for (let index = this.#outgoing.length - 1; index >= 0; index--) {
      const one = this.#outgoing[index]!;
      if (one.isKept) return;
      one.pieces = one.pieces.slice(one.piece).map((piece, at) => piece.slice(at ? 0 : one.offset));
      one.piece = 0;
      one.offset = 0;
      one.isKept = true;
    }
  }

  /** Takes what has come, at most one whole message, and writes what waits; returns whether it got on. */
  pump(): boolean {
    const hasWritten = this.#outgoing.length > 0 && this.flush();
    return this.#take() || hasWritten;
  }

  /** Writes what waits, as far as there is room; returns whether there was some. */
  flush(): boolean {
    let hasWritten = false;
    for (let one = this.#outgoing[0]; one; one = this.#outgoing[0]) {
      const bytes = one.pieces[one.piece]!;
      const end = Math.min(bytes.length, one.offset + CHUNK_BYTES);
      const part = end === bytes.length ? bytes : bytes.subarray(0, end);
      const written = this.#writer.put(part, one.offset);
      one.offset += written;
      hasWritten ||= written > 0;
      this.#unpublishedBytes += written;
      if (one.offset === bytes.length) {
        one.offset = 0;
        if (++one.piece === one.pieces.length) this.#outgoing.shift();
      } else if (one.offset < end) {
        this.#publish();
        if (!this.#writer.wantRoom()) break;
      }
      if (this.#unpublishedBytes >= CHUNK_BYTES) this.#publish();
    }
    if (this.#unpublishedBytes > 0) this.#publish();
    return hasWritten;
  }

  #publish(): void {
    this.#writer.publish();
    this.#otherBell.ring();
    this.#unpublishedBytes = 0;
  }

  #take(): boolean {
    let hasTaken = this.#incoming === undefined;
    const incoming = this.#incoming ??= this.#readHeader();
    if (!incoming) return false;
    for (;;) {
      const { filled, wanted } = incoming;
      const taken = this.#reader.take(incoming.target, filled, wanted - filled);
      incoming.filled = filled + taken;
      hasTaken ||= taken > 0;
      if (incoming.filled < wanted) break;
      if (!this.#nextTarget(incoming)) return this.#finish(incoming);
    }
    if (hasTaken && this.#reader.release()) this.#otherBell.ring();
    return hasTaken;
  }

  #readHeader(): Incoming | undefined {
    if (!this.#reader.has(HEADER_WORDS * 4)) return undefined;
    this.#reader.take(this.#headerInBytes, 0, HEADER_WORDS * 4);
    const header = this.#headerIn;
    const [kind, id, headBytes, bufferBytes] = [header[0]!, header[1]!, header[2]!, header[3]!];
    const incoming: Incoming = {
      kind,
      id,
      bufferBytes,
      leftBytes: header[4]! + header[5]! * 2 ** 32,
      target: NOTHING,
      wanted: 0,
      filled: 0,
      clone: undefined,
      error: undefined,
      buffer: -1,
    };
    if (headBytes + bufferBytes > this.#limitBytes) {
      const [what, where] = this.#side === "client"
        ? ["a result", "connect()"]
        : ["arguments", "serve()"];
      incoming.error = new LengthRefusedError(
        `Cannot receive ${what} of ${
          headBytes + bufferBytes
        } bytes as limitBytes of ${where} is ${this.#limitBytes}`,
      );
      return incoming;
    }
    const isSmall = headBytes <= SCRATCH_BYTES;
    if (isSmall && this.#scratch.length < headBytes) this.#scratch = new Uint8Array(headBytes * 2);
    incoming.target = isSmall ? this.#scratch : new Uint8Array(headBytes);
    incoming.wanted = headBytes;
    incoming.leftBytes -= roundUp(headBytes);
    return incoming;
  }

  /** Behind the head the value is read, and then come the bytes of its buffers. */
  #nextTarget(incoming: Incoming): boolean {
    if (!incoming.error && incoming.buffer < 0) {
      try {
        incoming.clone = new CloneDecoder(incoming.target, incoming.bufferBytes, {
          lengthBytes: incoming.wanted,
          receiver: this.#receiver,
        }).read();
      } catch (error) {
        incoming.error = error as Error;
      }
    }
    const next = incoming.error
      ? this.#passOver(incoming)
      : incoming.clone!.buffers[++incoming.buffer];
    if (!next) return false;
    incoming.target = next;
    incoming.wanted = next.length;
    incoming.filled = 0;
    return true;
  }

  /** Of what nobody reads, bytes are taken for as long as there are some: the next message follows them. */
  #passOver(incoming: Incoming): Uint8Array | undefined {
    if (incoming.leftBytes <= 0) return undefined;
    const bytes = Math.min(incoming.leftBytes, CHUNK_BYTES);
    incoming.leftBytes -= bytes;
    return this.#scratch.subarray(0, bytes);
  }

  #finish({ kind, id, clone, error }: Incoming): true {
    this.#incoming = undefined;
    // Before the message is worked on, which may take its time.
    if (this.#reader.release()) this.#otherBell.ring();
    this.#receive(error ? { kind, id, error } : { kind, id, value: clone!.value });
    return true;
  }
}
