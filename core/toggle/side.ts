/** The two ends of a channel. */
export type Side = "client" | "server";

/**
 * The rule that everything stands on: who may touch the packet of a port.
 *
 * | inbox | outbox | client | server |
 * | ----- | ------ | ------ | ------ |
 * | 0     | 0      | owns   | waits  |
 * | 0     | 1      | waits  | owns   |
 * | 1     | 0      | waits  | owns   |
 * | 1     | 1      | owns   | waits  |
 *
 * A side owns the buffer until it flips its own outbox. Source: the toggle protocol of LLVM libc
 * (`shared/rpc.h`, `buffer_unavailable`).
 *
 * @param inbox 0 or 1, the other side's mailbox
 * @param outbox 0 or 1, this side's mailbox
 */
export function ownsBuffer(
  side: Side,
  mailboxes: { readonly inbox: number; readonly outbox: number },
): boolean {
  const equal = mailboxes.inbox === mailboxes.outbox;
  return side === "client" ? equal : !equal;
}
