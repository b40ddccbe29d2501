import { errorReport } from "../../call/error_report.ts";
import { bitCount, lowestPort, placesWordCount, PORT_PLACES } from "../../memory/regions.ts";
import { type CallWork, Packet } from "../../memory/packet.ts";
import { NO_PORT } from "../../wait/hint.ts";
import type { WaitGuard } from "../../wait/inbox_waiter.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import { pauseUpTo, STRATEGIES, type Strategy } from "../../wait/strategy.ts";
import { GLANCE_POLLS, GUARD_POLLS } from "../../wait/tuning.ts";
import type { CallHead } from "./client_port.ts";
import type { ClientSide } from "./client_side.ts";
import { readFault, readFaultAsync } from "./fault_reader.ts";
import { OPEN, type PortClaim } from "./port_claim.ts";

const POLLS = GUARD_POLLS; // see tuning.ts

/**
 * Many calls of one client that are under way together: those of `Client.callMany`. Internal.
 *
 * As many are sent as there are free ports, those with one flip whose mailboxes share a word. What has come
 * back is used, and its ports are there for the calls that are left, whichever are still under way: a
 * call that takes long or ends badly leaves the others alone.
 */
export class CallBatch implements WaitGuard {
  readonly #side: ClientSide;
  readonly #claim: PortClaim;
  /** Absent where the user brought another way to wait, which is for one port. */
  readonly #strategy: Strategy | undefined;
  /** Whether one look tells of all ports of a place. */
  readonly #isByWord: boolean;
  #packet: Packet;
  #head!: CallHead;
  #works: readonly CallWork[] = [];
  /** Read once: the array is the caller's, who may change it meanwhile. */
  #callCount = 0;
  #sentCount = 0;
  #endedCount = 0;
  /** The call of each port, and a bit for each port that was sent and has not come back. */
  readonly #callAt: Int32Array;
  readonly #sent: Int32Array;
  /** A port that came back with bad news, which may take more than one packet. */
  #badIndex = NO_PORT;
  #errors: unknown[] | undefined;

  constructor(side: ClientSide, claim: PortClaim) {
    const { portCount, mailboxWidth } = side.channel.layout;
    this.#side = side;
    this.#claim = claim;
    this.#strategy = side.waiterName && STRATEGIES[side.waiterName];
    this.#isByWord = mailboxWidth === "bit";
    this.#packet = new Packet(side.views);
    this.#callAt = new Int32Array(portCount);
    this.#sent = new Int32Array(placesWordCount(PORT_PLACES.bit, portCount));
  }

