import { connect } from "../../core/connect/mod.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import type { increment, PeerValue } from "./peer_value.ts";
import type { PartnerEndInit } from "./peer_worker.ts";
import type { PortlabFunctions } from "./portlab_worker.ts";

/** This thread's end: calls {@linkcode increment} in the other one. */
export interface PeerEnd {
  /** A promise where the peer has nothing that blocks. */
  call(value: PeerValue): PeerValue | Promise<PeerValue>;
  /** Ends the connection. */
  close(): void | Promise<void>;
}

/**
 * Connects this thread with the other one; those that start a thread of their own need no partner. Each
 * imports its package itself, so that no other point loads it.
 */
type Connect = (partner: Partner) => Promise<PeerEnd>;

function here(name: string): URL {
  return new URL(name, import.meta.url);
}

async function connectPortlab(): Promise<PeerEnd> {
  const functions = await connect<PortlabFunctions>(here("./portlab_worker.ts"));
  return {
    call: (value) => functions.increment(value),
    close: () => functions[Symbol.asyncDispose](),
  };
}

async function connectPortlabAsync(): Promise<PeerEnd> {
  const functions = await connect<PortlabFunctions>(here("./portlab_worker.ts"));
  return {
    call: (value) => functions.increment.async(value),
    close: () => functions[Symbol.asyncDispose](),
  };
}

/** A port whose other end is the partner's. */
async function connectPort(partner: Partner, kind: PartnerEndInit["kind"]): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel();
  await partner.assign({
    moduleUrl: here("./peer_worker.ts").href,
    init: { kind, port: port2 } satisfies PartnerEndInit,
    transfer: [port2],
    signalRest: () => {},
  });
  return port1;
}

async function connectPostMessage(partner: Partner): Promise<PeerEnd> {
  const port = await connectPort(partner, "post_message");
  return {
    call(value) {
      const { promise, resolve } = Promise.withResolvers<PeerValue>();
      port.onmessage = ({ data }) => resolve(data);
      port.postMessage(value);
      return promise;
    },
    close: () => port.close(),
  };
}

async function connectComlink(partner: Partner): Promise<PeerEnd> {
  const { wrap } = await import("comlink");
  const port = await connectPort(partner, "comlink");
  const call = wrap<typeof increment>(port) as (value: PeerValue) => Promise<PeerValue>;
  return { call: (value) => call(value), close: () => port.close() };
}

/** Its thread goes with the process: the package has no way to end it. */
async function connectSynckit(): Promise<PeerEnd> {
  const { createSyncFn } = await import("synckit");
  const call = createSyncFn<(value: PeerValue) => PeerValue>(here("./synckit_worker.ts"));
  return { call: (value) => call(value), close: () => {} };
}

async function connectPiscina(): Promise<PeerEnd> {
  const { Piscina } = await import("piscina");
  const filename = here("./piscina_worker.ts").href;
  const pool = new Piscina({ filename, name: "increment", minThreads: 1, maxThreads: 1 });
  return { call: (value) => pool.run(value), close: () => pool.destroy() };
}

/** What blocks there is the worker, not the thread that has started it. */
async function connectCoincident(): Promise<PeerEnd> {
  const { default: coincident } = await import("coincident/main");
  const { Worker } = coincident();
  const worker = new Worker(here("./coincident_worker.ts"));
  await new Promise<void>((resolve) => worker.proxy.ready = resolve);
  return { call: (value) => worker.proxy.increment(value), close: () => worker.terminate() };
}

/** What a user could take, by name: this library first. */
export const PEERS = {
  portlab: connectPortlab,
  portlab_async: connectPortlabAsync,
  post_message: connectPostMessage,
  comlink: connectComlink,
  synckit: connectSynckit,
  piscina: connectPiscina,
  coincident: connectCoincident,
} as const satisfies Record<string, Connect>;

/** The name of a peer. */
export type PeerName = keyof typeof PEERS;
