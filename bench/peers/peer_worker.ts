import { expose } from "comlink";
import type { Work } from "../../scenarios/partner/partner.ts";
import { increment } from "./peer_value.ts";

/** What the partner is the other end of. */
export interface PartnerEndInit {
  readonly kind: "post_message" | "comlink";
  readonly port: MessagePort;
}

/** Runs in the partner's isolate, whose event loop answers. */
export function prepareWork({ kind, port }: PartnerEndInit): Work {
  if (kind === "comlink") expose(increment, port);
  else port.onmessage = ({ data }) => port.postMessage(increment(data));
  return () => {};
}
