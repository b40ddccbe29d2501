import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import { NO_PACKET, type ServerSteps } from "../../one_packet/packet_steps.ts";
import { Phase, type StacksLayout } from "../layout.ts";
import { Stacks } from "../stacks.ts";

/** The server's half of the packet stacks. */
export class StacksServerSteps implements ServerSteps {
  readonly #channel: PacketChannel<StacksLayout>;
  readonly #stacks: Stacks;
  /** Packets that this server has taken and not yet served, newest first. */
  #taken: number[] = [];

  constructor(channel: PacketChannel<StacksLayout>) {
    this.#channel = channel;
    this.#stacks = new Stacks(channel);
  }

  /** The oldest packet of those that were taken at once; takes all that are ready when there is none. */
  tryTake(): number {
    if (this.#taken.length === 0) this.#taken = this.#stacks.takeReady().reverse();
    return this.#taken.pop() ?? NO_PACKET;
  }

  answer(index: number): void {
    const { words, layout } = this.#channel;
    // Sync: publishes the answer. Pairs with the client's load, which could else see its own request;
    // and with its leave(), so that the two agree who frees the packet. The wake comes after it.
    const held = words.exchange(layout.phaseWord + index, Phase.answered);
    if (held === Phase.left) this.#stacks.free(index);
    else this.#channel.wake(index);
  }
}
