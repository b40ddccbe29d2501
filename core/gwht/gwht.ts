import { BitFlags } from "../one_packet/flags.ts";
import {
  CallState,
  HandshakeClientSteps,
  type HandshakeFlags,
  HandshakeServerSteps,
} from "../one_packet/handshake.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { PacketProtocol } from "../one_packet/packet_format.ts";
import { type GwhtLayout, gwhtLayout } from "./layout.ts";
import { PORT_PLACES } from "../memory/regions.ts";
import type { WaiterName } from "../wait/strategy.ts";

/**
 * GWHT: calls over a shared memory of slots with four booleans each, GPU, WAVE, HOST and THREAD.
 */
export const GWHT: PacketProtocol<GwhtLayout> = new PacketProtocol({
  kind: "portlab.gwht",
  magic: 0x47574854, // "GWHT"
  layout: gwhtLayout,
  clientSteps: (channel, waiter) => new GwhtClientSteps(channel, flagsOf(channel), waiter),
  serverSteps: (channel) => new HandshakeServerSteps(channel, flagsOf(channel)),
});

/** The bits of PROTOCOL.md: clients write G and W, servers write H and T. */
function flagsOf({ words, layout }: PacketChannel<GwhtLayout>): HandshakeFlags<BitFlags> {
  return {
    client: new BitFlags(words, layout.gpuWord),
    clientLock: new BitFlags(words, layout.waveWord),
    server: new BitFlags(words, layout.hostWord),
    serverLock: new BitFlags(words, layout.threadWord),
  };
}

/** The client's half of GWHT: the bits G and W. */
export class GwhtClientSteps extends HandshakeClientSteps {
  readonly #wave: BitFlags;
  /** Slots whose client has left. The client that clears the bit ends the call in its place. */
  readonly #left: BitFlags;

  constructor(
    channel: PacketChannel<GwhtLayout>,
    flags: HandshakeFlags<BitFlags>,
    waiter: WaiterName,
  ) {
    const { words, layout: { hostWord, leftWord } } = channel;
    super(channel, flags, { inboxWord: hostWord, inboxPlaces: PORT_PLACES.bit, waiter });
    this.#wave = flags.clientLock;
    this.#left = new BitFlags(words, leftWord);
  }

  /** Looks once at each slot. Ends calls whose client has left on the way. */
  tryClaim(): number | undefined {
    const { packetCount } = this.channel.layout;
    for (let index = 0; index < packetCount; index++) {
      if (this.#wave.has(index)) this.#collect(index);
      // Sync: raising W makes the slot ours, with G and H clear. If several clients try, one succeeds and
      // the others go on to another slot.
      if (!this.#wave.has(index) && this.#wave.trySet(index)) return index;
    }
    return undefined;
  }

  /** Takes the next step of a call whose client has left, if one is possible now. */
  #collect(index: number): void {
    if (!this.#left.has(index) || !this.#isCollectable(this.state(index))) return;
    // Sync: the client that clears the bit acts for the one that left. It looks again afterwards: another
    // may have ended that call, and the slot may be in the next one.
    if (!this.#left.tryClear(index)) return;
    const state = this.state(index);
    if (state === CallState.idle) return this.drop(index);
    if (state === CallState.answered) this.retract(index);
    this.leave(index);
  }

  #isCollectable(state: CallState): boolean {
    return state === CallState.idle || state === CallState.answered;
  }

  /**
   * Clears G and leaves. W goes down after G, or a new call could begin while the server still sees the
   * old G; and only after the server has cleared H. A client that needs the slot does that later, so that
   * this one need not wait.
   */
  release(index: number): void {
    this.retract(index);
    this.leave(index);
  }

  /** Clears W: the last step, when G and H are clear. The next client finds all four bits clear. */
  drop(index: number): void {
    this.#wave.clear(index);
    this.channel.freeBell.ring();
  }

  /** The slot goes on without its client. */
  leave(index: number): void {
    // Sync: after all that this client did with the slot; the one that clears the bit continues from
    // there. The ring comes last: a client that saw the slot without the bit may sleep by now.
    this.#left.set(index);
    this.channel.freeBell.ring();
  }
}
