import { PortHeaders } from "../memory/port_headers.ts";
import { Status } from "../memory/status.ts";
import type { Channel } from "./channel.ts";
import { ControlWord } from "./layout.ts";
import { lockOwner, ringFree, wakeParked } from "./mailbox.ts";

/**
 * Frees the ports of a client whose thread is known to be dead: its process ended, or Node's
 * `terminate()` was awaited. A web worker that was terminated may run on, so it is never known to be
 * dead: `evictClient` asks it. A call that was under way is finished by the server and its reply
 * dropped. Bounded.
 *
 * @param clientId the dead client's `id`. Reclaiming one that lives breaks mutual exclusion.
 * @returns how many ports were freed
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
  const { clientLockWord, clientParkedWord, serverParkedWord } = channel.layout;
  const dead = { lockWord: clientLockWord, parkedWord: clientParkedWord, ownerId: clientId };
  const count = releaseLocks(channel, dead, { settle() {}, wakeWord: serverParkedWord });
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
 */
export function reclaimServer(channel: Channel, serverId: number): number {
  const { words, layout } = channel;
  const headers = new PortHeaders(words.plain, layout);
  const { serverLockWord, serverParkedWord, clientParkedWord } = layout;
  const dead = { lockWord: serverLockWord, parkedWord: serverParkedWord, ownerId: serverId };
  const count = releaseLocks(channel, dead, {
    settle(index) {
      const outbox = words.load(layout.serverOutboxWord + index);
      if (words.load(layout.clientOutboxWord + index) === outbox) return;
      headers.setStatus(index, Status.serverGone);
      // Sync: on the dead server's behalf, with its lock held; as Mailboxes.toggle().
      words.store(layout.serverOutboxWord + index, outbox ^ 1);
    },
    wakeWord: clientParkedWord,
  });
  // Who was given up on has been counted out already.
  if (!channel.leaveRequests.forget(serverId)) channel.abandonServing();
  return count;
}

interface DeadOwner {
  readonly lockWord: number;
  readonly parkedWord: number;
  readonly ownerId: number;
}

interface Release {
  /** Brings the port's mailboxes into order, while the lock is still the dead one's. */
  settle(index: number): void;
  /** The parked words of those who may wait for the dead one. */
  readonly wakeWord: number;
}

function releaseLocks(channel: Channel, dead: DeadOwner, release: Release): number {
  const { words, layout } = channel;
  const freeBellWord = layout.controlWord + ControlWord.freeBell;
  let count = 0;
  for (let index = 0; index < layout.portCount; index++) {
    const word = dead.lockWord + index;
    if (lockOwner(words.load(word)) !== dead.ownerId) continue;
    release.settle(index);
    words.store(dead.parkedWord + index, 0);
    // Sync: as Mailboxes.unlock(), after the mailboxes are settled.
    words.store(word, 0);
    wakeParked(words, release.wakeWord + index, freeBellWord);
    count++;
  }
  ringFree(words, freeBellWord);
  return count;
}
