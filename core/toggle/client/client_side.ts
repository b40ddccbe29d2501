import { CallError } from "../../call/call_error.ts";
import type { LaneMask } from "../../memory/lane_mask.ts";
import { WHOLE_ERRORS } from "../../memory/port_headers.ts";
import { lowestPort } from "../../memory/regions.ts";
import { Status } from "../../memory/status.ts";
import type { Deadline } from "../../wait/deadline.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { Hints } from "../../wait/hint.ts";
import { Guard, type PortWaiter, type WaitGuard } from "../../wait/inbox_waiter.ts";
import type { WaitEnd } from "../../wait/wait_end.ts";
import { STRATEGIES, type WaiterName } from "../../wait/strategy.ts";
import { FREE_NAP_MILLISECONDS, STEP_POLLS } from "../../wait/tuning.ts";
import type { Channel } from "../channel.ts";
import { ChannelState, ControlWord, doorbellPlace } from "../layout.ts";
import { PartGuard, type PartGuards, PARTS_OVER } from "../stream/port_parts.ts";
import type { CallHead } from "./client_port.ts";
import type { FaultCall } from "./fault_reader.ts";
import { PortSide } from "../port_side.ts";
import { Answered } from "../steps/steps.ts";

/** Of a waiter that is handed in, which waits by itself. */
const ELSEWHERE = { burstPolls: 0, parks: true } as const;

const UNSERVED = " as no server is in run() or runAsync(): start one, here or by startServer()";

/** One client's side of all ports, and the steps that its calls are made of. */
export class ClientSide extends PortSide {
  /** Absent where servers look without hints: then every flip rings for those who sleep. */
  readonly #hints: Hints | undefined;
  readonly #doorbell: Doorbell;
  /** How often the step of a call looks for the answer. */
  readonly burstPolls: number;
  readonly #freeNapMilliseconds: number;

  constructor(channel: Channel, waiter: WaiterName | PortWaiter) {
    super(channel, { side: "client", waiter });
    const { words, layout } = channel;
    if (layout.discovery === "hint") this.#hints = new Hints(words, layout);
    const { burstPolls, parks } = typeof waiter === "string" ? STRATEGIES[waiter] : ELSEWHERE;
    this.burstPolls = Math.min(burstPolls, STEP_POLLS);
    this.#freeNapMilliseconds = parks ? Infinity : FREE_NAP_MILLISECONDS;
    this.#doorbell = new Doorbell(words, doorbellPlace(layout));
  }

  /** Starts a call on a port whose lock was just taken. Bounded. */
  begin(index: number, opcode: number, mask: LaneMask): void {
    this.headers.begin(index, opcode | WHOLE_ERRORS, mask);
  }

  /**
   * Gives the buffer to the server and sees to it that one will look. Bounded. Who calls has to wait
   * for the reply or to unlock next: both wake a server that sleeps in a call that was left.
   */
  giveAway(index: number): void {
    this.mailboxes.toggle(index);
    this.#mark(index);
  }

  #mark(index: number): void {
    if (this.#hints === undefined || this.#hints.mark(index)) this.#doorbell.ring();
  }

  /**
   * What is left of a call after the step: waits until the buffer comes back. Blocks.
   *
   * @param answered one of {@linkcode Answered}
   * @returns whether it came with good news
   * @throws as {@linkcode awaitBuffer}
   */
  awaitAnswer(answered: number, index: number, { opcode, deadline }: CallHead): boolean {
    if (answered === Answered.bad) return false;
    if (answered === Answered.unhinted) this.#mark(index);
    this.awaitBuffer(index, opcode, deadline);
    return this.isGood(index);
  }

  /** As {@linkcode giveAway}, for a client that may do something else next. Bounded. */
  giveAwayAwake(index: number): void {
    this.giveAway(index);
    this.mailboxes.wakePeer(index);
  }

  /**
   * As {@linkcode giveAwayAwake}, of several of the 32 ports from `place` times 32 on, which have a bit each:
   * one flip where their mailboxes share a word, and one ring. Bounded.
   */
  giveAwayBits(place: number, bits: number): void {
    this.mailboxes.toggleBits(place, bits);
    let mayRing = this.#hints === undefined;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const index = lowestPort(place, rest);
      if (this.#hints?.mark(index)) mayRing = true;
      this.mailboxes.wakePeer(index);
    }
    if (mayRing) this.#doorbell.ring();
  }

  /** Gives the buffer to the server in the middle of a call. Bounded. */
  giveAwayAgain(index: number): void {
    this.headers.markContinued(index);
    this.giveAwayAwake(index);
  }

  /**
   * Waits until the client owns the buffer. Blocks.
   *
   * @throws {CallError} when the channel stops, the server was given up on, or this client has to leave
   * @throws {DOMException} at the deadline
   */
  awaitBuffer(index: number, opcode: number, deadline: Deadline | undefined): void {
    if (this.mailboxes.owns(index)) return;
    const foreign = this.mailboxes.foreignInbox(index);
    this.waiter.wait(index, foreign, this.#guard(index, { opcode, deadline }));
  }

  /** As {@linkcode awaitBuffer}, without blocking the event loop; nothing is returned where nothing is waited for. */
  awaitBufferAsync(
    index: number,
    opcode: number,
    deadline: Deadline | undefined,
    end?: WaitEnd,
  ): Promise<void> | undefined {
    if (this.mailboxes.owns(index)) return;
    const guard = this.#guard(index, { opcode, deadline, end });
    return this.waiter.waitAsync(index, this.mailboxes.foreignInbox(index), guard);
  }

  #guard(index: number, { opcode, deadline, end }: FaultCall): Guard {
    return new Guard(
      () => {
        this.checkTime(deadline, `receive on port ${index}`);
        this.checkReply(index, opcode);
      },
      deadline,
      end,
    );
  }