  /**
   * Makes all calls. Blocks.
   *
   * @throws {AggregateError} when some failed, with what `call` would throw for each in its place
   */
  run(works: readonly CallWork[], head: CallHead): void {
    this.#begin(works, head);
    while (this.#endedCount < this.#callCount) {
      const index = this.#isIdle ? this.#claimFirst() : this.#tryClaim();
      if (index !== NO_PORT) this.#sendFrom(index);
      else if (!this.#isIdle) {
        this.#await();
        if (this.#badIndex === NO_PORT) continue;
        const fault = readFault(this.#side, this.#aimed(this.#badIndex), head);
        this.#fail(this.#badIndex, fault);
      }
    }
    this.#finish();
  }

  /** As {@linkcode run}, without blocking the event loop. */
  async runAsync(works: readonly CallWork[], head: CallHead): Promise<void> {
    this.#begin(works.slice(), head);
    const turns = new LoopTurns();
    while (this.#endedCount < this.#callCount) {
      // Answers that come at once are waited for without a turn of the event loop, however many.
      if (turns.isDue) await turns.take();
      const index = this.#isIdle ? await this.#claimFirstAsync() : this.#tryClaim();
      if (index !== NO_PORT) this.#sendFrom(index);
      else if (!this.#isIdle) {
        await this.#awaitAsync();
        if (this.#badIndex === NO_PORT) continue;
        const packet = this.#aimed(this.#badIndex);
        this.#fail(this.#badIndex, await readFaultAsync(this.#side, packet, head));
      }
    }
    this.#finish();
  }

  /** Whether no call is under way. */
  get #isIdle(): boolean {
    return this.#sentCount === this.#endedCount;
  }

  #begin(works: readonly CallWork[], head: CallHead): void {
    this.#works = works;
    this.#callCount = works.length;
    this.#head = head;
    this.#sentCount = 0;
    this.#endedCount = 0;
    this.#badIndex = NO_PORT;
  }

  /** Claims a port for the next call, waiting until one is free; none where that call has ended badly. */
  #claimFirst(): number {
    if (this.#endLate()) return NO_PORT;
    try {
      return this.#claim.claim(this.#head.opcode, this.#head.deadline);
    } catch (error) {
      return this.#endUnsent(error);
    }
  }

  async #claimFirstAsync(): Promise<number> {
    if (this.#endLate()) return NO_PORT;
    try {
      return await this.#claim.claimAsync(this.#head.opcode, this.#head.deadline);
    } catch (error) {
      return this.#endUnsent(error);
    }
  }

  /** Claims a port for the next call, if there is one and a port is free. */
  #tryClaim(): number {
    if (this.#sentCount === this.#callCount) return NO_PORT;
    if (this.#endLate()) return NO_PORT;
    try {
      return this.#claim.tryClaimInTurn(this.#head.opcode);
    } catch (error) {
      return this.#endUnsent(error);
    }
  }

  /**
   * Ends the calls that were not sent if the time is over: where answers come at once, no wait finds that. The
   * first are made as one is. Returns whether it is over.
   */
  #endLate(): boolean {
    const { deadline } = this.#head;
    if (this.#sentCount === 0 || deadline === undefined) return false;
    try {
      this.#side.checkTime(deadline, OPEN);
      return false;
    } catch (error) {
      while (this.#sentCount < this.#callCount) this.#endUnsent(error);
      return true;
    }
  }

  #endUnsent(error: unknown): typeof NO_PORT {
    this.#endBadly(this.#sentCount++, error);
    return NO_PORT;
  }

  /** Sends calls on a port that was claimed, and on others beside it that are free. */
  #sendFrom(index: number): void {
    const place = index >> 5;
    const countMax = this.#callCount - this.#sentCount - 1;
    const locked = 1 << (index & 31) | this.#claim.tryClaimBeside(index, countMax);
    let sent = 0;
    for (let rest = locked; rest !== 0; rest &= rest - 1) {
      if (this.#fill(lowestPort(place, rest))) sent |= rest & -rest;
    }
    if (sent !== locked) this.#side.unlockBits(place, locked & ~sent);
    this.#sent[place]! |= sent;
    if (sent !== 0) this.#side.giveAwayBits(place, sent);
  }

  /** Fills a packet for the next call; returns whether that went well. */
  #fill(index: number): boolean {
    const { opcode, mask } = this.#head;
    const call = this.#sentCount++;
    this.#side.begin(index, opcode, mask);
    this.#callAt[index] = call;
    const packet = this.#aimed(index);
    try {
      const filled: unknown = this.#works[call]!.fill(packet);
      if (filled !== undefined) packet.checkSync(filled, "a fill");
      return true;
    } catch (error) {
      this.#endBadly(call, error);
      return false;
    }
  }

  /** Waits until something has come back, and takes it. Blocks. */
  #await(): void {
    const { opcode, deadline } = this.#head;
    try {
      if (!this.#strategy) this.#side.awaitBuffer(this.#firstSent, opcode, deadline);
      else if (!this.#poll(this.#strategy.burstPolls)) return this.#awaitLong(this.#strategy);
    } catch (error) {
      this.#failSome(error);
    }
    this.#take();
  }

  #awaitLong({ pausesMin, pausesMax, parks }: Strategy): void {
    let pauses = pausesMin;
    for (let poll = 0; !this.#take(); poll++) {
      if (parks) this.#side.awaitFree(this, this.#sent);
      else {
        if (poll % POLLS === 0) this.check();
        pauses = pauseUpTo(pauses, pausesMax);
      }
    }
  }

  /** As {@linkcode #await}, without blocking the event loop. */
  async #awaitAsync(): Promise<void> {
    const { opcode, deadline } = this.#head;
    try {
      if (!this.#strategy) {
        await this.#side.awaitBufferAsync(this.#firstSent, opcode, deadline);
      } else if (!this.#poll(GLANCE_POLLS)) await this.#side.awaitFreeAsync(this, this.#sent);
    } catch (error) {
      this.#failSome(error);
    }
    this.#take();
  }

  /** Looks whether something has come back, about so many times. */
  #poll(count: number): boolean {
    for (let left = count; left > 0;) {
      for (let place = 0; place < this.#sent.length; place++) {
        const sent = this.#sent[place]!;
        if (sent === 0) continue;
        if (this.#side.mailboxes.ownedBits(place, sent) !== 0) return true;
        left -= this.#isByWord ? 1 : bitCount(sent);
      }
    }
    return false;
  }

  get #firstSent(): number {
    const place = this.#sent.findIndex((sent) => sent !== 0);
    return lowestPort(place, this.#sent[place]!);
  }

  /** Uses every good answer that came, and returns the ports of a word together; returns whether anything came. */
  #take(): boolean {
    let hasCome = false;
    this.#badIndex = NO_PORT;
    for (let place = 0; place < this.#sent.length; place++) {
      const sent = this.#sent[place]!;
      if (sent === 0) continue;
      let used = 0;
      for (let rest = this.#side.mailboxes.ownedBits(place, sent); rest !== 0; rest &= rest - 1) {
        const index = lowestPort(place, rest);
        hasCome = true;
        if (this.#side.isGood(index)) {
          used |= rest & -rest;
          this.#use(index);
        } else this.#badIndex = index;
      }
      if (used === 0) continue;
      this.#sent[place] = sent & ~used;
      this.#side.unlockBits(place, used);
    }
    return hasCome;
  }

