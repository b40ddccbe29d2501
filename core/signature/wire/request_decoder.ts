import type { Parameter } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { alignUp } from "../../memory/regions.ts";
import {
  argumentBody,
  argumentKind,
  HEAD_SLOTS,
  requestSlots,
  type RequestSource,
} from "./argument_kinds.ts";
import { ByteSlots, SLOT_BYTES } from "./slot.ts";

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

class RequestDecoder implements RequestSource {
  readonly slots: ByteSlots;
  readonly values: unknown[] = [];
  index = 0;
  readonly #target: ApiFunction;
  readonly #objects: HostObjects;
  #byte: number;
  #roomBytes: number;

  constructor(target: ApiFunction, bytes: Uint8Array, objects: HostObjects) {
    const { parameters } = target.signature;
    const slotCount = parameters.reduce((sum, one) => sum + requestSlots(one), HEAD_SLOTS);
    this.slots = new ByteSlots(bytes);
    this.#target = target;
    this.#objects = objects;
    this.#byte = slotCount * SLOT_BYTES;
    this.#roomBytes = objects.limitBytes;
    if (bytes.length < this.#byte) this.refuse(`it has ${bytes.length} bytes`);
  }

  decode(): unknown[] {
    const { parameters } = this.#target.signature;
    const places: number[] = [];
    let slot = HEAD_SLOTS;
    for (const parameter of parameters) {
      const { head, slots } = argumentKind(parameter);
      places.push(slot);
      this.values.push(head(parameter, this.slots, slot));
      slot += slots(parameter);
    }
    for (; this.index < parameters.length; this.index++) {
      const { index } = this;
      this.values[index] = argumentBody(parameters[index]!, this, places[index]!);
    }
    if (this.#byte !== this.slots.bytes.length) {
      this.refuse(`it has ${this.slots.bytes.length} bytes and not ${this.#byte}`);
    }
    // Last: a call that is broken elsewhere ends no handle.
    this.#objects.resolve(parameters, this.values);
    return this.values;
  }

  payload(lengthBytes: number): Uint8Array {
    this.#take(lengthBytes);
    const start = this.#byte;
    this.#byte += alignUp(lengthBytes, SLOT_BYTES);
    if (this.#byte > this.slots.bytes.length) this.refuse(`argument ${this.index} is cut off`);
    return this.slots.bytes.subarray(start, start + lengthBytes);
  }

  room(lengthBytes: number): Uint8Array {
    this.#take(lengthBytes);
    return new Uint8Array(lengthBytes);
  }

  refuse(problem: string): never {
    throw new RangeError(`Cannot serve ${this.#target.name} as the call is broken: ${problem}`);
  }

  /** What is given back counts as what came: a caller could ask for more memory than there is. */
  #take(lengthBytes: number): void {
    this.#roomBytes -= lengthBytes;
    if (this.#roomBytes >= 0) return;
    this.refuse(
      `argument ${this.index} goes beyond the limit of ${this.#objects.limitBytes} bytes`,
    );
  }
}