  /** Throws when the time is over, and says where nothing serves that there was nothing to wait for. */
  checkTime(deadline: Deadline | undefined, what: string): void {
    deadline?.check(what, () => this.channel.isServed ? "" : UNSERVED);
  }

  /** What may end the waits of a stream whose parts are under way. */
  partGuards(index: number, opcode: number, deadline: Deadline | undefined): PartGuards {
    const guard = (isOver: () => boolean) =>
      new PartGuard(() => deadline, () => {
        this.checkTime(deadline, `go on with the stream on port ${index}`);
        this.checkReply(index, opcode);
        if (isOver()) throw PARTS_OVER;
      });
    return {
      sending: guard(() => !this.locks.watchPeer(index) || this.#isServerOver(index)),
      receiving: guard(() => this.mailboxes.owns(index)),
    };
  }

  /**
   * Waits until a port may be free, or one of those that were sent may have come back; the caller looks again.
   * Blocks.
   *
   * @param sent a bit for each port; absent: any that is free
   */
  awaitFree(guard: WaitGuard, sent?: Int32Array): void {
    const armed = this.#arm(guard, sent);
    if (armed === undefined) return;
    const milliseconds = Math.min(guard.leftMilliseconds, this.#freeNapMilliseconds);
    this.channel.words.wait(this.#freeBellWord, armed, milliseconds);
  }

  /** As {@linkcode awaitFree}, without blocking the event loop. */
  async awaitFreeAsync(guard: WaitGuard, sent?: Int32Array): Promise<void> {
    const { words } = this.channel;
    const armed = this.#arm(guard, sent);
    if (armed === undefined) return;
    const wake = () => words.notify(this.#freeBellWord);
    guard.signal?.addEventListener("abort", wake);
    try {
      await words.waitAsync(this.#freeBellWord, armed, guard.leftMilliseconds);
    } finally {
      guard.signal?.removeEventListener("abort", wake);
    }
  }

  /** Whether the server wrote no bad news into the header; the buffer is owned. */
  isGood(index: number): boolean {
    return this.headers.status(index) === Status.ok;
  }

  /**
   * Sees to it that the server is awake, and whether the client still may wait for this port: not when the channel has ended, nor when its
   * server did not answer a request to leave. Bounded.
   *
   * @throws {CallError}
   */
  checkReply(index: number, opcode: number): void {
    if (!this.mayStay()) throw new CallError(Status.askedToLeave, { opcode });
    // Sync: after the toggle, before a sleep; pairs with the waiter of a server that took this client
    // for the last one, which left in the middle of its call: it parks and looks at its inbox then, so
    // that it sees the flip or we see it park. Without this both would sleep.
    this.mailboxes.wakePeer(index);
    if (this.#isServerOver(index) && !this.mailboxes.owns(index)) {
      throw new CallError(Status.serverGone, { opcode });
    }
  }

  /**
   * Whether the client still may wait for any port. Bounded.
   *
   * @throws {CallError}
   */
  checkClaim(opcode: number): void {
    if (this.mayBegin()) return;
    throw new CallError(this.mayStay() ? Status.serverGone : Status.askedToLeave, { opcode });
  }

  /** @throws {CallError} when no port can become free, as all are with workers that do not answer */
  checkAnyPort(opcode: number): void {
    if (!this.channel.leaveRequests.hasGivenUp()) return;
    for (let index = 0; index < this.channel.layout.portCount; index++) {
      const isHeld = this.channel.leaveRequests.isGivenUp(this.locks.holder(index));
      if (!isHeld && !this.#isServerLost(index)) return;
    }
    const detail = "every port is held by a worker that did not leave when it was asked to";
    throw new CallError(Status.serverGone, { opcode, detail });
  }

  get #freeBellWord(): number {
    return this.channel.layout.controlWord + ControlWord.freeBell;
  }

  /** The bell's value to sleep on, or nothing where there is something already. */
  #arm(guard: WaitGuard, sent: Int32Array | undefined): number | undefined {
    // Sync: pairs with ringFree(): read before the ports are looked at, so that a ring from then on
    // ends the sleep before it begins.
    const armed = this.channel.words.load(this.#freeBellWord);
    if (sent ? this.#hasComeBack(sent) : this.#hasFree()) return undefined;
    guard.check();
    return armed;
  }

  #hasFree(): boolean {
    for (let index = 0; index < this.channel.layout.portCount; index++) {
      if (!this.mailboxes.watchUntilFree(index)) return true;
    }
    return false;
  }

  #hasComeBack(sent: Int32Array): boolean {
    for (let place = 0; place < sent.length; place++) {
      for (let rest = sent[place]!; rest !== 0; rest &= rest - 1) {
        if (!this.mailboxes.watchUntilOwned(lowestPort(place, rest))) return true;
      }
    }
    return false;
  }

  #isServerOver(index: number): boolean {
    return this.channel.state === ChannelState.stopped || this.#isServerLost(index);
  }

  #isServerLost(index: number): boolean {
    const { leaveRequests } = this.channel;
    return leaveRequests.hasGivenUp() && leaveRequests.isGivenUp(this.locks.peerHolder(index));
  }
}
