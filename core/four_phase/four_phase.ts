import { WordFlags } from "../one_packet/flags.ts";
import {
  CallState,
  HandshakeClientSteps,
  type HandshakeFlags,
  HandshakeServerSteps,
} from "../one_packet/handshake.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { PacketProtocol } from "../one_packet/packet_format.ts";
import { type FourPhaseLayout, fourPhaseLayout } from "./layout.ts";
import type { WaiterName } from "../wait/strategy.ts";

/**
 * The four-phase protocol: calls over a shared memory of ports with two mailboxes each.
 */
export const FOUR_PHASE: PacketProtocol<FourPhaseLayout> = new PacketProtocol({
  kind: "portlab.four_phase",
  magic: 0x34504853, // "4PHS"
  layout: fourPhaseLayout,
  clientSteps: (channel, waiter) => new FourPhaseClientSteps(channel, flagsOf(channel), waiter),
  serverSteps: (channel) => new HandshakeServerSteps(channel, flagsOf(channel)),
});

/** The outboxes of PROTOCOL.md, each with the lock of its side. */
function flagsOf({ words, layout }: PacketChannel<FourPhaseLayout>): HandshakeFlags {
  return {
    client: new WordFlags(words, layout.clientOutboxWord),
    clientLock: new WordFlags(words, layout.clientLockWord),
    server: new WordFlags(words, layout.serverOutboxWord),
    serverLock: new WordFlags(words, layout.serverLockWord),
  };
}

/** The client's half of the four-phase protocol. */
export class FourPhaseClientSteps extends HandshakeClientSteps {
  /** Where the next search begins: at the port that was used last, which is likely free. */
  #home = 0;

  constructor(
    channel: PacketChannel<FourPhaseLayout>,
    flags: HandshakeFlags,
    waiter: WaiterName,
  ) {
    super(channel, flags, { inboxWord: channel.layout.serverOutboxWord, waiter });
  }

  /** Looks once at each port. Collects the garbage of asynchronous calls on the way. */
  tryClaim(): number | undefined {
    const { packetCount } = this.channel.layout;
    for (let count = 0; count < packetCount; count++) {
      const index = (this.#home + count) % packetCount;
      if (this.#tryClaimAt(index)) return this.#home = index;
    }
    return undefined;
  }

  #tryClaimAt(index: number): boolean {
    const glance = this.state(index);
    if (glance !== CallState.idle && glance !== CallState.answered) return false;
    if (!this.flags.clientLock.trySet(index)) return false;
    // Sync: looks again, under the lock. Another client may have posted here since the first look, and
    // its packet would be overwritten.
    const state = this.state(index);
    if (state === CallState.idle) return true;
    if (state === CallState.answered) this.retract(index);
    this.#unlock(index);
    return false;
  }

  /** Unlocks at "finished with result", without waiting for the server to clean up. */
  release(index: number): void {
    this.retract(index);
    this.#unlock(index);
  }

  drop(index: number): void {
    this.#unlock(index);
  }

  /** The port stays posted; a client that looks for a port later finds its result, and collects it. */
  leave(index: number): void {
    this.#unlock(index);
  }

  #unlock(index: number): void {
    this.flags.clientLock.clear(index);
    // Sync: after the unlock. A client that found the lock taken may sleep, and nothing else wakes it.
    this.channel.freeBell.ring();
  }
}
