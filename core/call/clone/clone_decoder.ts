import { bareError, define, defineHidden } from "./bare_error.ts";
import {
  ALIGNED_BYTES,
  type CloneReceiver,
  DEPTH_MAX,
  ERROR_CLASSES,
  ERROR_FIELDS,
  type ErrorClass,
  HEAD_BYTES,
  Tag,
  TINY_COUNT,
  VIEW_NAMES,
} from "./tags.ts";
import { pageText } from "./text_pages.ts";

/** A value that was read, and its buffers, whose bytes are still to come. */
export interface CloneValue {
  readonly value: unknown;
  /** In the order in which their bytes follow. */
  readonly buffers: readonly Uint8Array[];
}

/**
 * Reads what a `CloneEncoder` wrote. The bytes may be anybody's: no length, tag or depth is believed, and
 * what is allocated is about as long as the message says that it is.
 *
 * @example
 * ```ts
 * import { CloneDecoder } from "./clone_decoder.ts";
 * import { CloneEncoder } from "./clone_encoder.ts";
 * const { pieces } = new CloneEncoder().encode([1, undefined]);
 * const { value } = new CloneDecoder(pieces[0]!, 0).read();
 * if ((value as unknown[]).length !== 2) throw new Error("both");
 * ```
 */
export class CloneDecoder {
  readonly #bytes: Uint8Array;
  readonly #lengthBytes: number;
  #doubles: DataView | undefined;
  #at = HEAD_BYTES;
  /** Where the structure ends, and the texts begin. */
  readonly #end: number;
  #textAt: number;
  #page = "";
  #pageAt = 0;
  #bufferBytes: number;
  readonly #buffers: Uint8Array[] = [];
  readonly #seen: unknown[] = [];
  readonly #shapes: (readonly string[])[] = [];
  readonly #receiver: CloneReceiver;
  #depth = 0;

  /**
   * Takes the structure and the texts of a message. Nobody may change them while they are read.
   *
   * @param bufferBytes how many bytes of buffers follow
   * @param options `lengthBytes`: how many of the bytes are the message's; `receiver`: of what cannot be copied
   * @throws {TypeError} when it is no message
   */
  constructor(
    bytes: Uint8Array,
    bufferBytes: number,
    options: {
      readonly lengthBytes?: number;
      readonly receiver?: CloneReceiver | undefined;
    } = {},
  ) {
    const { lengthBytes = bytes.length, receiver = {} } = options;
    this.#receiver = receiver;
    this.#bytes = bytes;
    this.#lengthBytes = lengthBytes;
    this.#bufferBytes = bufferBytes;
    const structureBytes = lengthBytes < HEAD_BYTES ? NaN : this.#word(0);
    this.#end = structureBytes + HEAD_BYTES;
    if (!(this.#end <= lengthBytes)) refuse("it ends too early");
    const aligned = Math.ceil(this.#end / ALIGNED_BYTES) * ALIGNED_BYTES;
    this.#textAt = Math.min(aligned, lengthBytes);
  }

  /**
   * Reads the value.
   *
   * @throws {TypeError} when the bytes are no message
   */
  read(): CloneValue {
    try {
      const value = this.#read();
      if (this.#at !== this.#end || this.#textAt !== this.#lengthBytes || this.#bufferBytes) {
        refuse("it goes on behind its value");
      }
      return { value, buffers: this.#buffers };
    } catch (error) {
      // What a constructor thinks of a pattern, a length or a number that is none.
      if (error instanceof CloneFormatError) throw error;
      throw new CloneFormatError(String((error as Error)?.message ?? error));
    }
  }

  #read(): unknown {
    const tag = this.#byte();
    if (tag < TINY_COUNT) return tag;
    if (tag >= Tag.shape) return this.#readPlain(tag - Tag.shape);
    if (tag >= Tag.shortString) return this.#text(tag - Tag.shortString);
    switch (tag) {
      case Tag.undefined:
        return undefined;
      case Tag.null:
        return null;
      case Tag.true:
        return true;
      case Tag.false:
        return false;
      case Tag.integer: {
        const zigzag = this.#count();
        return zigzag >>> 1 ^ -(zigzag & 1);
      }
      case Tag.double:
        return this.#double();
      case Tag.bigint:
        return readBigInt(this.#string());
      case Tag.string:
        return this.#text(this.#count());
      case Tag.again:
        return this.#again();
    }
    return this.#readObject(tag);
  }

  #readObject(tag: number): unknown {
    switch (tag) {
      case Tag.array:
        return this.#readArray();
      case Tag.object:
        this.#shapes.push(this.#keys());
        return this.#readPlain(this.#shapes.length - 1);
      case Tag.laterShape:
        return this.#readPlain(this.#count());
      case Tag.sparseArray:
        return this.#readSparse();
      case Tag.date:
        return this.#keep(new Date(this.#double()));
      case Tag.regExp:
        return this.#keep(new RegExp(this.#string(), this.#string()));
      case Tag.map:
        return this.#readMap();
      case Tag.set:
        return this.#readSet();
      case Tag.buffer:
        return this.#readBuffer();
      case Tag.view:
        return this.#readView();
      case Tag.error:
        return this.#readError();
      case Tag.domException:
        return this.#readDomException();
      case Tag.boxed:
        return this.#readBoxed();
      case Tag.function:
        return this.#readFunction(this.#count(), this.#string());
      case Tag.iterator:
        return this.#readFunction(this.#count(), undefined);
      case Tag.carried:
        return this.#readCarried();
    }
    return refuse(`there is no tag ${tag}`);
  }

  #word(at: number): number {
    const bytes = this.#bytes;
    const high = bytes[at + 2]! | bytes[at + 3]! << 8;
    return (bytes[at]! | bytes[at + 1]! << 8 | high << 16) >>> 0;
  }

  #byte(): number {
    if (this.#at >= this.#end) refuse("it ends too early");
    return this.#bytes[this.#at++]!;
  }

  #double(): number {
    const at = this.#at;
    if (at + 8 > this.#end) refuse("it ends too early");
    this.#at += 8;
    const { buffer, byteOffset, length } = this.#bytes;
    this.#doubles ??= new DataView(buffer, byteOffset, length);
    return this.#doubles.getFloat64(at, true);
  }

  #count(): number {
    let byte = this.#byte();
    if (byte < 128) return byte;
    let count = byte & 127;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = this.#byte();
      count |= (byte & 127) << shift;
      if (byte < 128) return count;
    }
    byte = this.#byte();
    if (byte > 127) return refuse("a number is too long");
    if (byte > 15) return refuse("a number is too large");
    return count + byte * 2 ** 28;
  }

