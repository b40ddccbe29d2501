import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { recvBytes, recvBytesAsync, sendBytes } from "../../call/stream.ts";
import type { Packet } from "../../memory/packet.ts";
import { refusePromise } from "../../memory/sync_result.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../toggle/server/service_registry.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { callShape, requestLimitBytes } from "../wire/call_shape.ts";
import { LaneSlots } from "../wire/lane_slots.ts";
import { encodeReply, type HostReply, refuseResult } from "../wire/reply.ts";
import { checkHash, decodeRequest } from "../wire/request_decoder.ts";
import type { SlotCodec } from "../wire/slot.ts";
import type { FunctionServices } from "./function_table.ts";
import type { HostCall } from "./host_call.ts";

type Port = ServerPort<"fresh">;

/** Runs a function, with waits or without. */
type Run = (values: readonly unknown[]) => HostReply | Promise<HostReply>;

/**
 * What serves a function: calls that fit a packet in place, others by streams or messages; with waits
 * where the server may not block.
 */
export function servicesOf(call: HostCall): FunctionServices {
  const flat = FlatCall.of(call);
  const waiting = waitingServices(call, (values) => call.run(values));
  return {
    lanes: flat
      ? { operate: (packet) => flat.serve(packet) }
      : { ...waiting.lanes, handler: (port) => serveStreams(call, port) },
    message: { ...waiting.message, handler: (port) => serveMessage(call, port) },
  };
}

/** As {@linkcode servicesOf}, for functions that may wait so long. */
export function asyncServices(timeoutSeconds: number): (call: HostCall) => FunctionServices {
  return (call) => {
    const flat = FlatCall.of(call);
    const waiting = waitingServices(call, (values) => call.runAsync(values), timeoutSeconds);
    if (!flat) return waiting;
    const operate = (packet: Packet) => flat.serveAsync(packet);
    return { ...waiting, lanes: { asynchronous: { operate, timeoutSeconds } } };
  };
}

function waitingServices(
  call: HostCall,
  run: Run,
  timeoutSeconds = HANDLER_TIMEOUT_SECONDS,
): FunctionServices {
  const lanes = (port: Port) => serveStreamsAsync(call, port, run);
  const message = async (port: Port) => {
    const request = await recvMessageAsync(port, limits(call));
    await sendMessageAsync(port, await answerAsync(call, request, run));
  };
  return {
    lanes: { asynchronous: { handler: lanes, timeoutSeconds } },
    message: { asynchronous: { handler: message, timeoutSeconds } },
  };
}

function limits({ target, objects }: HostCall): { readonly limitBytes: number } {
  return { limitBytes: requestLimitBytes(target.signature, objects.limitBytes) };
}

function serveMessage(call: HostCall, port: Port): void {
  sendMessage(port, answer(call, recvMessage(port, limits(call))));
}

function serveStreams(call: HostCall, port: Port): void {
  const requests = recvBytes(port, limits(call));
  sendBytes(port, requests.map((request) => request && answer(call, request)));
}

async function serveStreamsAsync(call: HostCall, port: Port, run: Run): Promise<void> {
  const replies: (Uint8Array | undefined)[] = [];
  for (const request of await recvBytesAsync(port, limits(call))) {
    replies.push(request && await answerAsync(call, request, run));
  }
  sendBytes(port, replies);
}

function answer(call: HostCall, request: Uint8Array): Uint8Array {
  const values = decodeRequest(call.target, request, call.objects);
  return encodeReply(call.target, values, call.run(values));
}

async function answerAsync(call: HostCall, request: Uint8Array, run: Run): Promise<Uint8Array> {
  const values = decodeRequest(call.target, request, call.objects);
  return encodeReply(call.target, values, await run(values));
}

/** A function whose arguments and result are one slot each: its calls are served in the packet. */
class FlatCall {
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

  static of(call: HostCall): FlatCall | undefined {
    const { flat, result } = callShape(call.target.signature);
    return flat && result ? new FlatCall(call, flat, result) : undefined;
  }

  serve(packet: Packet): void {
    if (this.#direct) return this.#serveDirect(packet, this.#direct);
    // Not kept for the next call: the function may serve others before it returns.
    const slots = new LaneSlots();
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      slots.aim(packet, lane);
      this.#put(slots, this.#call.run(this.#valuesOf(slots)));
    }
  }

  async serveAsync(packet: Packet): Promise<void> {
    const slots = new LaneSlots();
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      slots.aim(packet, lane);
      this.#put(slots, await this.#call.runAsync(this.#valuesOf(slots)));
    }
  }

  /** Calls of scalars only, whose function has no way to fail but by throwing: with nothing between. */
  #serveDirect(packet: Packet, work: (...values: unknown[]) => unknown): void {
    const slots = new LaneSlots();
    const codecs = this.#codecs;
    const { hash } = this.#call.target;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      slots.aim(packet, lane);
      if (slots.getUint32(0) !== hash) checkHash(this.#call.target, 0);
      let result: unknown;
      switch (codecs.length) {
        case 0:
          result = work();
          break;
        case 1:
          result = work(codecs[0]!.read(slots, 1));
          break;
        case 2:
          result = work(codecs[0]!.read(slots, 1), codecs[1]!.read(slots, 2));
          break;
        case 3:
          result = work(
            codecs[0]!.read(slots, 1),
            codecs[1]!.read(slots, 2),
            codecs[2]!.read(slots, 3),
          );
          break;
        default:
          result = work(...codecs.map((codec, index) => codec.read(slots, index + 1)));
      }
      slots.setUint32(0, 0);
      if (!this.#result.write(slots, 1, result)) this.#refuse(result);
    }
  }

  #refuse(result: unknown): never {
    refusePromise(result, "a function of serveApi");
    const { target } = this.#call;
    refuseResult(target, `must return ${this.#result.demand}: current value is ${String(result)}`);
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
      const value = this.#codecs[slot]!.read(slots, ++slot);
      values.push(parameter.kind === "handle" ? objects.handle(parameter, value as number) : value);
    }
    return values;
  }

  #put(slots: LaneSlots, { result, errno }: HostReply): void {
    slots.setUint32(0, errno);
    if (!this.#result.write(slots, 1, result)) this.#refuse(result);
  }
}
