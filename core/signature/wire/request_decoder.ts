import type { Bytes, Direction, Parameter, Struct } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { alignUp } from "../../memory/regions.ts";
import { ByteSlots, SLOT_BYTES, SLOT_CODECS } from "./slot.ts";
import { requestSlots } from "./call_shape.ts";
import { HEAD_SLOTS, NULL_LENGTH, textStruct } from "./request_parts.ts";
import { readStruct, trailingBytes, TrailingTexts } from "./struct_bytes.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { decodeText, readVariadic } from "./variadic_bytes.ts";

/** What a server gives to functions in place of numbers. */
export interface HostObjects {
  /**
   * Puts the objects of handles and the functions of callbacks in place of their numbers, and ends
   * the handles that the call ends; throws when there is none, and has ended nothing then.
   */
  resolve(parameters: readonly Parameter[], values: unknown[]): void;
  /** The most bytes that the arguments of one call take, here as well as on the way. */
  readonly limitBytes: number;
}

/**
 * Reads a call that {@linkcode encodeRequest} wrote, or that somebody says it did: every length is
 * computed again, and nothing lies beyond the bytes.
 *
 * @param bytes memory that nobody else writes; what the function gets lies in it
 * @returns what the function gets, constants included
 * @throws {RangeError} when the bytes are no call of this function
 */
export function decodeRequest(
  target: ApiFunction,
  bytes: Uint8Array,
  objects: HostObjects,
): unknown[] {
  checkHash(target, bytes.length >= SLOT_BYTES ? new ByteSlots(bytes).getUint32(0) : 0);
  return new RequestDecoder(target, bytes, objects).decode();
}

/**
 * Checks that a caller means the function as it is declared here.
 *
 * @throws {SignatureError} when it does not
 */
export function checkHash(target: ApiFunction, hash: unknown): void {
  if (hash !== target.hash) throw new SignatureError(target);
}

/** The other side has another declaration of the function, or means another function. */
export class SignatureError extends TypeError {
  /** The name of the class, also in another isolate. */
  override readonly name = "SignatureError";

  constructor(target: ApiFunction) {
    super(
      `Cannot serve ${target.name} as its caller has another signature: here it is ${target.text}`,
    );
  }
}

class RequestDecoder {
  readonly #target: ApiFunction;
  readonly #slots: ByteSlots;
  readonly #objects: HostObjects;
  readonly #values: unknown[] = [];
  #byte: number;
  #roomBytes: number;

