import { errorReport, withoutStack } from "../../call/error_report.ts";
import { writeErrorText } from "../../call/error_text.ts";
import type { MessageWriter } from "../../call/message.ts";
import { cutErrorWriter, errorWriter } from "../../call/whole_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { WHOLE_ERRORS } from "../../memory/port_headers.ts";
import { lowestPort } from "../../memory/regions.ts";
import { Status } from "../../memory/status.ts";
import { checkTimeout, Deadline } from "../../wait/deadline.ts";
import { Guard, type PortWaiter } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { WaitEnd } from "../../wait/wait_end.ts";
import type { Channel } from "../channel.ts";
import { ChannelState } from "../layout.ts";
import { PartGuard, type PartGuards, PARTS_OVER } from "../stream/port_parts.ts";
import { ASLEEP } from "../steps/steps.ts";
import { PortSide } from "../port_side.ts";

/**
 * The client left in the middle of a call: it closed its port, or its worker is gone, or the channel
 * was stopped. Ends the handler; nobody is there to be told.
 */
export class CallAbandonedError extends Error {
  /** The name of the class, also in another isolate. */
  override readonly name: string = "CallAbandonedError";
}

/**
 * The client did not go on with its call in time. Ends the handler, so that other calls are served;
 * a client that goes on later is told so.
 */
export class ClientLateError extends CallAbandonedError {
  /** The name of the class, also in another isolate. */
  override readonly name = "ClientLateError";
}

/** How long a client may take for one step once the channel ends and another client was late. */
const HURRIED_SECONDS = 0.1;

/** How a server waits in the middle of a call. */
export interface ServerSideOptions {
  readonly waiter: WaiterName | PortWaiter;
  /** How long a client may take for one step of its call, in seconds; `Infinity` for no limit. */
  readonly clientTimeoutSeconds: number;
  /** Whether clients are told where in this side's code something failed; true when absent. */
  readonly tellsStacks?: boolean;
}

/** One server's side of all ports, and the steps that serving a call is made of. */
export class ServerSide extends PortSide {
  readonly #clientTimeoutSeconds: number;
  readonly #tellsStacks: boolean;
  readonly #lateWord: number;
  /** False where the locks of clients are their own, as with LLVM's: who has a port is there, as far as can be told. */
  readonly #seesClients: boolean;
  #lent: PortWaiter | undefined;
  #isServing = false;
  /** A client was late since the channel was shut down: the end does not wait so long for each. */
  #isHurried = false;

  constructor(channel: Channel, options: ServerSideOptions) {
    const { waiter, clientTimeoutSeconds, tellsStacks = true } = options;
    super(channel, { side: "server", waiter });
    checkTimeout("clientTimeoutSeconds", clientTimeoutSeconds);
    this.#tellsStacks = tellsStacks;
    this.#clientTimeoutSeconds = clientTimeoutSeconds;
    this.#lateWord = channel.layout.serverLateWord;
    this.#seesClients = channel.layout.wire === "portlab";
  }

