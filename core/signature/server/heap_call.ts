import type { Packet } from "../../memory/packet.ts";
import type { AsyncContext } from "../../toggle/server/service_table.ts";
import { innerKind, type Result, type Struct } from "../declare/kind.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { ByteSlots, LaneSlots, SLOT_BYTES } from "../wire/slot.ts";
import { type CallerHeap, type HeapRequest, heapRequest, heapSlots } from "../wire/heap_request.ts";
import { backPlaces, encodeReply, type HostReply } from "../wire/reply.ts";
import { decodeRequest } from "../wire/request_decoder.ts";
import { HEAD_SLOTS, NULL_LENGTH } from "../wire/argument_kinds.ts";
import type { HostCall, Later } from "./host_call.ts";

/** One lane of a call, and what its addresses point at. */
interface LaneCall {
  readonly lane: number;
  readonly request: HeapRequest;
}

/** Writes what a lane is answered into the heap and the packet. */
type GivenBack = (packet: Packet) => void;

/**
 * A function whose texts, arrays and structs lie in the heap of a kernel: its calls come as packets of
 * addresses, and go on as the requests of other callers do, with the same checks.
 */
export class HeapCall {
  readonly #call: HostCall;
  readonly #heap: CallerHeap;

  private constructor(call: HostCall, heap: CallerHeap) {
    this.#call = call;
    this.#heap = heap;
  }

  /** Where the server's callers have a heap; none elsewhere. */
  static of(call: HostCall): HeapCall | undefined {
    const { heap } = call.objects;
    return heap && new HeapCall(call, heap);
  }

  get operate(): (packet: Packet) => Later<Packet> | void {
    return (packet) => this.#call.keeping((made) => this.#serve(packet, made));
  }

  #serve(packet: Packet, made: HostReply[]): Later<Packet> | void {
    checkSlots(this.#call, packet);
    this.#call.objects.portIndex = packet.index;
    const late: Pending<GivenBack>[] = [];
    try {
      // Lane after lane: one may read what the one before has been given.
      packet.forEachLane((lane) => late.push(...this.#answer(packet, lane, made)));
    } catch (error) {
      for (const reply of late) reply.cancel(error as Error);
      throw error;
    }
    if (late.length === 0) return;
    return Pending.all(late).map((done) => (back) => {
      for (const giveBack of done) giveBack(back);
    });
  }

  /** Answers a lane at once, or returns what will. */
  #answer(packet: Packet, lane: number, made: HostReply[]): Pending<GivenBack>[] {
    const slots = new LaneSlots();
    slots.aim(packet, lane);
    const request = this.#request(slots);
    const values = this.#values(request);
    const finish = (reply: HostReply): GivenBack => {
      made.push(reply);
      return (target) => {
        slots.aim(target, lane);
        this.#giveBack(slots, { request, values, reply });
      };
    };
    const reply = this.#call.run(values);
    if (reply instanceof Pending) return [reply.map(finish)];
    finish(reply)(packet);
    return [];
  }

  /**
   * As {@linkcode operate} does, for a function that may wait: all arguments are read first, as the kernel
   * goes on meanwhile.
   */
  async serveAsync(packet: Packet, { portIndex, signal }: AsyncContext): Promise<void> {
    checkSlots(this.#call, packet);
    const calls: LaneCall[] = [];
    const slots = new LaneSlots();
    packet.forEachLane((lane) => {
      slots.aim(packet, lane);
      calls.push({ lane, request: this.#request(slots) });
    });
    await this.#call.keepingAsync(async (made) => {
      for (const { lane, request } of calls) {
        const values = this.#values(request);
        this.#call.objects.portIndex = portIndex; // the packet is a copy, and has none
        const reply = await this.#call.runAsync(values);
        made.push(reply);
        // The memory is the kernel's again when it waits no longer.
        signal.throwIfAborted();
        slots.aim(packet, lane);
        this.#giveBack(slots, { request, values, reply });
      }
    });
  }

  #request(slots: LaneSlots): HeapRequest {
    const { limitBytes } = this.#call.objects;
    return heapRequest(this.#call.target, slots, { heap: this.#heap, limitBytes });
  }

  #values({ bytes }: HeapRequest): unknown[] {
    return decodeRequest(this.#call.target, bytes, this.#call.objects);
  }

  #giveBack(
    slots: LaneSlots,
    { request, values, reply }: {
      readonly request: HeapRequest;
      readonly values: readonly unknown[];
      readonly reply: HostReply;
    },
  ): void {
    const { target } = this.#call;
    const back = new ByteSlots(encodeReply(target, values, reply));
    const { places, endByte } = backPlaces(target, values, back);
    for (const { bytes, index, reference } of places) {
      const written = reference ? this.#withTexts(reference.struct, bytes) : bytes;
      this.#heap.write(request.addresses[index]!, written);
    }
    const text = back.bytes.subarray(endByte);
    slots.setUint32(0, back.getUint32(0));
    this.#putResult(slots, target.signature.result, { back, text, request });
  }

  #putResult(
    slots: LaneSlots,
    result: Result,
    { back, text, request }: {
      readonly back: ByteSlots;
      readonly text: Uint8Array;
      readonly request: HeapRequest;
    },
  ): void {
    const kind = innerKind(result);
    if (kind.kind === "void") return;
    if (kind.kind === "struct") {
      const start = HEAD_SLOTS * SLOT_BYTES;
      const { sizeBytes } = structLayout(kind);
      const bytes = new Uint8Array([...back.bytes.subarray(start, start + sizeBytes), ...text]);
      return this.#heap.write(request.resultAddress, this.#withTexts(kind, bytes));
    }
    const low = back.getUint32(2 * HEAD_SLOTS);
    if (kind.kind !== "string") {
      slots.setUint32(2, low);
      return slots.setUint32(3, back.getUint32(2 * HEAD_SLOTS + 1));
    }
    const isNull = kind !== result && low === NULL_LENGTH;
    slots.setUint32(2, isNull ? 0 : this.#placed(text));
  }

  /** A struct as the kernel has it: with the addresses of its texts, which the kernel has to free. */
  #withTexts(struct: Struct, bytes: Uint8Array): Uint8Array {
    const { sizeBytes, texts } = structLayout(struct);
    const head = new ByteSlots(bytes.slice(0, sizeBytes));
    let byte = sizeBytes;
    for (const { offsetByte } of texts) {
      const word = offsetByte / 4;
      const length = head.getUint32(word) - 1;
      if (length < 0) continue;
      head.setUint32(word, this.#placed(bytes.subarray(byte, byte += length)));
    }
    return head.bytes;
  }

  /** A text of the host's in memory that the kernel has to free. */
  #placed(text: Uint8Array): number {
    const address = this.#heap.malloc(text.length + 1);
    if (address === 0) {
      throw new RangeError(
        `Cannot answer ${this.#call.target.name} as the heap has no room for a text of ${text.length} bytes`,
      );
    }
    const ended = new Uint8Array(text.length + 1);
    ended.set(text);
    this.#heap.write(address, ended);
    return address;
  }
}

/** A kernel that wrote its stubs itself could send less than there is. */
function checkSlots({ target }: HostCall, { laneWords }: Packet): void {
  const slotCount = heapSlots(target);
  if (slotCount * 2 <= laneWords) return;
  throw new RangeError(
    `Cannot serve ${target.name} as its ${slotCount} slots of 8 bytes do not fit ${
      4 * laneWords
    } bytes of a lane: give the channel larger laneBytes`,
  );
}
