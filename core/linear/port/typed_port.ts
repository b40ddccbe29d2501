import type { PacketWork } from "../../memory/packet.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import type { Either } from "../maybe.ts";

/** The value of a mailbox. */
export type Bit = 0 | 1;

/** The other value: `!S` in hostrpc's signatures. */
export type Not<B extends Bit> = B extends 0 ? 1 : 0;

/**
 * A port whose packet is on this side: inbox and outbox are equal, both `Parity`.
 *
 * An object of this type is used once: `send` and `close` consume it. What is consumed refuses
 * every further operation, and so says which line consumed it, when checks are on.
 *
 * | operation | consumes? | bounded? | can it say no? |
 * | --- | --- | --- | --- |
 * | `use` | no | yes | no |
 * | `send` | yes | yes | no |
 * | `close` | yes | yes | no |
 *
 * @typeParam Parity what both mailboxes hold
 *
 * @example A function for either parity
 * ```ts
 * import type { Bit, OwnedPort, SentPort } from "./typed_port.ts";
 * function sendNumber<S extends Bit>(port: OwnedPort<S>, value: number): SentPort<S> {
 *   return port.send((packet) => packet.setFloat64(0, 0, value));
 * }
 * if (sendNumber.length !== 2) throw new Error("takes the port and the number");
 * ```
 */
export interface OwnedPort<Parity extends Bit> extends Disposable {
  /** Which port of the channel this is, 0 to `portCount - 1`. */
  readonly index: number;
  /** The other side's mailbox as this side sees it. */
  readonly inbox: Parity;
  /** This side's mailbox. */
  readonly outbox: Parity;
  /** Works on the packet; any number of times. */
  use(work: PacketWork): void;
  /** Gives the packet to the other side, after a last piece of work on it. */
  send(fill?: PacketWork): SentPort<Parity>;
  /** Returns the port. */
  close(): void;
}

/**
 * A port whose packet is on the other side: the inbox is `Parity`, the outbox its opposite.
 *
 * Used once, too: `recv`, `query` and `close` consume it. A `recv` that throws, because the other
 * side refused, left or did not answer in time, has closed the port: there is nobody to give it to.
 *
 * | operation | consumes? | bounded? | can it say no? |
 * | --- | --- | --- | --- |
 * | `recv`, `recvAsync` | yes | no | no |
 * | `query` | yes | yes | yes: its {@linkcode Either} holds this port again |
 * | `close` | yes | yes | no |
 *
 * @typeParam Parity what the inbox holds
 */
export interface SentPort<Parity extends Bit> extends Disposable {
  /** Which port of the channel this is, 0 to `portCount - 1`. */
  readonly index: number;
  /** The other side's mailbox as this side last saw it. */
  readonly inbox: Parity;
  /** This side's mailbox. */
  readonly outbox: Not<Parity>;
  /** Waits until the packet is back, and does a first piece of work on it. Blocks. */
  recv(use?: PacketWork, options?: WaitOptions): OwnedPort<Not<Parity>>;
  /** As {@linkcode recv}, without blocking the event loop. */
  recvAsync(
    this: SentPort<Parity>,
    use?: PacketWork,
    options?: WaitOptions,
  ): Promise<OwnedPort<Not<Parity>>>;
  /** On a partial port: one promise of both parities, which `then` can take further. */
  recvAsync(
    this: PartialPort<false>,
    use?: PacketWork,
    options?: WaitOptions,
  ): Promise<PartialPort<true>>;
  /** Looks once whether the packet is back. */
  query(): Either<SentPort<Parity>, OwnedPort<Not<Parity>>>;
  /** Returns the port; the call goes on without this side. */
  close(): void;
}

/**
 * A port with its two mailboxes in the type: hostrpc's `typed_port<I, O>`. Equal bits are an
 * {@linkcode OwnedPort}, different ones a {@linkcode SentPort}; a method that the state does not
 * allow is not there.
 *
 * The bits are those of the shared memory, on the client. A server reads its inbox inverted, as in
 * hostrpc, so that on both sides "equal" says "mine".
 *
 * @example The states of a call
 * ```ts
 * import type { TypedPort } from "./typed_port.ts";
 * function call(opened: TypedPort<0, 0>): void {
 *   const sent: TypedPort<0, 1> = opened.send();
 *   const back: TypedPort<1, 1> = sent.recv();
 *   back.close();
 * }
 * if (call.length !== 1) throw new Error("takes the port");
 * ```
 */
export type TypedPort<Inbox extends Bit, Outbox extends Bit> = Inbox extends Bit
  ? Outbox extends Bit ? Inbox extends Outbox ? OwnedPort<Inbox> : SentPort<Inbox>
  : never
  : never;

/**
 * A port of which the type says only whose the packet is; the parity is known at run time. This is
 * what `open` gives, because a free port rests at either parity.
 *
 * It is the union of the two typed ports, so that a typed port is a partial one already, and
 * looking at `inbox` makes a partial port typed: hostrpc's conversions, without a call.
 *
 * @example There and back, for either parity
 * ```ts
 * import type { PartialPort, TypedPort } from "./typed_port.ts";
 * function parityOf(port: PartialPort<true>): string {
 *   if (port.inbox === 0) {
 *     const low: TypedPort<0, 0> = port;
 *     const again: PartialPort<true> = low;
 *     return `low ${again.index}`;
 *   }
 *   const high: TypedPort<1, 1> = port;
 *   return `high ${high.index}`;
 * }
 * if (parityOf.length !== 1) throw new Error("takes the port");
 * ```
 */
export type PartialPort<Owned extends boolean> = Owned extends true ? OwnedPort<0> | OwnedPort<1>
  : SentPort<0> | SentPort<1>;
