import { lowestPort, placesWordCount, PORT_PLACES } from "../../memory/regions.ts";
import { type CallWork, Packet, type PacketWork } from "../../memory/packet.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import { GLANCE_POLLS } from "../../wait/tuning.ts";
import type { CallHead } from "./client_port.ts";
import type { ClientSide } from "./client_side.ts";
import { readFaultAsync } from "./fault_reader.ts";
import type { PortClaim } from "./port_claim.ts";

/**
 * The asynchronous calls of one client: those of `Client.callAsync`. Internal.
 *
 * Where mailboxes share words, what is filled in one turn of the event loop is sent together when the turn
 * ends, with one flip for each word and one ring; elsewhere at once, as that would save nothing. When the
 * turn ends the client looks for the answers for about a microsecond, which is less than going to sleep and
 * being woken takes; what comes later is waited for one by one.
 */
export class GatheredCalls {
  readonly #side: ClientSide;
  readonly #claim: PortClaim;
  readonly #sendsTogether: boolean;
  /** A bit for each port that was filled in this turn. */
  readonly #filled: Int32Array;
  /** Settles when they were sent and looked for. */
  #sent: Promise<void> | undefined;
  /** As answers that come at once are taken without a turn of the event loop, call after call. */
  readonly #turns = new LoopTurns();
  /** Used again, as no callback waits; absent while one runs. */
  #spare: Packet | undefined;

  constructor(side: ClientSide, claim: PortClaim) {
    this.#side = side;
    this.#claim = claim;
    const { portCount, mailboxWidth } = side.channel.layout;
    this.#sendsTogether = mailboxWidth === "bit";
    this.#filled = new Int32Array(placesWordCount(PORT_PLACES.bit, portCount));
  }

  /** Makes a call: open, send, receive, close. */
  async call(work: CallWork, head: CallHead): Promise<void> {
    const { opcode, mask, deadline } = head;
    const side = this.#side;
    let index = this.#claim.tryClaimInTurn(opcode);
    if (index === NO_PORT) index = await this.#claim.claimAsync(opcode, deadline);
    try {
      side.begin(index, opcode, mask);
      this.#work(index, head, work.fill);
      await this.#send(index);
      if (!side.mailboxes.owns(index)) await side.awaitBufferAsync(index, opcode, deadline);
      if (!side.isGood(index)) {
        const packet = new Packet(side.views);
        packet.aim(index, mask.lo, mask.hi);
        throw await readFaultAsync(side, packet, head);
      }
      this.#work(index, head, work.use);
    } finally {
      side.unlock(index);
    }
  }

  #work(index: number, { mask }: CallHead, callback: PacketWork): void {
    const packet = this.#spare ?? new Packet(this.#side.views);
    this.#spare = undefined;
    packet.aim(index, mask.lo, mask.hi);
    const result: unknown = callback(packet);
    if (result !== undefined) packet.checkSync(result, "a callback");
    this.#spare = packet;
  }

  #send(index: number): Promise<void> {
    this.#filled[index >> 5]! |= 1 << (index & 31);
    if (!this.#sendsTogether) this.#side.giveAwayAwake(index);
    return this.#sent ??= this.#endTurn();
  }

  async #endTurn(): Promise<void> {
    await undefined;
    this.#sent = undefined;
    for (let place = 0; this.#sendsTogether && place < this.#filled.length; place++) {
      const filled = this.#filled[place]!;
      if (filled !== 0) this.#side.giveAwayBits(place, filled);
    }
    let polls = GLANCE_POLLS;
    for (let place = 0; place < this.#filled.length; place++) {
      for (let rest = this.#filled[place]!; rest !== 0 && polls > 0; polls--) {
        if (this.#side.mailboxes.owns(lowestPort(place, rest))) rest &= rest - 1;
      }
    }
    this.#filled.fill(0);
    if (this.#turns.isDue) await this.#turns.take();
  }
}
