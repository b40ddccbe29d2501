import { isIterated, type Iterated, stepsOf } from "./iterated.ts";
import { objectKind, refusalOf, viewName } from "./object_kind.ts";
import { SeenObjects } from "./seen_objects.ts";
import { hasKeys, isDense, type Shape, Shapes, wayText } from "./shapes.ts";
import {
  ALIGNED_BYTES,
  type Callable,
  type CloneSender,
  DEPTH_MAX,
  ERROR_CLASSES,
  ERROR_FIELDS,
  type FunctionSender,
  HEAD_BYTES,
  SHORT_COUNT,
  Tag,
  TINY_COUNT,
  VIEW_NAMES,
} from "./tags.ts";
import { TextPages } from "./text_pages.ts";

/** A message in pieces, to be sent one behind the other. The first two change with the next message. */
export interface CloneMessage {
  /** How many bytes of them are not those of buffers. */
  readonly headBytes: number;
  /** Structure, texts, and the bytes of each buffer, which are the value's own. */
  readonly pieces: readonly Uint8Array[];
}

const FIRST_BYTES = 1024;
/** What is kept between messages of what a large one needed. */
const KEPT_BYTES = 1 << 22;
/** Room that is made before each tag: no tag with its number needs more. */
const ROOM_BYTES = 16;
/** Of a function, for messages. */
const NAME_CHARS = 100;
/** Of the way to what is refused. */
const STEPS_TOLD = 16;
/**
 * Writes values as `structuredClone` would copy them, with the own properties of errors beside. What
 * cannot be copied is refused, and where it is told.
 *
 * @example
 * ```ts
 * import { CloneEncoder } from "./clone_encoder.ts";
 * const { headBytes } = new CloneEncoder().encode({ name: "lane" });
 * if (headBytes < 10) throw new Error("structure and texts");
 * ```
 */
export class CloneEncoder {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  readonly #texts = new TextPages();
  readonly #seen = new SeenObjects();
  #buffers: Uint8Array[] = [];
  readonly #shapes = new Shapes();
  /** The last one at each depth, of this message or of an earlier one. */
  readonly #lastShapes: (Shape | undefined)[] = [];
  /** The way to the value at hand. */
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #root = "the value";
  #isBusy = false;
  readonly #sender: CloneSender;
  readonly #sendFunction: FunctionSender | undefined;

  /** @param sender has what cannot be copied sent in other ways; it is refused without */
  constructor(sender: CloneSender = {}) {
    this.#sender = sender;
    this.#sendFunction = sender.sendFunction;
  }

