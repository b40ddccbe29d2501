import type { Packet } from "../../memory/packet.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { callShape } from "../wire/call_shape.ts";
import { LaneSlots } from "../wire/lane_slots.ts";
import type { HostReply } from "../wire/reply.ts";
import { refuseArgument } from "../wire/request_encoder.ts";
import type { SlotCodec } from "../wire/slot.ts";

/** Writes and reads calls that fit a packet: a slot with the hash, then one for each argument. */
export class FlatWriter {
  readonly #target: ApiFunction;
  readonly #codecs: readonly SlotCodec[];
  readonly #result: SlotCodec;
  readonly #hasResult: boolean;
  readonly #slots = new LaneSlots();

  private constructor(
    target: ApiFunction,
    codecs: readonly SlotCodec[],
    result: SlotCodec,
  ) {
    this.#target = target;
    this.#codecs = codecs;
    this.#result = result;
    this.#hasResult = target.signature.result.kind !== "void";
  }

  /** For a function whose calls fit; none for others. */
  static of(target: ApiFunction): FlatWriter | undefined {
    const { flat, result } = callShape(target.signature);
    return flat && result ? new FlatWriter(target, flat, result) : undefined;
  }

  /**
   * Writes the arguments of a lane.
   *
   * @throws {TypeError} when one is none of its kind
   */
  write(packet: Packet, lane: number, given: readonly unknown[]): void {
    const slots = this.#slots;
    const codecs = this.#codecs;
    slots.aim(packet, lane);
    slots.setUint32(0, this.#target.hash);
    for (let index = 0; index < codecs.length; index++) {
      const codec = codecs[index]!;
      if (!codec.write(slots, index + 1, given[index])) this.#refuse(index, given[index]);
    }
  }

  errno = 0;
  write2(packet: Packet, first: unknown, second: unknown): void {
    const slots = this.#slots;
    const codecs = this.#codecs;
    slots.aim(packet, 0);
    slots.setUint32(0, this.#target.hash);
    if (!codecs[0]!.write(slots, 1, first)) this.#refuse(0, first);
    if (!codecs[1]!.write(slots, 2, second)) this.#refuse(1, second);
  }

  read2(packet: Packet): unknown {
    const slots = this.#slots;
    slots.aim(packet, 0);
    this.errno = slots.getUint32(0) | 0;
    return this.#result.read(slots, 1);
  }

  /** Reads what came back for a lane. */
  read(packet: Packet, lane: number): HostReply {
    const slots = this.#slots;
    slots.aim(packet, lane);
    const result = this.#hasResult ? this.#result.read(slots, 1) : undefined;
    return { result, errno: slots.getUint32(0) | 0 };
  }

  /** By the place among the parameters, where constants count. */
  #refuse(index: number, value: unknown): never {
    let place = -1;
    let left = index;
    for (const [at, { kind }] of this.#target.signature.parameters.entries()) {
      if (kind !== "constant" && left-- === 0) place = at;
    }
    const { demand } = this.#codecs[index]!;
    refuseArgument(this.#target, place, `must be ${demand}: current value is ${String(value)}`);
  }
}
