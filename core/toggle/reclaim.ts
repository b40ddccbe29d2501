import { laneMask } from "../memory/lane_mask.ts";
import { Opcode } from "../memory/opcode.ts";
import { NO_REPLY } from "../memory/port_headers.ts";
import { Status } from "../memory/status.ts";
import { Hints } from "../wait/hint.ts";
import type { Channel } from "./channel.ts";
import { checkNamesHolders, isAnonymous } from "./design/channel_design.ts";
import { lockOwner } from "./lock/owner_locks.ts";
import { mailboxesOf } from "./design/mailboxes_of.ts";
import { headersOf } from "./wire/llvm_headers.ts";

/**
 * Frees the ports of a client whose thread is known to be dead: its process ended, or Node's
 * `terminate()` was awaited. A web worker that was terminated may run on, so it is never known to be
 * dead, and its ports are lost: `evictClient` asks it, before it is terminated. A call that was under
 * way is finished by the server and its reply dropped. Bounded.
 *
 * @param clientId the dead client's `id`. Reclaiming one that lives breaks mutual exclusion.
 * @returns how many ports were freed
 * @throws {RangeError} when the id is nobody's
 * @throws {TypeError} when the channel's locks do not say which ports it held
 *
 * @example
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client/client.ts";
 * import { reclaimClient } from "./reclaim.ts";
 *
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * const lost = new Client(channel);
 * lost.open(40_000); // never closed
 * if (reclaimClient(channel, lost.id) !== 1) throw new Error("one port");
 * ```
 */
export function reclaimClient(channel: Channel, clientId: number): number {
  channel.checkOwnerId(clientId);
  checkNamesHolders(channel.layout, `reclaim the ports of client ${clientId}`);
  const { words, layout } = channel;
  const client = mailboxesOf(words, { layout, side: "client", ownerId: clientId });
  const headers = headersOf(words.plain, layout);
  const hints = layout.discovery === "hint" ? new Hints(words, layout) : undefined;
  const dead = { lockWord: layout.clientLockWord, ownerId: clientId };
  const count = releaseLocks(channel, dead, (index) => {
    client.settle(index);
    // A server in the middle of the call may be behind with a stream, and store to its parts: it gets
    // the packet as a call that asks for nothing, and no other client has it before that was served.
    if (!client.owns(index) || client.locks.peerHolder(index) === 0) return;
    headers.begin(index, Opcode.noop | NO_REPLY, laneMask(0));
    client.toggle(index);
    hints?.mark(index);
  });
  channel.leaveRequests.forget(clientId);
  return count;
}

/**
 * Answers the calls that a server held when its thread died, with status `serverGone`, frees its ports
 * and counts it out: the last server takes the channel with it. As {@linkcode reclaimClient}, only for
 * a thread that is known to be dead. Bounded.
 *
 * @param serverId the `id` of a server that had begun to serve
 * @returns how many ports were freed
 * @throws {RangeError} when the id is nobody's
 * @throws {TypeError} when the channel's locks do not say which ports it held
 */
export function reclaimServer(channel: Channel, serverId: number): number {
  const count = releaseServer(channel, serverId);
  const { leaveRequests } = channel;
  // Who was given up on has been counted out already, and who was reclaimed, too.
  const wasGivenUp = leaveRequests.forget(serverId);
  if (leaveRequests.noteEnded(serverId) && !wasGivenUp) channel.abandonServing(serverId);
  return count;
}

/**
 * As {@linkcode reclaimServer}, of a server that somebody else counts out.
 *
 * @internal
 */
export function releaseServer(channel: Channel, serverId: number): number {
  channel.checkOwnerId(serverId);
  const { words, layout } = channel;
  checkNamesHolders(layout, `reclaim the ports of server ${serverId}`);
  const client = mailboxesOf(words, { layout, side: "client", ownerId: 0 });
  const server = mailboxesOf(words, { layout, side: "server", ownerId: serverId });
  const headers = headersOf(words.plain, layout);
  const { serverLockWord } = layout;
  return releaseLocks(channel, { lockWord: serverLockWord, ownerId: serverId }, (index) => {
    server.settle(index);
    if (server.inbox(index) === client.inbox(index)) return;
    headers.setStatus(index, Status.serverGone);
    // On the dead server's behalf, with its lock held.
    server.toggle(index);
  });
}

/**
 * As {@linkcode reclaimServer}. Where the channel's locks do not say what it held, the channel is
 * stopped: else the calls that it held would wait for ever.
 *
 * @internal
 */
export function buryServer(channel: Channel, serverId: number): void {
  if (isAnonymous(channel.layout.portLock)) channel.stop();
  else reclaimServer(channel, serverId);
}

interface DeadOwner {
  readonly lockWord: number;
  readonly ownerId: number;
}

/** @param settle brings a port's mailboxes into order, while the lock is still the dead one's */
function releaseLocks(
  channel: Channel,
  { lockWord, ownerId }: DeadOwner,
  settle: (index: number) => void,
): number {
  const { words, layout } = channel;
  let count = 0;
  for (let index = 0; index < layout.portCount; index++) {
    const word = lockWord + index;
    if (lockOwner(words.load(word)) !== ownerId) continue;
    settle(index);
    // Sync: as OwnerLocks.unlock(), after the mailboxes are settled.
    words.store(word, 0);
    count++;
  }
  // Not only who waits for these ports: the dead one may have unlocked another, or set a hint, and not
  // yet have woken those who were to hear of it.
  channel.wakeAll();
  return count;
}