  /**
   * Writes a value.
   *
   * @param root what messages call it
   * @throws {TypeError} when there is something in it that cannot be copied, with the way to it
   */
  encode(value: unknown, root = "the value"): CloneMessage {
    // A getter of the value may have come here by a call of its own.
    if (this.#isBusy) return new CloneEncoder(this.#sender).encode(value, root);
    this.#isBusy = true;
    this.#root = root;
    this.#at = HEAD_BYTES;
    try {
      this.#write(value);
      return this.#finish();
    } finally {
      this.#reset();
    }
  }

  #finish(): CloneMessage {
    const texts = this.#texts.end();
    this.#view.setUint32(0, this.#at - HEAD_BYTES, true);
    if (texts.length > 0) {
      this.#at = Math.ceil(this.#at / ALIGNED_BYTES) * ALIGNED_BYTES;
      if (this.#at > this.#bytes.length) this.#grow(this.#at, this.#bytes.length);
    }
    const structure = this.#bytes.subarray(0, this.#at);
    const headBytes = this.#at + texts.length;
    if (texts.length === 0 && this.#buffers.length === 0) return { headBytes, pieces: [structure] };
    return { headBytes, pieces: [structure, texts, ...this.#buffers] };
  }

  #reset(): void {
    this.#texts.reset();
    this.#depth = 0;
    this.#isBusy = false;
    this.#seen.reset();
    if (this.#buffers.length > 0) this.#buffers = [];
    this.#shapes.reset();
    if (this.#bytes.length > KEPT_BYTES) this.#grow(FIRST_BYTES, 0);
  }

  #write(value: unknown): void {
    if (this.#at + ROOM_BYTES > this.#bytes.length) this.#grow(this.#at * 2 + ROOM_BYTES, this.#at);
    switch (typeof value) {
      case "string":
        return this.#writeString(value);
      case "number":
        return this.#writeNumber(value);
      case "object":
        return value === null ? this.#byte(Tag.null) : this.#writeObject(value);
      case "boolean":
        return this.#byte(value ? Tag.true : Tag.false);
      case "undefined":
        return this.#byte(Tag.undefined);
      case "bigint":
        this.#byte(Tag.bigint);
        return this.#writeString(value.toString(16));
      case "function":
        if (this.#sendFunction) return this.#writeObject(value);
    }
    this.#refuse(`a ${typeof value}`, this.#depth);
  }

  #writeNumber(value: number): void {
    if ((value | 0) !== value || (value === 0 && 1 / value < 0)) {
      this.#byte(Tag.double);
      return this.#writeDouble(value);
    }
    if (value >= 0 && value < TINY_COUNT) return this.#byte(value);
    this.#byte(Tag.integer);
    this.#writeCount((value << 1 ^ value >> 31) >>> 0);
  }

  #writeDouble(value: number): void {
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  /** Seven bits a byte, the low ones first. There is room for one. */
  #writeCount(count: number): void {
    while (count > 127) {
      this.#byte(count & 127 | 128);
      count >>>= 7;
    }
    this.#byte(count);
  }

  #writeString(text: string): void {
    const { length } = text;
    if (length < SHORT_COUNT) this.#byte(Tag.shortString + length);
    else {
      this.#byte(Tag.string);
      this.#writeCount(length);
    }
    if (length === 0) return;
    this.#texts.add(text);
  }

  #grow(totalBytes: number, keptBytes: number): void {
    const bytes = new Uint8Array(totalBytes);
    bytes.set(this.#bytes.subarray(0, keptBytes));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  #writeObject(value: object): void {
    const known = this.#seen.add(value);
    if (known >= 0) {
      this.#byte(Tag.again);
      return this.#writeCount(known);
    }
    if (++this.#depth > DEPTH_MAX) this.#refuse(`more than ${DEPTH_MAX} objects deep`);
    if (typeof value === "function") this.#writeFunction(value as Callable);
    else if (Array.isArray(value)) this.#writeArray(value);
    else if (ArrayBuffer.isView(value)) this.#writeView(value);
    else this.#writeTagged(value, objectKind(value));
    this.#depth--;
  }

  #writeTagged(value: object, tag: string): void {
    switch (tag) {
      case "[object Object]":
        return this.#writePlain(value as Record<string, unknown>);
      case "[object Date]":
        this.#byte(Tag.date);
        return this.#writeDouble(Date.prototype.getTime.call(value));
      case "[object RegExp]":
        this.#byte(Tag.regExp);
        this.#writeString((value as RegExp).source);
        return this.#writeString((value as RegExp).flags);
      case "[object Map]":
        return this.#writeEach(Tag.map, [...Map.prototype.entries.call(value)].flat(1));
      case "[object Set]":
        return this.#writeEach(Tag.set, [...Set.prototype.values.call(value)]);
      case "[object ArrayBuffer]":
        return this.#writeBuffer(value as ArrayBuffer);
      case "[object Boolean]":
        return this.#writeBoxed(Boolean.prototype.valueOf.call(value));
      case "[object Number]":
        return this.#writeBoxed(Number.prototype.valueOf.call(value));
      case "[object String]":
        return this.#writeBoxed(String.prototype.valueOf.call(value));
      case "[object BigInt]":
        return this.#writeBoxed(BigInt.prototype.valueOf.call(value));
      case "[object DOMException]":
        this.#byte(Tag.domException);
        for (const field of ["name", "message", "stack"] as const) {
          this.#write(String((value as DOMException)[field] ?? ""));
        }
        return;
    }
    if (tag === "[object Error]" || value instanceof Error) return this.#writeError(value as Error);
    if (this.#sendFunction && isIterated(value)) return this.#writeIterator(value);
    if (this.#writeCarried(value)) return;
    this.#refuse(refusalOf(value, tag));
  }

  #writeFunction(value: Callable): void {
    const number = this.#sendFunction!(value, false);
    this.#byte(Tag.function);
    this.#writeCount(number);
    this.#write(value.name.slice(0, NAME_CHARS));
  }

  #writeIterator(value: Iterated): void {
    const number = this.#sendFunction!(stepsOf(value), true);
    this.#byte(Tag.iterator);
    this.#writeCount(number);
  }

  #writePlain(value: Record<string, unknown>): void {
    const prototype = Object.getPrototypeOf(value);
    const isBare = prototype === Object.prototype || prototype === null;
    if (this.#sendFunction && isIterated(value)) return this.#writeIterator(value);
    const shape = isBare ? this.#lastShapes[this.#depth] : undefined;
    if (shape !== undefined && hasKeys(value, shape.keys)) return this.#writeOfShape(value, shape);
    const keys = Object.keys(value);
    this.#lastShapes[this.#depth] = this.#writeShape(keys);
    for (const key of keys) {
      this.#path[this.#depth] = key;
      this.#write(value[key]);
    }
  }

  /** As the last one at its depth: engines read what `for in` comes to without looking its name up. */
  #writeOfShape(value: Record<string, unknown>, shape: Shape): void {
    const { keys } = shape;
    if (this.#shapes.has(shape)) this.#writeShapeNumber(shape.number);
    else this.#writeShape(keys, shape);
    const depth = this.#depth;
    const path = this.#path;
    let index = 0;
    for (const key in value) {
      // Else a getter has changed it.
      if (key === keys[index]) {
        index++;
        path[depth] = key;
        this.#write(value[key]);
      }
    }
    for (; index < keys.length; index++) this.#write(value[keys[index]!]);
  }

  #writeShapeNumber(number: number): void {
    if (number < SHORT_COUNT) return this.#byte(Tag.shape + number);
    this.#byte(Tag.laterShape);
    this.#writeCount(number);
  }

  /** Objects of one kind follow each other: their keys are written once. */
  #writeShape(keys: readonly string[], shape?: Shape): Shape {
    const known = this.#shapes.find(keys);
    if (known) {
      this.#writeShapeNumber(known.number);
      return known;
    }
    this.#byte(Tag.object);
    this.#writeKeys(keys);
    return this.#shapes.add(shape ?? { number: 0, keys });
  }

  #writeKeys(keys: readonly string[]): void {
    this.#writeCount(keys.length);
    for (const key of keys) this.#write(key);
  }

