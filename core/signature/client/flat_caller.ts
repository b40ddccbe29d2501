import type { CallWork, Packet } from "../../memory/packet.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { callShape } from "../wire/call_shape.ts";
import { LaneSlots, shown, type SlotCodec } from "../wire/slot.ts";
import type { HostReply } from "../wire/reply.ts";
import { refuseArgument } from "../wire/request_encoder.ts";

/**
 * Writes and reads calls that fit a packet: a slot with the hash, then one for each argument; back come
 * `errno` and the result.
 */
export class FlatCaller {
  /** Arguments and reply of the call by lane 0 that is under way; no two are, as it blocks. */
  readonly given: unknown[] = [];
  result: unknown;
  errno = 0;
  /** What `Client.call` does with the packet for such a call; one object, so that it allocates nothing. */
  readonly work: CallWork = {
    fill: (packet) => this.write(packet, 0, this.given),
    use: (packet) => {
      this.errno = packet.getUint32(0, 0) | 0;
      this.result = this.#resultOf(packet, 0);
    },
  };
  readonly #target: ApiFunction;
  readonly #codecs: readonly SlotCodec[];
  readonly #resultCodec: SlotCodec | undefined;
  readonly #slots = new LaneSlots();

  private constructor(target: ApiFunction, codecs: readonly SlotCodec[], result: SlotCodec) {
    this.#target = target;
    this.#codecs = codecs;
    this.#resultCodec = target.signature.result.kind === "void" ? undefined : result;
  }

  /** For a function whose calls fit; none for others. */
  static of(target: ApiFunction): FlatCaller | undefined {
    const { flat, result } = callShape(target.signature);
    return flat && result ? new FlatCaller(target, flat, result) : undefined;
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
      if (!codecs[index]!.write(slots, index + 1, given[index])) this.#refuse(index, given[index]);
    }
  }

  /** Reads what came back for a lane. */
  read(packet: Packet, lane: number): HostReply {
    return { result: this.#resultOf(packet, lane), errno: packet.getUint32(lane, 0) | 0 };
  }

  #resultOf(packet: Packet, lane: number): unknown {
    this.#slots.aim(packet, lane);
    return this.#resultCodec?.read(this.#slots, 1);
  }

  /** By the place among the parameters, where constants count. */
  #refuse(index: number, value: unknown): never {
    const places = this.#target.signature.parameters.flatMap(({ kind }, place) =>
      kind === "constant" ? [] : [place]
    );
    const { demand } = this.#codecs[index]!;
    refuseArgument(
      this.#target,
      places[index]!,
      `must be ${demand}: current value is ${shown(value)}`,
    );
  }
}
