import type { Channel } from "./channel.ts";
import { checkNamesHolders } from "./design/channel_design.ts";
import { lockOwner } from "./lock/owner_locks.ts";
import type { LeaveRequests } from "./leave_requests.ts";
import { Deadline, LEAVE_TIMEOUT_SECONDS } from "../wait/deadline.ts";
import { LoopTurns } from "../wait/loop_turns.ts";

/** How a request to leave the channel ended. */
export interface LeaveReport {
  /** Whether the worker said that it left: then it holds nothing and will never touch the channel. */
  readonly hasLeft: boolean;
  /**
   * Ports that stay with a worker that did not answer. Calls on them end with an error, other ports
   * go on; each is free again when the worker comes back and finds that it was given up on. A worker
   * that was terminated before it was asked does not come back: its ports are lost.
   */
  readonly heldPortCount: number;
}

/** How long to wait for an answer. */
export interface EvictOptions {
  /** In seconds; 1 when absent. */
  readonly timeoutSeconds?: number;
}

/**
 * Asks a server to leave the channel, and waits for its answer without blocking. It is asked through
 * the channel, which it reads at every search, whatever it waits for.
 *
 * When it was the last server, the channel is stopped, so that nobody waits for a reply for ever.
 *
 * @param serverId the `id` of a server that serves, and was not asked in another isolate: who has left
 * does not answer, and would be counted out twice
 * @throws {RangeError} when the id is nobody's, the timeout no time, or too many workers were given up
 * on; see `LEAVE_SLOTS`
 * @throws {TypeError} when it did not answer and the channel's locks do not say which ports it holds: it
 * is counted out, calls on its ports wait until it comes back
 */
export async function evictServer(
  channel: Channel,
  serverId: number,
  options: EvictOptions = {},
): Promise<LeaveReport> {
  const lockWord = channel.layout.serverLockWord;
  return await evict(
    channel,
    { id: serverId, lockWord, ...options },
    () => channel.abandonServing(serverId),
  );
}

/**
 * Asks a client to leave the channel, and waits for its answer without blocking. Its calls end with a
 * `CallError` of status `askedToLeave`. It is asked at its next call, and wherever it waits.
 *
 * Evict first, terminate then: in Deno and on a page a worker that was terminated before it was asked
 * answers no more, and its ports are lost until the channel ends. In Node its thread is dead when
 * `terminate()` has settled, and `reclaimClient` frees them.
 *
 * @param clientId the client's `id`
 * @throws {RangeError} as {@linkcode evictServer}
 *
 * @example
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client/client.ts";
 * import { evictClient } from "./evict.ts";
 * const channel = Channel.create({ portCount: 2, laneCount: 1 });
 * const idle = new Client(channel); // asks nothing, so it cannot answer
 * const { hasLeft, heldPortCount } = await evictClient(channel, idle.id, { timeoutSeconds: 0.01 });
 * if (hasLeft || heldPortCount !== 0) throw new Error("it did not answer, and holds nothing");
 * ```
 */
export function evictClient(
  channel: Channel,
  clientId: number,
  options: EvictOptions = {},
): Promise<LeaveReport> {
  const lockWord = channel.layout.clientLockWord;
  return evict(channel, { id: clientId, lockWord, ...options }, () => {});
}

interface Member extends EvictOptions {
  readonly id: number;
  /** Where the locks of its side begin. */
  readonly lockWord: number;
}

/** @param onGone called once for a member, however often it is asked: it has left, or was given up on */
async function evict(
  channel: Channel,
  { id, lockWord, timeoutSeconds = LEAVE_TIMEOUT_SECONDS }: Member,
  onGone: () => void,
): Promise<LeaveReport> {
  const { leaveRequests } = channel;
  const limit = new Deadline({ timeoutSeconds });
  channel.checkOwnerId(id);
  if (leaveRequests.hasLeft(id)) return { hasLeft: true, heldPortCount: 0 };
  const slot = leaveRequests.tryAsk(id) ?? await askInTurn(leaveRequests, id, limit);
  channel.announceLeaving();
  await leaveRequests.awaitAnswer(slot, id, timeoutSeconds * 1000);
  if (leaveRequests.giveUp(slot, id)) onGone();
  else if (!leaveRequests.isGivenUp(id)) {
    if (leaveRequests.settle(slot, id)) onGone();
    return { hasLeft: true, heldPortCount: 0 };
  }
  // Whoever waits for it has to look again, and learns now that nothing will come.
  channel.announceLeaving();
  checkNamesHolders(channel.layout, `tell which ports ${id} keeps, which did not leave in time,`);
  return { hasLeft: false, heldPortCount: heldCount(channel, { id, lockWord }) };
}

/** Where more leave at once than there are slots, as a large pool does, the last ones wait for the first. */
async function askInTurn(
  leaveRequests: LeaveRequests,
  id: number,
  limit: Deadline,
): Promise<number> {
  const turns = new LoopTurns();
  while (leaveRequests.mayHaveRoom() && limit.leftMilliseconds > 0) {
    await turns.take();
    const slot = leaveRequests.tryAsk(id);
    if (slot !== undefined) return slot;
  }
  return leaveRequests.ask(id);
}

function heldCount(
  { words, layout }: Channel,
  { id, lockWord }: { readonly id: number; readonly lockWord: number },
): number {
  let count = 0;
  for (let index = 0; index < layout.portCount; index++) {
    if (lockOwner(words.load(lockWord + index)) === id) count++;
  }
  return count;
}