  #writeArray(value: readonly unknown[]): void {
    const { length } = value;
    if (isDense(value)) return this.#writeEach(Tag.array, value);
    const keys = Object.keys(value);
    this.#byte(Tag.sparseArray);
    this.#writeCount(length);
    this.#writeKeys(keys);
    for (const key of keys) {
      this.#path[this.#depth] = key;
      this.#write(value[key as unknown as number]);
    }
  }

  #writeEach(tag: number, values: readonly unknown[]): void {
    const { length } = values;
    this.#byte(tag);
    this.#writeCount(length);
    for (let index = 0; index < length; index++) {
      this.#path[this.#depth] = index;
      this.#write(values[index]);
    }
  }

  #writeCarried(value: object): boolean {
    const number = this.#sender.sendObject?.(value);
    if (number === undefined) return false;
    this.#byte(Tag.carried);
    this.#writeCount(number);
    return true;
  }

  #writeBuffer(value: ArrayBuffer): void {
    if (this.#writeCarried(value)) return;
    if (value.resizable) this.#refuse("a buffer that can be resized");
    if (value.detached) this.#refuse("a buffer that was transferred");
    this.#byte(Tag.buffer);
    this.#writeCount(value.byteLength);
    this.#buffers.push(new Uint8Array(value));
  }

  #writeView(value: ArrayBufferView): void {
    const name = viewName(value);
    const isElements = name !== undefined;
    const { byteOffset, byteLength, buffer } = value;
    this.#byte(Tag.view);
    this.#byte(isElements ? VIEW_NAMES.indexOf(name as typeof VIEW_NAMES[number]) : 0);
    this.#writeCount(byteOffset);
    this.#writeCount(isElements ? (value as Uint8Array).length : byteLength);
    this.#path[this.#depth] = "buffer";
    this.#write(buffer);
  }

  #writeBoxed(value: unknown): void {
    this.#byte(Tag.boxed);
    this.#write(value);
  }

  #writeError(error: Error): void {
    this.#byte(Tag.error);
    // The last that fits: every one is an Error.
    const number = [...ERROR_CLASSES, ...this.#sender.errorClasses ?? []]
      .findLastIndex((one) => error instanceof one);
    this.#byte(Math.max(number, 0));
    const fields = ERROR_FIELDS.filter((field) =>
      field === "name" || field === "stack" || Object.hasOwn(error, field)
    );
    this.#byte(fields.reduce((bits, field) => bits | 1 << ERROR_FIELDS.indexOf(field), 0));
    const others = Object.keys(error).filter((key) => !ERROR_FIELDS.includes(key as never));
    this.#writeKeys(others);
    for (const key of [...fields, ...others]) {
      this.#path[this.#depth] = key;
      const value = error[key as keyof Error];
      this.#write(key === "cause" || key === "errors" || others.includes(key) ? value : `${value}`);
    }
  }

  /** @param depth how many steps lead to it; one less than to what is in it, for an object */
  #refuse(what: string, depth = this.#depth - 1): never {
    const way = wayText(this.#path.slice(1, Math.min(depth, STEPS_TOLD) + 1));
    throw new TypeError(
      `Cannot send ${this.#root}${way} as it cannot be copied to another thread: it is ${what}`,
    );
  }
}
