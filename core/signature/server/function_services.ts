import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { recvBytes, sendBytes } from "../../call/stream.ts";
import type { Packet } from "../../memory/packet.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { requestLimitBytes } from "../wire/call_shape.ts";
import { encodeReply, type HostReply } from "../wire/reply.ts";
import { decodeRequest } from "../wire/request_decoder.ts";
import { FlatCall } from "./flat_call.ts";
import type { FunctionServices } from "./function_table.ts";
import type { HostCall } from "./host_call.ts";

type Port = ServerPort<"fresh">;

/** What serves a function: calls that fit a packet in place, others by streams or messages. */
export function servicesOf(call: HostCall): FunctionServices {
  const flat = FlatCall.of(call);
  return {
    lanes: flat ? { operate: flat.operate } : { handler: (port) => serveStreams(call, port) },
    message: {
      handler: (port) => {
        const request = recvMessage(port, limits(call));
        call.keeping((made) => sendMessage(port, answer(call, request, made)));
      },
    },
  };
}

/** As {@linkcode servicesOf}, for functions that may wait so long. */
export function asyncServices(timeoutSeconds: number): (call: HostCall) => FunctionServices {
  return (call) => {
    const flat = FlatCall.of(call);
    const lanes = flat
      ? { operate: (packet: Packet) => flat.serveAsync(packet), timeoutSeconds }
      : { handler: (port: Port) => serveStreamsAsync(call, port), timeoutSeconds };
    const handler = async (port: Port) => {
      const request = await recvMessageAsync(port, limits(call));
      await call.keepingAsync(async (made) =>
        await sendMessageAsync(port, await answerAsync(call, request, made))
      );
    };
    return {
      lanes: { asynchronous: lanes },
      message: { asynchronous: { handler, timeoutSeconds } },
    };
  };
}

function limits({ target, objects }: HostCall): { readonly limitBytes: number } {
  return { limitBytes: requestLimitBytes(target.signature, objects.limitBytes) };
}

function serveStreams(call: HostCall, port: Port): void {
  const requests = recvBytes(port, limits(call));
  call.keeping((made) => {
    sendBytes(port, requests.map((request) => request && answer(call, request, made)));
  });
}

async function serveStreamsAsync(call: HostCall, port: Port): Promise<void> {
  const requests = recvBytes(port, limits(call));
  await call.keepingAsync(async (made) => {
    const replies: (Uint8Array | undefined)[] = [];
    for (const request of requests) {
      replies.push(request && await answerAsync(call, request, made));
    }
    sendBytes(port, replies);
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
  made: HostReply[],
): Promise<Uint8Array> {
  const values = decodeRequest(call.target, request, call.objects);
  const reply = await call.runAsync(values);
  made.push(reply);
  return encodeReply(call.target, values, reply);
}
