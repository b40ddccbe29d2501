import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { recvBytes, recvBytesAsync, sendBytes } from "../../call/stream.ts";
import type { Packet } from "../../memory/packet.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../toggle/server/service_registry.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { requestLimitBytes } from "../wire/call_shape.ts";
import { encodeReply, type HostReply } from "../wire/reply.ts";
import { decodeRequest } from "../wire/request_decoder.ts";
import { FlatCall } from "./flat_call.ts";
import type { FunctionServices } from "./function_table.ts";
import type { HostCall } from "./host_call.ts";

type Port = ServerPort<"fresh">;

/** One lane's call, and where the replies of all are noted. */
interface Served {
  readonly values: readonly unknown[];
  readonly made: HostReply[];
}

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
      ? { operate: flat.operate }
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
  const message = (port: Port) => serveMessageAsync(call, port, run);
  return {
    lanes: { asynchronous: { handler: lanes, timeoutSeconds } },
    message: { asynchronous: { handler: message, timeoutSeconds } },
  };
}

function limits({ target, objects }: HostCall): { readonly limitBytes: number } {
  return { limitBytes: requestLimitBytes(target.signature, objects.limitBytes) };
}

function serveMessage(call: HostCall, port: Port): void {
  const request = recvMessage(port, limits(call));
  call.keeping((made) => sendMessage(port, answer(call, request, made)));
}

function serveStreams(call: HostCall, port: Port): void {
  const requests = recvBytes(port, limits(call));
  call.keeping((made) => {
    sendBytes(port, requests.map((request) => request && answer(call, request, made)));
  });
}

async function serveMessageAsync(call: HostCall, port: Port, run: Run): Promise<void> {
  const request = await recvMessageAsync(port, limits(call));
  await call.keepingAsync(async (made) => {
    const values = decodeRequest(call.target, request, call.objects);
    await sendMessageAsync(port, encoded(call, { values, made }, await run(values)));
  });
}

async function serveStreamsAsync(call: HostCall, port: Port, run: Run): Promise<void> {
  const requests = await recvBytesAsync(port, limits(call));
  await call.keepingAsync(async (made) => {
    const replies: (Uint8Array | undefined)[] = [];
    for (const request of requests) {
      const values = request && decodeRequest(call.target, request, call.objects);
      replies.push(values && encoded(call, { values, made }, await run(values)));
    }
    sendBytes(port, replies);
  });
}

function answer(call: HostCall, request: Uint8Array, made: HostReply[]): Uint8Array {
  const values = decodeRequest(call.target, request, call.objects);
  return encoded(call, { values, made }, call.run(values));
}

/** What came of a call, as bytes; noted before they are made, as that may fail. */
function encoded({ target }: HostCall, { values, made }: Served, reply: HostReply): Uint8Array {
  made.push(reply);
  return encodeReply(target, values, reply);
}
