import { InboxWaiter, type WaitBoxes, type WaitGuard } from "../wait/inbox_waiter.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { Flags } from "./flags.ts";
import type { PacketChannel, PacketMemory } from "./packet_channel.ts";
import type { ClientSteps, ServerSteps } from "./packet_steps.ts";

/** The state of a call: see {@linkcode callState}. */
export const CallState = {
  idle: "idle",
  posted: "posted",
  answered: "answered",
  ended: "ended",
} as const;
/** One of {@linkcode CallState}. */
export type CallState = typeof CallState[keyof typeof CallState];

/**
 * The state of a call by two flags, which it raises and then lowers in the same order, and the owner of
 * its packet:
 *
 * | client | server | state    | owner    | next                                   |
 * | ------ | ------ | -------- | -------- | -------------------------------------- |
 * | 0      | 0      | idle     | none     | a client takes its lock, fills, raises |
 * | 1      | 0      | posted   | server   | a server takes its lock, works, raises |
 * | 1      | 1      | answered | client   | the client reads, lowers               |
 * | 0      | 1      | ended    | none     | a server takes its lock, lowers        |
 */
export function callState(client: boolean, server: boolean): CallState {
  if (client) return server ? CallState.answered : CallState.posted;
  return server ? CallState.ended : CallState.idle;
}

/** The flags of a handshake, each written by one side. */
export interface HandshakeFlags<Kind extends Flags = Flags> {
  /** Up from the client's post until it has read the answer. */
  readonly client: Kind;
  /** Up from the server's answer until a server has seen that the client's flag is down. */
  readonly server: Kind;
  /** A client holds the packet. Servers never look at this flag. */
  readonly clientLock: Kind;
  /** A server holds the packet. Clients never look at this flag. */
  readonly serverLock: Kind;
}

/** The client's steps that all handshakes share. Protocols differ in when they drop the lock. */
export abstract class HandshakeClientSteps implements ClientSteps {
  protected readonly channel: PacketChannel<PacketMemory>;
  protected readonly flags: HandshakeFlags;
  readonly #waiter: InboxWaiter;

  protected constructor(
    channel: PacketChannel<PacketMemory>,
    flags: HandshakeFlags,
    wait: Omit<WaitBoxes, "parkedWord"> & { readonly waiter: WaiterName },
  ) {
    const { words, layout: { parkedWord } } = channel;
    this.channel = channel;
    this.flags = flags;
    this.#waiter = new InboxWaiter(words, { ...wait, parkedWord }, wait.waiter);
  }

  abstract tryClaim(): number | undefined;
  abstract release(index: number): void;
  abstract drop(index: number): void;
  abstract leave(index: number): void;

  protected state(index: number): CallState {
    // Sync: pairs with the server's answer: seeing it makes its packet writes visible.
    const server = this.flags.server.has(index);
    return callState(this.flags.client.has(index), server);
  }

  post(index: number): void {
    // Sync: publishes header and packet. Pairs with the server's look. If they were written later, the
    // server could read those of an older call. The ring comes last, or the server could wake, find
    // nothing and sleep again.
    this.flags.client.set(index);
    this.channel.workBell.ring();
  }

  isAnswered(index: number): boolean {
    return this.state(index) === CallState.answered;
  }

  awaitAnswer(index: number, guard: WaitGuard): void {
    this.#waiter.wait(index, 0, guard);
  }

  awaitAnswerAsync(index: number, guard: WaitGuard): Promise<void> {
    return this.#waiter.waitAsync(index, 0, guard);
  }

  /** Tells the servers that the answer is no longer needed: one of them lowers its flag. */
  protected retract(index: number): void {
    // Sync: after the last read of the packet. Pairs with the server's look. If the packet became idle
    // before we have read the answer, another client could fill it meanwhile.
    this.flags.client.clear(index);
    this.channel.workBell.ring();
  }
}

/** The server's steps of all handshakes. */
export class HandshakeServerSteps implements ServerSteps {
  readonly #channel: PacketChannel<PacketMemory>;
  readonly #client: Flags;
  readonly #server: Flags;
  readonly #lock: Flags;
  /** Where the next search begins: after the packet that was served last, so that all get their turn. */
  #next = 0;

  constructor(channel: PacketChannel<PacketMemory>, flags: HandshakeFlags) {
    this.#channel = channel;
    this.#client = flags.client;
    this.#server = flags.server;
    this.#lock = flags.serverLock;
  }

  /** Looks once at each packet, up to the first with work. Cleans up ended calls on the way. */
  tryTake(): number | undefined {
    const { packetCount } = this.#channel.layout;
    for (let count = 0; count < packetCount; count++) {
      const index = (this.#next + count) % packetCount;
      if (!this.#tryTakeAt(index)) continue;
      this.#next = (index + 1) % packetCount;
      return index;
    }
    return undefined;
  }

  #tryTakeAt(index: number): boolean {
    const glance = this.#state(index);
    if (glance !== CallState.posted && glance !== CallState.ended) return false;
    if (!this.#lock.trySet(index)) return false;
    // Sync: looks again, under the lock. Another server may have served the call meanwhile, and it
    // would be served twice.
    const state = this.#state(index);
    if (state === CallState.posted) return true;
    if (state === CallState.ended) this.#clean(index);
    else this.#lock.clear(index);
    return false;
  }

  #state(index: number): CallState {
    // Sync: pairs with the client's post: seeing it makes header and packet visible.
    const client = this.#client.has(index);
    return callState(client, this.#server.has(index));
  }

  answer(index: number): void {
    // Sync: publishes the answer. Pairs with the client's look. If the answer were written later, the
    // client could read its own request. The lock is dropped afterwards, or another server would still
    // find work here. The wakes come last, or those woken would look too early.
    this.#server.set(index);
    this.#lock.clear(index);
    this.#channel.wake(index);
    // If the client has left the call, one that waits for a packet can collect it now.
    this.#channel.freeBell.ring();
  }

  #clean(index: number): void {
    // Sync: pairs with the client's look: the packet is idle. Our lock is dropped afterwards; otherwise a
    // second server could clean up in the middle of the next call.
    this.#server.clear(index);
    this.#lock.clear(index);
    this.#channel.freeBell.ring();
  }
}
