import type { Packet } from "../../memory/packet.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { refusePromise } from "../../memory/sync_result.ts";
import type { AsyncContext } from "../../toggle/server/service_table.ts";
import { callShape } from "../wire/call_shape.ts";
import { LaneSlots, shown, type SlotCodec } from "../wire/slot.ts";
import { type HostReply, refuseResult } from "../wire/reply.ts";
import { checkHash } from "../wire/request_decoder.ts";
import type { HostCall, Later } from "./host_call.ts";

/** A lane whose function is not done yet. */
interface LateLane {
  readonly lane: number;
  readonly reply: Pending<HostReply>;
}

/** A lane has failed: the call has no answer. */
function cancelAll(late: readonly LateLane[] | undefined, error: unknown): void {
  for (const { reply } of late ?? []) reply.cancel(error as Error);
}

/** A function whose arguments and result are one slot each: its calls are served in the packet. */
export class FlatCall {
  readonly #call: HostCall;
  readonly #codecs: readonly SlotCodec[];
  readonly #result: SlotCodec;
  /** The function itself, where it takes and gives what is in the slots. */
  readonly #direct: ((...values: unknown[]) => unknown) | undefined;

  private constructor(call: HostCall, codecs: readonly SlotCodec[], result: SlotCodec) {
    this.#call = call;
    this.#codecs = codecs;
    this.#result = result;
    this.#direct = call.direct;
  }

  /** For a function whose calls fit; none for others. */
  static of(call: HostCall): FlatCall | undefined {
    const { flat, result } = callShape(call.target.signature);
    return flat && result ? new FlatCall(call, flat, result) : undefined;
  }

  /** What serves a packet: one function, so that calls without anything between cost nothing more. */
  get operate(): (packet: Packet) => Later<Packet> | void {
    const direct = this.#direct;
    if (direct) return (packet) => this.#serveDirect(packet, direct);
    if (this.#call.handleName === undefined) return (packet) => this.#serve(packet);
    return (packet) => this.#call.keeping((made) => this.#serve(packet, made));
  }

  #serve(packet: Packet, made?: HostReply[]): Later<Packet> | void {
    // Not kept for the next call: the function may serve others before it returns.
    const slots = new LaneSlots();
    let late: LateLane[] | undefined;
    this.#call.objects.portIndex = packet.index;
    try {
      for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
        slots.aim(packet, lane);
        const reply = this.#call.run(this.#valuesOf(slots));
        // Quicker than instanceof, which goes through the prototypes of an object.
        if ("errno" in reply) {
          made?.push(reply);
          this.#put(slots, reply);
        } else (late ??= []).push({ lane, reply });
      }
    } catch (error) {
      cancelAll(late, error);
      throw error;
    }
    return late && this.#later(late, made);
  }

  /** Answers the lanes of a call that are not done yet, all at once: the others have their answers. */
  #later(late: readonly LateLane[], made?: HostReply[]): Later<Packet> {
    // Noted one by one: another lane may fail before all are there.
    const noted = late.map(({ reply }) =>
      reply.map((done) => {
        made?.push(done);
        return done;
      })
    );
    return Pending.all(noted).map((replies) => (packet) => {
      const slots = new LaneSlots();
      for (const [index, { lane }] of late.entries()) {
        slots.aim(packet, lane);
        this.#put(slots, replies[index]!);
      }
    });
  }

  /** As {@linkcode operate} does, for a function that may wait; nobody has the handles of a late one. */
  serveAsync(packet: Packet, context: AsyncContext): Promise<void> {
    return this.#call.keepingAsync(async (made) => {
      await this.#serveAsync(packet, context, made);
      context.signal.throwIfAborted();
    });
  }

  async #serveAsync(packet: Packet, { portIndex }: AsyncContext, made: HostReply[]): Promise<void> {
    const slots = new LaneSlots();
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      slots.aim(packet, lane);
      this.#call.objects.portIndex = portIndex; // the packet is a copy, and has none
      const reply = await this.#call.runAsync(this.#valuesOf(slots));
      made.push(reply);
      this.#put(slots, reply);
    }
  }

  /** Calls of scalars only, whose function has no way to fail but by throwing: with nothing between. */
  #serveDirect(
    packet: Packet,
    work: (...values: unknown[]) => unknown,
  ): Later<Packet> | void {
    const slots = new LaneSlots();
    let late: LateLane[] | undefined;
    this.#call.objects.portIndex = packet.index;
    try {
      for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
        slots.aim(packet, lane);
        const result = this.#callDirect(slots, work);
        slots.setUint32(0, 0);
        if (this.#result.write(slots, 1, result)) continue;
        if (!(result instanceof Pending)) this.#refuse(result);
        (late ??= []).push({ lane, reply: this.#call.later(result) });
      }
    } catch (error) {
      cancelAll(late, error);
      throw error;
    }
    return late && this.#later(late);
  }

  #callDirect(slots: LaneSlots, work: (...values: unknown[]) => unknown): unknown {
    const codecs = this.#codecs;
    checkHash(this.#call.target, slots.getUint32(0));
    switch (codecs.length) {
      case 0:
        return work();
      case 1:
        return work(codecs[0]!.read(slots, 1));
      case 2:
        return work(codecs[0]!.read(slots, 1), codecs[1]!.read(slots, 2));
      case 3:
        return work(
          codecs[0]!.read(slots, 1),
          codecs[1]!.read(slots, 2),
          codecs[2]!.read(slots, 3),
        );
      default:
        return work(...codecs.map((codec, index) => codec.read(slots, index + 1)));
    }
  }

  #refuse(result: unknown): never {
    refusePromise(result, "a function of serveApi");
    const { target } = this.#call;
    refuseResult(target, `must return ${this.#result.demand}: current value is ${shown(result)}`);
  }

  #valuesOf(slots: LaneSlots): unknown[] {
    const { target, objects } = this.#call;
    checkHash(target, slots.getUint32(0));
    const values: unknown[] = [];
    let slot = 0;
    for (const parameter of target.signature.parameters) {
      if (parameter.kind === "constant") {
        values.push(parameter.value);
        continue;
      }
      values.push(this.#codecs[slot]!.read(slots, ++slot));
    }
    objects.resolve(target.signature.parameters, values);
    return values;
  }

  #put(slots: LaneSlots, { result, errno }: HostReply): void {
    slots.setUint32(0, errno);
    if (!this.#result.write(slots, 1, result)) this.#refuse(result);
  }
}
