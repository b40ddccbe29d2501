import type { Channel } from "./channel.ts";
import { lockOwner } from "./mailbox.ts";

/** How a request to leave the channel ended. */
export interface LeaveReport {
  /**
   * Whether the worker said that it left, or its thread is known to be dead: then it holds nothing and
   * will never touch the channel.
   */
  readonly hasLeft: boolean;
  /**
   * Ports that stay with a worker that did not answer. Calls on them end with an error, other ports
   * go on; each is free again when the worker comes back and finds that it was given up on.
   */
  readonly heldPortCount: number;
}

/** How long to wait for an answer. */
export interface EvictOptions {
  /** In seconds; 1 when absent. */
  readonly timeoutSeconds?: number;
}

const TIMEOUT_SECONDS = 1;

/**
 * Asks a server to leave the channel, and waits for its answer without blocking. It is asked through
 * the channel, which it reads at every search, whatever it waits for.
 *
 * When it was the last server, the channel is stopped, so that nobody waits for a reply for ever.
 *
 * @param serverId the `id` of a server that serves
 * @throws {RangeError} when too many workers were given up on; see `LEAVE_SLOTS`
 */
export async function evictServer(
  channel: Channel,
  serverId: number,
  options: EvictOptions = {},
): Promise<LeaveReport> {
  const report = await evict(channel, {
    id: serverId,
    lockWord: channel.layout.serverLockWord,
    ...options,
  });
  // Who answers counts itself out; for who does not, others have to.
  if (!report.hasLeft) channel.abandonServing();
  return report;
}

/**
 * Asks a client to leave the channel, and waits for its answer without blocking. Its calls end with a
 * `CallError` of status `askedToLeave`. It is asked at its next call, and wherever it waits.
 *
 * @param clientId the client's `id`
 * @throws {RangeError} when too many workers were given up on; see `LEAVE_SLOTS`
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
  return evict(channel, { id: clientId, lockWord: channel.layout.clientLockWord, ...options });
}

async function evict(
  channel: Channel,
  member: EvictOptions & { readonly id: number; readonly lockWord: number },
): Promise<LeaveReport> {
  const { id, lockWord, timeoutSeconds = TIMEOUT_SECONDS } = member;
  const { leaveRequests } = channel;
  const slot = leaveRequests.ask(id);
  channel.announceLeaving();
  await leaveRequests.awaitAnswer(slot, id, timeoutSeconds * 1000);
  const isGivenUp = leaveRequests.giveUp(slot, id);
  if (!isGivenUp) await leaveRequests.awaitLeft(slot, id);
  if (!isGivenUp && leaveRequests.stateOf(slot) === "left") {
    leaveRequests.settle(slot);
    return { hasLeft: true, heldPortCount: 0 };
  }
  // Whoever waits for it has to look again, and learns now that nothing will come.
  channel.announceLeaving();
  return { hasLeft: false, heldPortCount: heldCount(channel, { id, lockWord }) };
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