  /** Of what takes a byte each, at least: more than there are bytes is a lie. */
  #membersCount(): number {
    const count = this.#count();
    return count <= this.#end - this.#at ? count : refuse("there are too few members");
  }

  #string(): string {
    const text = this.#read();
    return typeof text === "string" ? text : refuse("a text is something else");
  }

  #text(length: number): string {
    if (length === 0) return "";
    if (this.#pageAt === this.#page.length) this.#nextPage();
    const start = this.#pageAt;
    this.#pageAt += length;
    if (this.#pageAt > this.#page.length) refuse("a text is too short");
    return this.#page.substring(start, this.#pageAt);
  }

  #nextPage(): void {
    const start = this.#textAt + 8;
    if (start > this.#lengthBytes) refuse("a text is missing");
    const head = this.#word(this.#textAt);
    const end = start + this.#word(this.#textAt + 4);
    if (end > this.#lengthBytes) refuse("a text ends too early");
    const bytes = this.#bytes.subarray(start, end);
    this.#page = pageText(bytes, (head & 1) !== 0);
    this.#textAt = end;
    this.#pageAt = 0;
    if (this.#page.length !== head >>> 1 || head < 2) refuse("a text has another length");
  }

  #keys(): readonly string[] {
    const count = this.#membersCount();
    const keys: string[] = [];
    for (let index = 0; index < count; index++) keys.push(this.#string());
    return keys;
  }

  #again(): unknown {
    const number = this.#count();
    const { length } = this.#seen;
    return number < length ? this.#seen[number] : refuse("it refers to nothing");
  }

  #keep<Value>(value: Value): Value {
    this.#seen.push(value);
    return value;
  }

  #enter<Value>(value: Value): Value {
    if (++this.#depth > DEPTH_MAX) refuse("it is too deep");
    this.#seen.push(value);
    return value;
  }

  #readPlain(number: number): object {
    const value = this.#enter<Record<string, unknown>>({});
    const keys = this.#shapes[number] ?? refuse("there is no such shape");
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      // An assignment would set the prototype.
      if (key === "__proto__") define(value, key, this.#read());
      else value[key] = this.#read();
    }
    this.#depth--;
    return value;
  }

  #readArray(): unknown[] {
    const values = this.#enter<unknown[]>([]);
    const count = this.#membersCount();
    for (let index = 0; index < count; index++) values.push(this.#read());
    this.#depth--;
    return values;
  }

  #readSparse(): unknown[] {
    const values = this.#enter<unknown[]>([]);
    values.length = this.#count();
    for (const key of this.#keys()) define(values, key, this.#read());
    this.#depth--;
    return values;
  }

  #readMap(): Map<unknown, unknown> {
    const map = this.#enter(new Map<unknown, unknown>());
    const count = this.#membersCount();
    if (count % 2 !== 0) refuse("a key has no value");
    for (let index = 0; index < count; index += 2) map.set(this.#read(), this.#read());
    this.#depth--;
    return map;
  }

  #readSet(): Set<unknown> {
    const set = this.#enter(new Set<unknown>());
    const count = this.#membersCount();
    for (let index = 0; index < count; index++) set.add(this.#read());
    this.#depth--;
    return set;
  }

  #readBuffer(): ArrayBuffer {
    const lengthBytes = this.#count();
    if (lengthBytes > this.#bufferBytes) refuse("a buffer is too long");
    this.#bufferBytes -= lengthBytes;
    const bytes = new Uint8Array(lengthBytes);
    this.#buffers.push(bytes);
    return this.#keep(bytes.buffer);
  }

  #readView(): ArrayBufferView {
    const place = this.#seen.length;
    this.#enter(undefined);
    const name = VIEW_NAMES[this.#byte()] ?? refuse("there is no such view");
    const [offset, length] = [this.#count(), this.#count()];
    const buffer = this.#read();
    if (!isBuffer(buffer)) return refuse("a view is of no buffer");
    const View =
      (Reflect.get(globalThis, name) ?? refuse(`here is no ${name}`)) as typeof Uint8Array;
    this.#depth--;
    return this.#seen[place] = new View(buffer, offset, length);
  }

  #readError(): Error {
    const number = this.#byte();
    const Class = ERROR_CLASSES[number] ??
      this.#classOf(number - ERROR_CLASSES.length);
    const error = this.#enter(bareError(Class));
    const bits = this.#byte();
    const keys = this.#keys();
    ERROR_FIELDS.forEach((field, index) => {
      if ((bits & 1 << index) === 0) return;
      const value = this.#read();
      if (field === "name" && value === Class.prototype.name) return;
      defineHidden(error, field, value);
    });
    for (const key of keys) define(error, key, this.#read());
    this.#depth--;
    return error;
  }

  /** A class that is only there is an `Error` here, with its name. */
  #classOf(number: number): ErrorClass {
    const { errorClasses } = this.#receiver;
    return errorClasses ? errorClasses[number] ?? Error : refuse("there is no such error");
  }

  #readDomException(): DOMException {
    const place = this.#seen.length;
    this.#seen.push(undefined);
    const [name, message, stack] = [this.#string(), this.#string(), this.#string()];
    const error = new DOMException(message, name);
    defineHidden(error, "stack", stack);
    return this.#seen[place] = error;
  }

  #readFunction(number: number, name: string | undefined): object {
    const receive = this.#receiver.receiveFunction ?? refuse("no function is taken here");
    return this.#keep(receive(number, name));
  }

  #readCarried(): object {
    const object = this.#receiver.receiveObject?.(this.#count());
    return this.#keep(object ?? refuse("what is carried beside it is not there"));
  }

  #readBoxed(): object {
    const place = this.#seen.length;
    this.#enter(undefined);
    const value = this.#read();
    if (typeof value === "object" || value === undefined) refuse("nothing is boxed");
    this.#depth--;
    return this.#seen[place] = Object(value);
  }
}

function isBuffer(value: unknown): value is ArrayBufferLike {
  return value instanceof ArrayBuffer ||
    (typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer);
}

/** Bytes that are no message of a {@linkcode CloneEncoder}. */
class CloneFormatError extends TypeError {
  constructor(why: string) {
    super(`Cannot read a value as the bytes are none: ${why}`);
  }
}

function refuse(why: string): never {
  throw new CloneFormatError(why);
}

function readBigInt(digits: string): bigint {
  return digits.startsWith("-") ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
}
