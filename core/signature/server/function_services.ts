import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { recvStream, recvStreamAsync, sendStream, sendStreamAsync } from "../../call/stream.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import type { Packet } from "../../memory/packet.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import type { AsyncContext } from "../../toggle/server/service_table.ts";
import { encodeReply, type HostReply } from "../wire/reply.ts";
import { decodeRequest } from "../wire/request_decoder.ts";
import { FlatCall } from "./flat_call.ts";
import type { FunctionServices } from "./function_table.ts";
import { HeapCall } from "./heap_call.ts";
import type { HostCall, Later } from "./host_call.ts";

type Port = ServerPort<"fresh">;

/** In place of a reply: an `errno` of -1, which is none. */
const REFUSED = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);

/** What the lanes of a call asked for, and where it came from. */
interface Batch {
  readonly requests: readonly (Uint8Array | undefined)[];
  readonly port: Port;
}

/** The replies of the lanes of a call; handles that they made are put into `made`. */
type Replies = readonly (Uint8Array | undefined)[];
type AnswerAll = (batch: Batch, made: HostReply[], signal: AbortSignal) => Promise<Replies>;

/** The bytes of a reply, now or later. */
type Answer<R> = R extends Promise<HostReply> ? Promise<Uint8Array>
  : Uint8Array | Pending<Uint8Array>;

/**
 * What serves a function: calls that fit a packet in place, others by streams or messages; with waits
 * where the server may not block.
 */
export function servicesOf(timeoutSeconds: number): (call: HostCall) => FunctionServices {
  return (call) => {
    const flat = FlatCall.of(call) ?? HeapCall.of(call);
    const waiting = waitingServices(call, {
      timeoutSeconds,
      answerAll: async (batch, made, signal) => {
        const replies = answers(call, batch, made);
        return await (replies instanceof Pending ? replies.settled(signal) : replies);
      },
    });
    return {
      lanes: flat
        ? { operate: flat.operate }
        : { ...waiting.lanes, handler: (port) => serveStreams(call, port) },
      message: { ...waiting.message, handler: (port) => serveMessage(call, port) },
    };
  };
}

/** As {@linkcode servicesOf}, for functions that may wait. */
export function asyncServices(timeoutSeconds: number): (call: HostCall) => FunctionServices {
  return (call) => {
    const flat = FlatCall.of(call) ?? HeapCall.of(call);
    const waiting = waitingServices(call, {
      timeoutSeconds,
      answerAll: (batch, made) => answersAsync(call, batch, made),
    });
    if (!flat) return waiting;
    const operate = (packet: Packet, context: AsyncContext) => flat.serveAsync(packet, context);
    return { ...waiting, lanes: { asynchronous: { operate, timeoutSeconds } } };
  };
}

function waitingServices(
  call: HostCall,
  { answerAll, timeoutSeconds }: {
    readonly answerAll: AnswerAll;
    readonly timeoutSeconds: number;
  },
): FunctionServices {
  const message = (port: Port, { signal }: AsyncContext) =>
    call.keepingAsync(async (made) => {
      const requests = [await recvMessageAsync(port, call.limits)];
      const [reply] = await answerAll({ requests, port }, made, signal);
      await sendMessageAsync(port, reply!);
    });
  const lanes = (port: Port, { signal }: AsyncContext) =>
    call.keepingAsync(async (made) => {
      const requests = await recvStreamAsync(port, call.limits).catch((error) =>
        refuseHeapless(call, error)
      );
      const replies = await answerAll({ requests, port }, made, signal)
        .catch((error) => refuse({ requests, port }, error));
      await sendStreamAsync(port, replies);
    });
  return {
    lanes: { asynchronous: { handler: lanes, timeoutSeconds } },
    message: { asynchronous: { handler: message, timeoutSeconds } },
  };
}

function serveMessage(call: HostCall, port: Port): Later<Port> | void {
  const requests = [recvMessage(port, call.limits)];
  return call.keeping((made) => {
    const replies = answers(call, { requests, port }, made);
    if (replies instanceof Pending) {
      return replies.map(([reply]) => () => sendMessage(port, reply!));
    }
    sendMessage(port, replies[0]!);
  });
}

function serveStreams(call: HostCall, port: Port): Later<Port> | void {
  const requests = recvRequests(call, port);
  return call.keeping((made) => {
    const replies = answersOr(call, { requests, port }, made);
    if (replies instanceof Pending) return replies.map((done) => () => sendStream(port, done));
    sendStream(port, replies);
  });
}

function answersOr(call: HostCall, batch: Batch, made: HostReply[]): ReturnType<typeof answers> {
  try {
    return answers(call, batch, made);
  } catch (error) {
    return refuse(batch, error);
  }
}

/** Tells a client of it whose packets have no room for a status: it would take its own request for a reply. */
function refuse({ requests, port }: Batch, error: unknown): never {
  if (!port.tellsFaults) sendStream(port, requests.map((request) => request && REFUSED));
  throw error;
}

function recvRequests(call: HostCall, port: Port): Batch["requests"] {
  try {
    return recvStream(port, call.limits);
  } catch (error) {
    return refuseHeapless(call, error);
  }
}

/** A kernel's packet has the hash of the signature where a stream has its length. */
function refuseHeapless({ target: { name, hash } }: HostCall, error: unknown): never {
  const isHash = error instanceof LengthRefusedError && error.message.includes(` ${hash} bytes `);
  if (!isHash) throw error;
  throw new TypeError(
    `Cannot serve ${name} as the ApiServer has no heap: a kernel calls it, give its heap`,
  );
}

/** Calls the function for each lane, in ascending order; those that are not done go on together. */
function answers(
  call: HostCall,
  { requests, port }: Batch,
  made: HostReply[],
): Replies | Pending<Replies> {
  call.objects.portIndex = port.index;
  const run = (values: unknown[]) => call.run(values);
  const replies: (Uint8Array | undefined | Pending<Uint8Array>)[] = [];
  try {
    for (const request of requests) replies.push(request && answer(call, { request, made, run }));
  } catch (error) {
    for (const reply of replies) if (reply instanceof Pending) reply.cancel(error as Error);
    throw error;
  }
  const isLate = replies.some((reply) => reply instanceof Pending);
  return isLate ? Pending.all<Uint8Array | undefined>(replies) : replies as Replies;
}

/** As {@linkcode answers}, one lane after the other. */
async function answersAsync(
  call: HostCall,
  { requests, port }: Batch,
  made: HostReply[],
): Promise<Replies> {
  const replies: (Uint8Array | undefined)[] = [];
  const run = (values: unknown[]) => {
    call.objects.portIndex = port.index;
    return call.runAsync(values);
  };
  for (const request of requests) {
    replies.push(request && await answer(call, { request, made, run }));
  }
  return replies;
}

/** Calls the function for a lane; the reply is there when the function's is. */
function answer<R extends ReturnType<HostCall["run"]> | Promise<HostReply>>(
  call: HostCall,
  { request, made, run }: {
    readonly request: Uint8Array;
    readonly made: HostReply[];
    readonly run: (values: unknown[]) => R;
  },
): Answer<R> {
  const values = decodeRequest(call.target, request, call.objects);
  const finish = (reply: HostReply) => {
    made.push(reply);
    return encodeReply(call.target, values, reply);
  };
  const reply = run(values);
  if (reply instanceof Pending) return reply.map(finish) as Answer<R>;
  return (reply instanceof Promise ? reply.then(finish) : finish(reply as HostReply)) as Answer<R>;
}
