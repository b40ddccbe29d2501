import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import { type ClientSteps, NO_PACKET } from "../../one_packet/packet_steps.ts";
import { InboxWaiter, type WaitGuard } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { Phase, type StacksLayout } from "../layout.ts";
import { Stacks } from "../stacks.ts";

/** The client's half of the packet stacks. */
export class StacksClientSteps implements ClientSteps {
  readonly #channel: PacketChannel<StacksLayout>;
  readonly #stacks: Stacks;
  readonly #waiter: InboxWaiter;

  constructor(channel: PacketChannel<StacksLayout>, waiter: WaiterName) {
    const { words, layout } = channel;
    this.#channel = channel;
    this.#stacks = new Stacks(channel);
    const boxes = { inboxWord: layout.phaseWord, parkedWord: layout.parkedWord };
    this.#waiter = new InboxWaiter(words, boxes, waiter);
  }

  tryClaim(): number {
    return this.#stacks.tryTakeFree() ?? NO_PACKET;
  }

  post(index: number): void {
    const { words, layout } = this.#channel;
    // Sync: the phase before the push: a server that is quick would answer first, and the phase that
    // is set afterwards would hide the answer for good.
    words.store(layout.phaseWord + index, Phase.ready);
    this.#stacks.pushReady(index);
  }

  isAnswered(index: number): boolean {
    const { words, layout } = this.#channel;
    // Sync: pairs with the server's exchange: seeing it makes the answer visible.
    return words.load(layout.phaseWord + index) !== Phase.ready;
  }

  awaitAnswer(index: number, guard: WaitGuard): void {
    this.#waiter.wait(index, Phase.ready, guard);
  }

  awaitAnswerAsync(index: number, guard: WaitGuard): Promise<void> {
    return this.#waiter.waitAsync(index, Phase.ready, guard);
  }

  release(index: number): void {
    this.#stacks.free(index);
  }

  drop(index: number): void {
    this.#stacks.free(index);
  }

  /** Whoever comes last frees the packet: the server, or this client if the answer is there. */
  leave(index: number): void {
    const { words, layout } = this.#channel;
    const phaseWord = layout.phaseWord + index;
    // Sync: pairs with the server's exchange, so that the two agree who was last. With a load and a
    // store, both could free the packet, or neither.
    const held = words.compareExchange(phaseWord, Phase.ready, Phase.left);
    if (held !== Phase.ready) this.#stacks.free(index);
  }
}
