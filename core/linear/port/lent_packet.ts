import { assert } from "../../memory/assert.ts";
import type { Packet } from "../../memory/packet.ts";
import type { PacketWork } from "../../memory/packet.ts";

/**
 * Lends the packet to `work`: what `work` kept of it refuses every access once `work` has returned,
 * because the packet may be the other side's by then, or another call's. The typed arrays and views
 * that a packet gives out are plain memory, and stay writable.
 */
export function lending(work: PacketWork): PacketWork {
  return (packet) => {
    const loan = { isOver: false };
    const lent = new Proxy(packet, { get: (_, key) => lentProperty(packet, key, loan) });
    try {
      const result = work(lent);
      // Whoever looks whether the result is a promise would use the packet after its time.
      return result === lent ? undefined : result;
    } finally {
      loan.isOver = true;
    }
  };
}

/** Methods are lent, too: one that was taken from the packet is refused like the packet. */
function lentProperty(packet: Packet, key: string | symbol, loan: { readonly isOver: boolean }) {
  assertLent(loan);
  const value: unknown = Reflect.get(packet, key, packet);
  if (typeof value !== "function") return value;
  return (...inputs: readonly unknown[]) => {
    assertLent(loan);
    return Reflect.apply(value, packet, inputs);
  };
}

function assertLent(loan: { readonly isOver: boolean }): void {
  assert(!loan.isOver, "a packet is used inside the callback that it was given to");
}
