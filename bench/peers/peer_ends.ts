import { Channel, Client } from "../../core/mod.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import type { Trial } from "../../scenarios/scenario.ts";
import type { incrementBytes } from "./increment_bytes.ts";
import { INCREMENT_BYTES, LIMIT_BYTES, type PartnerEndInit } from "./peer_worker.ts";

/** This thread's end: calls {@linkcode incrementBytes} in the other one. */
export interface PeerEnd extends Pick<Trial, "wake" | "rest"> {
  /** A promise where the peer has nothing that blocks. */
  call(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Ends the connection. */
  close(): void | Promise<void>;
}

/**
 * Connects this thread with the other one; those that start a thread of their own need no partner. Each
 * imports its package itself, so that no other point loads it.
 */
type Connect = (partner: Partner) => Promise<PeerEnd>;

const moduleUrl = new URL("./peer_worker.ts", import.meta.url).href;
/** A packet of 4 KiB, as wide as packets are. */
const SHAPE = { portCount: 1, laneCount: 64 } as const;

async function connectPortlab(partner: Partner): Promise<PeerEnd> {
  const channel = Channel.create(SHAPE);
  const { wake, rest } = await partner.assign({
    moduleUrl,
    init: { kind: "portlab", handle: channel.handle } satisfies PartnerEndInit,
    signalRest: () => channel.raiseAttention(),
  });
  const client = new Client(channel);
  return {
    wake,
    rest,
    call: (bytes) => client.callBytes(INCREMENT_BYTES, bytes, { limitBytes: LIMIT_BYTES }),
    close: () => channel.shutDown(),
  };
}

/** A port whose other end is the partner's. */
async function connectPort(
  partner: Partner,
  kind: "post_message" | "comlink",
): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel();
  await partner.assign({
    moduleUrl,
    init: { kind, port: port2 } satisfies PartnerEndInit,
    transfer: [port2],
    signalRest: () => {},
  });
  return port1;
}

async function connectPostMessage(partner: Partner): Promise<PeerEnd> {
  const port = await connectPort(partner, "post_message");
  return {
    call(bytes) {
      const { promise, resolve } = Promise.withResolvers<Uint8Array>();
      port.onmessage = ({ data }) => resolve(data);
      port.postMessage(bytes);
      return promise;
    },
    close: () => port.close(),
  };
}

async function connectComlink(partner: Partner): Promise<PeerEnd> {
  const { wrap } = await import("comlink");
  const port = await connectPort(partner, "comlink");
  const call = wrap<typeof incrementBytes>(port);
  return { call: (bytes) => call(bytes), close: () => port.close() };
}

/** Its thread goes with the process: the package has no way to end it. */
async function connectSynckit(): Promise<PeerEnd> {
  const { createSyncFn } = await import("synckit");
  const call = createSyncFn<typeof incrementBytes>(new URL("./synckit_worker.ts", import.meta.url));
  return { call: (bytes) => call(bytes), close: () => {} };
}

async function connectPiscina(): Promise<PeerEnd> {
  const { Piscina } = await import("piscina");
  const filename = new URL("./piscina_worker.ts", import.meta.url).href;
  const pool = new Piscina({ filename, name: "incrementBytes", minThreads: 1, maxThreads: 1 });
  return { call: (bytes) => pool.run(bytes), close: () => pool.destroy() };
}

/** What a user could take, by name: this library first. */
export const PEERS = {
  portlab: connectPortlab,
  post_message: connectPostMessage,
  comlink: connectComlink,
  synckit: connectSynckit,
  piscina: connectPiscina,
} as const satisfies Record<string, Connect>;

/** The name of a peer. */
export type PeerName = keyof typeof PEERS;
