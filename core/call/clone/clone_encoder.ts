import { objectKind } from "./object_kind.ts";
import {
  ALIGNED_BYTES,
  type Callable,
  DEPTH_MAX,
  ERROR_CLASSES,
  ERROR_FIELDS,
  type ErrorClass,
  HEAD_BYTES,
  PAGE_CHARS,
  SHORT_COUNT,
  Tag,
  TINY_COUNT,
  VIEW_NAMES,
} from "./tags.ts";

/** A message in pieces, to be sent one behind the other. The first two change with the next message. */
export interface CloneMessage {
  /** How many bytes of them are not those of buffers. */
  readonly headBytes: number;
  /** Structure, texts, and the bytes of each buffer, which are the value's own. */
  readonly pieces: readonly Uint8Array[];
}

/**
 * The number that stands for a function on the other side.
 *
 * @param isIterator whether it is {@linkcode CloneEncoder}'s own, whose first argument names the step of an iterator
 */
export type FunctionSender = (value: Callable, isIterator: boolean) => number;

/** How what cannot be copied is sent; without one of these, what it is for is refused. */
export interface CloneSender {
  readonly sendFunction?: FunctionSender;
  /** Classes of errors that the other side has too, in the same order. */
  readonly errorClasses?: readonly ErrorClass[] | undefined;
  /** The number that stands for an object which is carried beside the message; `undefined` where it is not. */
  readonly sendObject?: (value: object) => number | undefined;
}