  #use(index: number): void {
    const call = this.#callAt[index]!;
    const packet = this.#aimed(index);
    try {
      const used: unknown = this.#works[call]!.use(packet);
      if (used !== undefined) packet.checkSync(used, "a use");
      this.#endedCount++;
    } catch (error) {
      this.#endBadly(call, error);
    }
  }

  #aimed(index: number): Packet {
    const { lo, hi } = this.#head.mask;
    if (this.#packet.isDetached) this.#packet = new Packet(this.#side.views);
    this.#packet.aim(index, lo, hi);
    return this.#packet;
  }

  /**
   * Ends the calls that have no answer and may not wait for one any more.
   *
   * @param thrown what ended the wait; by another way to wait perhaps, whose error is of the call that it was for
   */
  #failSome(thrown: unknown): void {
    const waited = this.#strategy ? NO_PORT : this.#firstSent;
    for (let place = 0; place < this.#sent.length; place++) {
      for (let rest = this.#sent[place]!; rest !== 0; rest &= rest - 1) {
        const index = lowestPort(place, rest);
        if (this.#side.mailboxes.owns(index)) continue;
        try {
          this.#checkAt(index);
        } catch (error) {
          this.#fail(index, error);
          continue;
        }
        if (index === waited) this.#fail(index, thrown);
      }
    }
  }

  /** Throws when a call may not wait for its answer any more, as a guard of all of them. */
  check(): void {
    for (let place = 0; place < this.#sent.length; place++) {
      for (let rest = this.#sent[place]!; rest !== 0; rest &= rest - 1) {
        this.#checkAt(lowestPort(place, rest));
      }
    }
  }

  #checkAt(index: number): void {
    const { opcode, deadline } = this.#head;
    this.#side.checkTime(deadline, `receive on port ${index}`);
    this.#side.checkReply(index, opcode);
  }

  get leftMilliseconds(): number {
    return this.#head.deadline?.leftMilliseconds ?? Infinity;
  }

  get signal(): AbortSignal | undefined {
    return this.#head.deadline?.signal;
  }

  /** Ends a call that was sent, and returns its port. */
  #fail(index: number, error: unknown): void {
    this.#sent[index >> 5]! &= ~(1 << (index & 31));
    this.#side.unlock(index);
    this.#endBadly(this.#callAt[index]!, error);
  }

  #endBadly(call: number, error: unknown): void {
    this.#errors ??= Array(this.#callCount).fill(undefined);
    // In its place `undefined` would say that all went well.
    this.#errors[call] = error === undefined ? new Error("A callback threw undefined") : error;
    this.#endedCount++;
  }

  #finish(): void {
    const { opcode } = this.#head;
    const errors = this.#errors;
    this.#works = [];
    this.#errors = undefined;
    if (errors === undefined) return;
    const bad = errors.filter((error) => error !== undefined);
    const { name, message } = errorReport(bad[0]);
    throw new AggregateError(
      errors,
      `Cannot finish ${bad.length} of ${errors.length} calls of opcode ${opcode}: ${name}: ${message}`,
      { cause: bad[0] },
    );
  }
}