  /** Whether a wait in the middle of a call has to be an asynchronous one. */
  get isAsyncOnly(): boolean {
    return (this.#lent ?? this.waiter).isAsyncOnly ?? false;
  }

  /** Waits in another way from now on; as it was made when absent. */
  lendWaiter(waiter?: WaiterName | PortWaiter): void {
    this.#lent = waiter && this.waiterOf(waiter);
  }

  /** Counts this server in, so that a shutdown waits until it has finished what was sent. */
  enterServing(isCounted: boolean): void {
    if (this.#isServing) return;
    this.#isServing = true;
    if (!isCounted) this.channel.enterServing();
  }

  /** Counts this server out. */
  leaveServing(): void {
    if (!this.#isServing) return;
    this.#isServing = false;
    this.channel.leaveServing();
  }

  /** Points a packet object at the packet of a call, with the lanes that its header names. */
  aim(packet: Packet, index: number): void {
    packet.aim(index, this.headers.maskLo(index), this.headers.maskHi(index));
  }

  /**
   * Writes what went wrong into the packet.
   *
   * @param isCut when this server cannot wait for the client to take more than one packet
   * @returns what is to be sent after this packet, if anything
   */
  writeError(packet: Packet, cause: unknown, isCut: boolean): MessageWriter | undefined {
    if (!this.headers.tellsFaults) return undefined;
    if (!(this.headers.opcodeWord(packet.index) & WHOLE_ERRORS)) {
      writeErrorText(packet, errorReport(cause).message);
      return undefined;
    }
    const told = this.#tellsStacks ? cause : withoutStack(cause);
    const writer = isCut ? cutErrorWriter(told, packet) : errorWriter(told);
    writer.put(packet);
    return writer.isDone ? undefined : writer;
  }

  /**
   * Notes that the client was late for its call, which it may still go on with: whichever server finds
   * that says so. Call with the lock held. Bounded.
   */
  markLate(index: number): void {
    this.channel.words.store(this.#lateWord + index, 1);
  }

  /** Whether the client was late for its last call; forgets that. Call with the lock held. Bounded. */
  takeLate(index: number): boolean {
    const { words } = this.channel;
    const word = this.#lateWord + index;
    // Plain: only who has the lock writes it, and taking the lock ordered the last holder's write.
    if (words.peek(word) === 0) return false;
    words.store(word, 0);
    return true;
  }

  /** What a packet says that goes back for more: a wave of a GPU takes every status for the end. */
  statusForMore(index: number): Status {
    return this.headers.opcodeWord(index) & WHOLE_ERRORS ? Status.noReply : Status.ok;
  }

  /**
   * Whether a server holds this port, so that what is to be done there is done: this one, or another, which
   * rings the doorbell then when it drops the port. Bounded.
   */
  isTaken(index: number): boolean {
    return this.locks.holds(index) || this.locks.watch(index);
  }

  /** Gives the buffer to the client, and wakes it if it sleeps. Bounded. */
  giveAway(index: number): void {
    this.mailboxes.toggle(index);
    this.mailboxes.wakePeer(index);
  }

  /** Gives the buffer to the client and returns the port: the end of a call. Bounded. */
  handBack(index: number): void {
    this.noteHandedBack(index, this.steps.handBack(index));
  }

  /** Does what the step `handBack` says is left to do. Bounded. */
  noteHandedBack(index: number, marks: number): void {
    if (marks !== ASLEEP) return this.noteReleased(index, marks);
    this.mailboxes.wakePeer(index);
    this.unlock(index);
  }

  /** As {@linkcode handBack}, of several of the 32 ports from `place` times 32 on, which have a bit each. Bounded. */
  handBackBits(place: number, bits: number): void {
    this.mailboxes.toggleBits(place, bits);
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      this.mailboxes.wakePeer(lowestPort(place, rest));
    }
    this.unlockBits(place, bits);
  }

  /**
   * Waits in the middle of a call until the server owns the buffer. Blocks.
   *
   * @throws {CallAbandonedError} when the client left, or did not go on in time
   */
  awaitBuffer(index: number, limit: Deadline): void {
    if (!this.mailboxes.owns(index)) {
      const guard = this.#guard(index, limit);
      (this.#lent ?? this.waiter).wait(index, this.mailboxes.foreignInbox(index), guard);
    }
    this.#checkContinues(index);
  }

  /** As {@linkcode awaitBuffer}, without blocking the event loop. */
  async awaitBufferAsync(index: number, limit: Deadline, end?: WaitEnd): Promise<void> {
    if (!this.mailboxes.owns(index)) {
      const guard = this.#guard(index, limit, end);
      const waiter = this.#lent ?? this.waiter;
      await waiter.waitAsync(index, this.mailboxes.foreignInbox(index), guard);
    }
    this.#checkContinues(index);
  }

  #guard(index: number, limit: Deadline, end?: WaitEnd): Guard {
    return new Guard(
      () => {
        this.checkClient(index);
        limit.signal?.throwIfAborted();
        if (!this.mailboxes.owns(index)) this.checkTime(limit);
      },
      limit,
      end,
    );
  }

  /**
   * Whether the server owns the buffer, in the middle of a call. Bounded.
   *
   * @throws as {@linkcode awaitBuffer}, rather than saying no for ever
   */
  hasBuffer(index: number): boolean {
    if (this.mailboxes.owns(index)) return true;
    this.checkClient(index);
    return this.mailboxes.owns(index);
  }

  /** Whether a client holds this port, and has not been given up on. Bounded. */
  isClientThere(index: number): boolean {
    if (!this.#seesClients) return true;
    const { leaveRequests } = this.channel;
    const clientId = this.locks.peerHolder(index);
    return clientId !== 0 && !(leaveRequests.hasGivenUp() && leaveRequests.isGivenUp(clientId));
  }

  /**
   * Whether the server still may wait for the client of this port: there is one, it was not given up
   * on, and the channel has not ended. Bounded.
   *
   * @throws as {@linkcode awaitBuffer}
   */
  checkClient(index: number): void {
    this.mayStay();
    const isClientThere = !this.#seesClients ||
      this.locks.watchPeer(index) && this.isClientThere(index);
    // Looked at after the client: its last send comes before it leaves, and must not be lost.
    if (this.mailboxes.owns(index)) return;
    if (!isClientThere) throw new CallAbandonedError("The client left the call before its end");
    if (this.channel.state !== ChannelState.stopped) return;
    throw new CallAbandonedError("The channel was stopped in the middle of the call");
  }

  /** What may end the waits of a stream whose parts are under way, each with a limit of its own. */
  partGuards(index: number, newLimit: () => Deadline): PartGuards {
    const guard = (isOver: () => boolean) =>
      new PartGuard(newLimit, (limit) => {
        this.mayStay();
        const isClientThere = this.locks.watchPeer(index) && this.isClientThere(index);
        const isStopped = this.channel.state === ChannelState.stopped;
        if (!isClientThere || isStopped || isOver()) throw PARTS_OVER;
        this.checkTime(limit!);
      });
    return { sending: guard(() => false), receiving: guard(() => this.mailboxes.owns(index)) };
  }

  /** How long the client may take for its next step, from now. */
  stepDeadline(): Deadline {
    const secondsMax = this.#isHurried ? HURRIED_SECONDS : Infinity;
    return new Deadline({ timeoutSeconds: Math.min(this.#clientTimeoutSeconds, secondsMax) });
  }

  /** @throws {ClientLateError} when the time for what the client does is over */
  checkTime({ leftMilliseconds, timeoutSeconds }: Deadline): void {
    if (leftMilliseconds > 0) return;
    const isEnding = this.channel.state !== ChannelState.running;
    if (isEnding) this.#isHurried = true;
    throw new ClientLateError(
      `The client did not go on with its call within ${timeoutSeconds} s`,
    );
  }

  /** Whoever opens the port next writes a header without the mark: that packet is of another call. */
  #checkContinues(index: number): void {
    if (this.headers.continues(index)) return;
    throw new CallAbandonedError("The client left the call before its end");
  }

  protected override onLeft(): void {
    this.#isServing = false;
  }
}
