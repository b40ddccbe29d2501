import type { Channel } from "./channel.ts";
import { PortHeaders } from "../memory/port_headers.ts";
import { lockOwner } from "./mailbox.ts";
import { Status } from "../memory/status.ts";

/**
 * Frees the ports of a client whose worker was terminated. A call that was under way is finished by
 * the server and its reply dropped. Bounded.
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
  const { words, layout } = channel;
  return releaseLocks(channel, { lockWord: layout.clientLockWord, ownerId: clientId }, (index) => {
    words.store(layout.clientParkedWord + index, 0);
  }, (index) => words.notify(layout.clientOutboxWord + index));
}

/**
 * Answers the calls that a server held when its worker was terminated, with status `serverGone`, and
 * frees its ports. Bounded.
 *
 * @param serverId the dead server's `id`. Reclaiming one that lives breaks mutual exclusion.
 * @returns how many ports were freed
 */
export function reclaimServer(channel: Channel, serverId: number): number {
  const { words, layout } = channel;
  const headers = new PortHeaders(words.plain, layout);
  return releaseLocks(channel, { lockWord: layout.serverLockWord, ownerId: serverId }, (index) => {
    words.store(layout.serverParkedWord + index, 0);
    const outbox = words.load(layout.serverOutboxWord + index);
    if (words.load(layout.clientOutboxWord + index) === outbox) return;
    headers.setStatus(index, Status.serverGone);
    // Sync: on the dead server's behalf, with its lock held; as Mailboxes.toggle().
    words.store(layout.serverOutboxWord + index, outbox ^ 1);
  }, (index) => words.notify(layout.serverOutboxWord + index));
}

function releaseLocks(
  channel: Channel,
  dead: { readonly lockWord: number; readonly ownerId: number },
  settle: (index: number) => void,
  wake: (index: number) => void,
): number {
  let count = 0;
  for (let index = 0; index < channel.layout.portCount; index++) {
    const word = dead.lockWord + index;
    if (lockOwner(channel.words.load(word)) !== dead.ownerId) continue;
    settle(index);
    // Sync: as Mailboxes.unlock(), after the mailboxes are settled.
    channel.words.store(word, 0);
    channel.words.notify(word);
    wake(index);
    count++;
  }
  return count;
}