const FIRST_BYTES = 1024;
/** What is kept between messages of what a large one needed. */
const KEPT_BYTES = 1 << 22;
/** Room that is made before each tag: no tag with its number needs more. */
const ROOM_BYTES = 16;
/** Shapes that an object is compared with. */
const SHAPES_TRIED = 4;
/** Texts up to this are written here: a call of the engine takes as long as some dozens of characters. */
const FEW_CHARS = 48;
/** What it is that is refused, with what to do instead. */
const HINTS: Readonly<Record<string, string>> = {
  Promise: "a promise: await it first",
  MessagePort: "a MessagePort: give it by transfer(value, [port])",
};
/** Of a function, for messages. */
const NAME_CHARS = 100;
/** Of the way to what is refused. */
const STEPS_TOLD = 16;
const TypedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)!.get!;
const TEXT_ENCODER = new TextEncoder();

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
  #texts = new Uint8Array(FIRST_BYTES);
  #textAt = 0;
  /** Where the page at hand begins, and how many characters it has. */
  #pageAt = 0;
  #pageChars = 0;
  /** Every object so far, in the order of their numbers. */
  readonly #seen = new Set<object>();
  /** Their numbers, once somebody has asked. */
  #numbers: Map<object, number> | undefined;
  #buffers: Uint8Array[] = [];
  /** Shapes by their count of keys, the latest last; the first member is the shape's number. */
  #shapes = new Map<number, Shape[]>();
  /** The last one at each depth. */
  readonly #lastShapes: (Shape | undefined)[] = [];
  #shapeCount = 0;
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
    this.#endPage();
    this.#view.setUint32(0, this.#at - HEAD_BYTES, true);
    if (this.#textAt > 0) {
      this.#at = Math.ceil(this.#at / ALIGNED_BYTES) * ALIGNED_BYTES;
      if (this.#at > this.#bytes.length) this.#grow(this.#at, this.#bytes.length);
    }
    const structure = this.#bytes.subarray(0, this.#at);
    const headBytes = this.#at + this.#textAt;
    if (this.#textAt === 0 && this.#buffers.length === 0) return { headBytes, pieces: [structure] };
    return {
      headBytes,
      pieces: [structure, this.#texts.subarray(0, this.#textAt), ...this.#buffers],
    };
  }

  #reset(): void {
    this.#textAt = 0;
    this.#pageChars = 0;
    this.#depth = 0;
    this.#isBusy = false;
    if (this.#seen.size > 0) this.#seen.clear();
    this.#numbers = undefined;
    if (this.#buffers.length > 0) this.#buffers = [];
    if (this.#shapeCount > 0) {
      this.#shapes.clear();
      this.#lastShapes.length = 0;
      this.#shapeCount = 0;
    }
    if (this.#bytes.length > KEPT_BYTES) this.#grow(FIRST_BYTES, 0);
    if (this.#texts.length > KEPT_BYTES) this.#texts = new Uint8Array(FIRST_BYTES);
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
    if (this.#pageChars > 0 && this.#pageChars + length > PAGE_CHARS) this.#endPage();
    this.#putText(text);
  }

  #putText(text: string): void {
    const { length } = text;
    const start = this.#pageChars > 0 ? this.#textAt : this.#textAt + 8;
    if (this.#pageChars === 0) this.#pageAt = this.#textAt;
    this.#textRoom(start + length);
    if (length <= FEW_CHARS) {
      const texts = this.#texts;
      let index = 0;
      for (; index < length; index++) {
        const code = text.charCodeAt(index);
        if (code > 127) break;
        texts[start + index] = code;
      }
      if (index === length) {
        this.#textAt = start + length;
        this.#pageChars += length;
        return;
      }
    }
    let { read, written } = TEXT_ENCODER.encodeInto(text, this.#texts.subarray(start));
    // Of what is not ASCII, half of the characters may have filled the room.
    if (read !== length || written !== length) {
      if (!text.isWellFormed()) return this.#putWidePage(text);
      this.#textRoom(start + length * 3);
      ({ read, written } = TEXT_ENCODER.encodeInto(text, this.#texts.subarray(start)));
    }
    this.#textAt = start + written;
    this.#pageChars += length;
  }

  /** Halves of pairs survive as they are, in a page of their own. */
  #putWidePage(text: string): void {
    this.#endPage();
    const { length } = text;
    const start = this.#textAt + 8;
    this.#textRoom(start + length * 2);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      this.#texts[start + index * 2] = code;
      this.#texts[start + index * 2 + 1] = code >>> 8;
    }
    this.#pageAt = this.#textAt;
    this.#pageChars = length;
    this.#textAt = start + length * 2;
    this.#endPage(1);
  }

  /** A page is its count of characters, whether they are UTF-16, its count of bytes, and those. */
  #endPage(isWide = 0): void {
    if (this.#pageChars === 0) return;
    this.#word(this.#pageAt, this.#pageChars * 2 + isWide);
    this.#word(this.#pageAt + 4, this.#textAt - this.#pageAt - 8);
    this.#pageChars = 0;
  }

  #word(at: number, value: number): void {
    const texts = this.#texts;
    texts[at] = value;
    texts[at + 1] = value >>> 8;
    texts[at + 2] = value >>> 16;
    texts[at + 3] = value >>> 24;
  }

  #textRoom(totalBytes: number): void {
    if (totalBytes <= this.#texts.length) return;
    const texts = new Uint8Array(Math.max(totalBytes, this.#texts.length * 2));
    texts.set(this.#texts.subarray(0, this.#textAt));
    this.#texts = texts;
  }

  #grow(totalBytes: number, keptBytes: number): void {
    const bytes = new Uint8Array(totalBytes);
    bytes.set(this.#bytes.subarray(0, keptBytes));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  #writeObject(value: object): void {
    const { size } = this.#seen;
    // One look-up for those that are new, which most are.
    if (this.#seen.add(value).size === size) {
      this.#byte(Tag.again);
      return this.#writeCount(this.#numberOf(value));
    }
    if (++this.#depth > DEPTH_MAX) this.#refuse(`more than ${DEPTH_MAX} objects deep`);
    if (typeof value === "function") this.#writeFunction(value as Callable);
    else if (Array.isArray(value)) this.#writeArray(value);
    else if (ArrayBuffer.isView(value)) this.#writeView(value);
    else this.#writeTagged(value, objectKind(value));
    this.#depth--;
  }

  #numberOf(value: object): number {
    let numbers = this.#numbers;
    if (numbers === undefined || numbers.size !== this.#seen.size) {
      numbers = this.#numbers ??= new Map();
      let number = 0;
      for (const one of this.#seen) numbers.set(one, number++);
    }
    return numbers.get(value)!;
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
    const told = tag.slice(8, -1);
    // What Node says of its ports, and of whatever else hears events.
    const kind = told === "EventTarget" ? value.constructor.name : told;
    this.#refuse(HINTS[kind] ?? kind);
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
    if (!isBare && this.#sendFunction && isIterated(value)) return this.#writeIterator(value);
    const shape = isBare ? this.#lastShapes[this.#depth] : undefined;
    if (shape !== undefined && hasKeys(value, shape[1])) return this.#writeOfShape(value, shape);
    const keys = Object.keys(value);
    this.#lastShapes[this.#depth] = this.#writeShape(keys);
    for (const key of keys) {
      this.#path[this.#depth] = key;
      this.#write(value[key]);
    }
  }

  /** As the last one at its depth: engines read what `for in` comes to without looking its name up. */
  #writeOfShape(value: Record<string, unknown>, [number, keys]: Shape): void {
    this.#writeShapeNumber(number);
    const depth = this.#depth;
    const path = this.#path;
    let index = 0;
    for (const key in value) {
      if (key !== keys[index]) break; // a getter has changed it
      index++;
      path[depth] = key;
      this.#write(value[key]);
    }
    for (; index < keys.length; index++) this.#write(value[keys[index]!]);
  }

  #writeShapeNumber(number: number): void {
    if (number < SHORT_COUNT) return this.#byte(Tag.shape + number);
    this.#byte(Tag.laterShape);
    this.#writeCount(number);
  }

  /** Objects of one kind follow each other: their keys are written once. */
  #writeShape(keys: readonly string[]): Shape {
    const known = this.#shapes.get(keys.length);
    const last = known ? known.length - 1 : -1;
    for (let index = last; index >= 0 && index > last - SHAPES_TRIED; index--) {
      const shape = known![index]!;
      if (!isSame(keys, shape[1])) continue;
      this.#writeShapeNumber(shape[0]);
      return shape;
    }
    const shape: Shape = [this.#shapeCount++, keys];
    if (known) known.push(shape);
    else this.#shapes.set(keys.length, [shape]);
    this.#byte(Tag.object);
    this.#writeKeys(keys);
    return shape;
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
    const name = TypedArrayTag.call(value) as string | undefined;
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
    const steps = this.#path.slice(1, Math.min(depth, STEPS_TOLD) + 1).map((key) =>
      typeof key === "number" || /^\d+$/.test(key)
        ? `[${key}]`
        : /^[\p{L}_$][\p{L}\d_$]*$/u.test(key)
        ? `.${key}`
        : `[${JSON.stringify(key)}]`
    );
    throw new TypeError(
      `Cannot send ${this.#root}${
        steps.join("")
      } as it cannot be copied to another thread: it is ${what}`,
    );
  }
}

/** Whether there are no holes, and nothing beside the elements. Engines count values without a text for each key. */
function isDense(values: readonly unknown[]): boolean {
  const { length } = values;
  if (Object.values(values).length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (values[index] === undefined && !Object.hasOwn(values, index)) return false;
  }
  return true;
}

/** Whether these are its keys, of an object that inherits none that could be enumerated. */
function hasKeys(value: object, keys: readonly string[]): boolean {
  let index = 0;
  for (const key in value) if (key !== keys[index++]) return false;
  return index === keys.length;
}

/** What is asked for its members one by one. */
interface Iterated {
  [Symbol.asyncIterator]?(): Steps;
  [Symbol.iterator]?(): Steps;
}

/** An iterator, whose members may be promises. */
type Steps = { readonly [step in "next" | "return" | "throw"]?: Callable };

/** Whether it is iterated asynchronously, or is an iterator itself: what can be begun again is data, or refused. */
function isIterated(value: object): value is Iterated {
  const { next, [Symbol.asyncIterator]: begin, [Symbol.iterator]: beginAtOnce } = value as
    & Iterated
    & Steps;
  return typeof begin === "function" ||
    (typeof next === "function" && typeof beginAtOnce === "function");
}

function stepsOf(value: Iterated): Callable {
  const steps = (value[Symbol.asyncIterator] ?? value[Symbol.iterator]!).call(value);
  return (step, member) => {
    if (step !== "next" && step !== "return" && step !== "throw") {
      throw new RangeError("Cannot iterate as there is no such step");
    }
    const method = steps[step];
    if (typeof method === "function") return method.call(steps, member);
    if (step === "throw") throw member;
    return { done: true, value: member };
  };
}

type Shape = readonly [number: number, keys: readonly string[]];

function isSame(keys: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < keys.length; index++) {
    if (keys[index] !== others[index]) return false;
  }
  return true;
}
