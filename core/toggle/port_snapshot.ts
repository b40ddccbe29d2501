import type { Channel } from "./channel.ts";
import { headersOf } from "./wire/llvm_headers.ts";
import type { LaneMask } from "../memory/lane_mask.ts";
import { mailboxesOf } from "./design/mailboxes_of.ts";
import { ownsBuffer, type Side } from "./side.ts";
import { type Status, statusName } from "../memory/status.ts";

/** The words of one port, as somebody who only watches finds them. */
export interface PortSnapshot {
  /** 0 or 1; the server's inbox. */
  readonly clientOutbox: number;
  /** 0 or 1; the client's inbox. */
  readonly serverOutbox: number;
  /** Who may touch header and packet. */
  readonly owner: Side;
  /** The id of the client that holds the port; 0 while none does, -1 where the lock does not say who. */
  readonly clientLock: number;
  /** As `clientLock`, of the server. */
  readonly serverLock: number;
  /** What was asked for last. */
  readonly opcode: number;
  /** The lanes that took part. */
  readonly mask: LaneMask;
  /** How the last call went, by name. */
  readonly status: keyof typeof Status | "unknown";
}

/**
 * Looks at a port without taking part: for pictures, debuggers and tests. The words are read one
 * after the other, so on a channel in use they may be of different moments.
 *
 * @throws {RangeError} when `index` is not one of the channel's ports
 *
 * @example
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client/client.ts";
 * import { snapshotPort } from "./port_snapshot.ts";
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * new Client(channel).open(40_000).send(() => {});
 * if (snapshotPort(channel, 0).owner !== "server") throw new Error("a send gives the packet away");
 * ```
 */
export function snapshotPort({ layout, words }: Channel, index: number): PortSnapshot {
  if (!Number.isInteger(index) || index < 0 || index >= layout.portCount) {
    throw new RangeError(
      `Cannot look at a port as its index must be an integer from 0 to ${
        layout.portCount - 1
      }: current value is ${index}`,
    );
  }
  const headers = headersOf(words.plain, layout);
  const client = mailboxesOf(words, { layout, side: "client", ownerId: 0 });
  const server = mailboxesOf(words, { layout, side: "server", ownerId: 0 });
  const clientOutbox = server.inbox(index);
  const serverOutbox = client.inbox(index);
  const clientOwns = ownsBuffer("client", { inbox: serverOutbox, outbox: clientOutbox });
  return {
    clientOutbox,
    serverOutbox,
    owner: clientOwns ? "client" : "server",
    clientLock: client.locks.holder(index),
    serverLock: server.locks.holder(index),
    opcode: headers.opcode(index),
    mask: { lo: headers.maskLo(index) >>> 0, hi: headers.maskHi(index) >>> 0 },
    status: statusName(headers.status(index)),
  };
}