  constructor(target: ApiFunction, bytes: Uint8Array, objects: HostObjects) {
    const { parameters } = target.signature;
    const slotCount = parameters.reduce((sum, one) => sum + requestSlots(one), HEAD_SLOTS);
    this.#target = target;
    this.#slots = new ByteSlots(bytes);
    this.#objects = objects;
    this.#byte = slotCount * SLOT_BYTES;
    this.#roomBytes = objects.limitBytes;
    if (bytes.length < this.#byte) this.#refuse(`it has ${bytes.length} bytes`);
  }

  decode(): unknown[] {
    const { parameters } = this.#target.signature;
    const firstSlots: number[] = [];
    let slot = HEAD_SLOTS;
    for (const parameter of parameters) {
      firstSlots.push(slot);
      this.#values.push(this.#slotValue(parameter, slot));
      slot += requestSlots(parameter);
    }
    for (const [index, parameter] of parameters.entries()) {
      this.#values[index] = this.#value(parameter, firstSlots[index]!, index);
    }
    if (this.#byte !== this.#slots.bytes.length) {
      this.#refuse(`it has ${this.#slots.bytes.length} bytes and not ${this.#byte}`);
    }
    // Last: a call that is broken elsewhere ends no handle.
    this.#objects.resolve(parameters, this.#values);
    return this.#values;
  }

  /** Scalars and structs come first: lengths are made of them. */
  #slotValue(parameter: Parameter, slot: number): unknown {
    switch (parameter.kind) {
      case "constant":
        return parameter.value;
      case "scalar":
        return SLOT_CODECS[parameter.type].read(this.#slots, slot);
      case "struct":
        return readStruct(this.#slots.view, slot * SLOT_BYTES, { struct: parameter });
      case "reference":
        return this.#struct(parameter, slot);
      default:
        return undefined;
    }
  }

  #value(parameter: Parameter, slot: number, index: number): unknown {
    switch (parameter.kind) {
      case "bytes":
        return this.#bytes(parameter, slot, index);
      case "string":
        return decodeText(this.#payload(this.#length(slot), index));
      case "variadic":
        return readVariadic(this.#payload(this.#length(slot), index));
      case "handle":
        return this.#handle(slot);
      case "callback":
        return this.#length(slot);
      case "nullable":
        return this.#nullable(parameter, slot, index);
      default: {
        const struct = textStruct(parameter);
        return struct ? this.#textStruct(struct, slot, index) : this.#values[index];
      }
    }
  }

  /** With its texts, which only now are known to be there. */
  #textStruct(struct: Struct, slot: number, index: number): object {
    const { view } = this.#slots;
    const byte = slot * SLOT_BYTES;
    const texts = new TrailingTexts(this.#payload(trailingBytes(view, byte, struct), index));
    for (const { offsetByte, path, isNullable } of structLayout(struct).texts) {
      if (isNullable || view.getBigUint64(byte + offsetByte, true) !== 0n) continue;
      this.#refuse(`argument ${index} has no text ${path.join(".")}`);
    }
    return readStruct(view, byte, { struct, texts });
  }

  #nullable(parameter: Parameter & { readonly kind: "nullable" }, slot: number, index: number) {
    const { of } = parameter;
    if (of.kind === "reference") {
      if (this.#length(slot) === 0) return null;
      return textStruct(of) ? this.#value(of, slot + 1, index) : this.#struct(of, slot + 1);
    }
    const word = of.kind === "handle" ? this.#handle(slot) : this.#length(slot);
    const isCounted = of.kind === "bytes" || of.kind === "string";
    return word === (isCounted ? NULL_LENGTH : 0) ? null : this.#value(of, slot, index);
  }

  #struct(
    { direction, struct }: Parameter & { readonly kind: "reference" },
    slot: number,
  ): object {
    if (direction !== "out") return readStruct(this.#slots.view, slot * SLOT_BYTES, { struct });
    const zeros = new DataView(new ArrayBuffer(requestSlots(struct) * SLOT_BYTES));
    return readStruct(zeros, 0, { struct });
  }

  #bytes({ direction, length }: Bytes<Direction>, slot: number, index: number): Uint8Array {
    const lengthBytes = this.#length(slot);
    const due = length?.of(this.#values) ?? lengthBytes;
    if (due !== lengthBytes) {
      this.#refuse(
        length?.problem(this.#values) ??
          `argument ${index} has ${lengthBytes} bytes and the others say ${due}`,
      );
    }
    if (direction !== "out") return this.#payload(lengthBytes, index);
    this.#take(lengthBytes, index);
    return new Uint8Array(lengthBytes);
  }

  #payload(lengthBytes: number, index: number): Uint8Array {
    this.#take(lengthBytes, index);
    const start = this.#byte;
    this.#byte += alignUp(lengthBytes, 8);
    if (this.#byte > this.#slots.bytes.length) this.#refuse(`argument ${index} is cut off`);
    return this.#slots.bytes.subarray(start, start + lengthBytes);
  }

  /** What is given back counts as what came: a caller could ask for more memory than there is. */
  #take(lengthBytes: number, index: number): void {
    this.#roomBytes -= lengthBytes;
    if (this.#roomBytes >= 0) return;
    this.#refuse(`argument ${index} goes beyond the limit of ${this.#objects.limitBytes} bytes`);
  }

  #length(slot: number): number {
    return this.#slots.getUint32(2 * slot);
  }

  #handle(slot: number): number {
    return SLOT_CODECS.handle.read(this.#slots, slot) as number;
  }

  #refuse(problem: string): never {
    throw new RangeError(`Cannot serve ${this.#target.name} as the call is broken: ${problem}`);
  }
}
