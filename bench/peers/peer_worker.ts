import { expose } from "comlink";
import { Channel, type ChannelHandle, Server, USER_OPCODE_FIRST } from "../../core/mod.ts";
import { servingWork } from "../../scenarios/calls/increment_server.ts";
import type { Work } from "../../scenarios/partner/partner.ts";
import { incrementBytes } from "./increment_bytes.ts";

/** The call of this library's channel. */
export const INCREMENT_BYTES = USER_OPCODE_FIRST;
/** Nothing longer is taken, on either side. */
export const LIMIT_BYTES = 1 << 21;

/** What the partner is the other end of. */
export type PartnerEndInit =
  | { readonly kind: "portlab"; readonly handle: ChannelHandle }
  | { readonly kind: "post_message" | "comlink"; readonly port: MessagePort };

/** Runs in the partner's isolate. Where a port is answered, the event loop does it, not the work. */
export function prepareWork(init: PartnerEndInit): Work {
  if (init.kind === "portlab") return serve(Channel.attach(init.handle));
  const { kind, port } = init;
  if (kind === "comlink") expose(incrementBytes, port);
  else port.onmessage = ({ data }) => port.postMessage(incrementBytes(data));
  return () => {};
}

function serve(channel: Channel): Work {
  const server = new Server(channel, { waiter: "adaptive" });
  server.operateBytes(INCREMENT_BYTES, incrementBytes, { limitBytes: LIMIT_BYTES });
  return servingWork(channel, server);
}
