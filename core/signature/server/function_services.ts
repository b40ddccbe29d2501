import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { recvBytes, recvBytesAsync, sendBytes, sendBytesAsync } from "../../call/stream.ts";
import type { Packet } from "../../memory/packet.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../toggle/server/service_registry.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import type { AsyncContext } from "../../toggle/server/service_table.ts";
import { encodeReply, type HostReply } from "../wire/reply.ts";
import { decodeRequest } from "../wire/request_decoder.ts";
import { FlatCall } from "./flat_call.ts";
import type { FunctionServices } from "./function_table.ts";
import { HeapCall } from "./heap_call.ts";
import type { HostCall } from "./host_call.ts";

type Port = ServerPort<"fresh">;

/** Runs a function, with waits or without. */
type Run = (values: readonly unknown[]) => HostReply | Promise<HostReply>;

/**
 * What serves a function: calls that fit a packet in place, others by streams or messages; with waits
 * where the server may not block.
 */
export function servicesOf(call: HostCall): FunctionServices {
  const flat = FlatCall.of(call) ?? HeapCall.of(call);
  const waiting = waitingServices(call, { run: (values) => call.run(values) });
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
    const flat = FlatCall.of(call) ?? HeapCall.of(call);
    const run: Run = (values) => call.runAsync(values);
    const waiting = waitingServices(call, { run, timeoutSeconds });
    if (!flat) return waiting;
    const operate = (packet: Packet, { signal }: AsyncContext) => flat.serveAsync(packet, signal);
    return { ...waiting, lanes: { asynchronous: { operate, timeoutSeconds } } };
  };
}

function waitingServices(
  call: HostCall,
  { run, timeoutSeconds = HANDLER_TIMEOUT_SECONDS }: {
    readonly run: Run;
    readonly timeoutSeconds?: number;
  },
): FunctionServices {
  const lanes = (port: Port) => serveStreamsAsync(call, port, run);
  const message = (port: Port) => serveMessageAsync(call, port, run);
  return {
    lanes: { asynchronous: { handler: lanes, timeoutSeconds } },
    message: { asynchronous: { handler: message, timeoutSeconds } },
  };
}

function serveMessage(call: HostCall, port: Port): void {
  const request = recvMessage(port, call.limits);
  call.keeping((made) => sendMessage(port, answer(call, request, made)));
}

async function serveMessageAsync(call: HostCall, port: Port, run: Run): Promise<void> {
  const request = await recvMessageAsync(port, call.limits);
  await call.keepingAsync(async (made) =>
    await sendMessageAsync(port, await answerAsync(call, request, { made, run }))
  );
}

function serveStreams(call: HostCall, port: Port): void {
  const requests = recvBytes(port, call.limits);
  call.keeping((made) => {
    sendBytes(port, requests.map((request) => request && answer(call, request, made)));
  });
}

async function serveStreamsAsync(call: HostCall, port: Port, run: Run): Promise<void> {
  const requests = await recvBytesAsync(port, call.limits);
  await call.keepingAsync(async (made) => {
    const replies: (Uint8Array | undefined)[] = [];
    for (const request of requests) {
      replies.push(request && await answerAsync(call, request, { made, run }));
    }
    await sendBytesAsync(port, replies);
  });
}

function answer(call: HostCall, request: Uint8Array, made: HostReply[]): Uint8Array {
  const values = decodeRequest(call.target, request, call.objects);
  const reply = call.run(values);
  made.push(reply);
  return encodeReply(call.target, values, reply);
}

async function answerAsync(
  call: HostCall,
  request: Uint8Array,
  { made, run }: { readonly made: HostReply[]; readonly run: Run },
): Promise<Uint8Array> {
  const values = decodeRequest(call.target, request, call.objects);
  const reply = await run(values);
  made.push(reply);
  return encodeReply(call.target, values, reply);
}
