import { PacketProtocol } from "../one_packet/packet_format.ts";
import { Phase, type StacksLayout, stacksLayout } from "./layout.ts";
import { Stacks } from "./stacks.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import type { ClientSteps, ServerSteps } from "../one_packet/packet_steps.ts";
import { InboxWaiter, type WaitGuard } from "../wait/inbox_waiter.ts";
import type { WaiterName } from "../wait/strategy.ts";

/**
 * Packet stacks: calls over a shared memory of packets that move between two stacks. A server takes all
 * ready packets at once, as in the original. If it stops serving, it keeps those that it has not served.
 */
export const PACKET_STACKS: PacketProtocol<StacksLayout> = new PacketProtocol({
  kind: "portlab.packet_stacks",
  magic: 0x5354414b, // "STAK"
  layout: stacksLayout,
  prepare(channel) {
    const stacks = new Stacks(channel);
    for (let index = channel.layout.packetCount - 1; index >= 0; index--) stacks.free(index);
  },
  clientSteps: (channel, waiter) => new StacksClientSteps(channel, waiter),
  serverSteps: (channel) => new StacksServerSteps(channel),
});

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

  tryClaim(): number | undefined {
    return this.#stacks.tryTakeFree();
  }

  post(index: number): void {
    const { words, layout } = this.#channel;
    // Sync: the phase before the push. Otherwise a quick server could answer first, and the phase set
    // afterwards would hide that answer forever.
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

  /** The last one frees the packet: the server, or this client if the answer is there. */
  leave(index: number): void {
    const { words, layout } = this.#channel;
    const phaseWord = layout.phaseWord + index;
    // Sync: pairs with the server's exchange: the two agree which was last. With a load and a store, both
    // could free the packet, or neither.
    const held = words.compareExchange(phaseWord, Phase.ready, Phase.left);
    if (held !== Phase.ready) this.#stacks.free(index);
  }
}

/** The server's half of the packet stacks. */
export class StacksServerSteps implements ServerSteps {
  readonly #channel: PacketChannel<StacksLayout>;
  readonly #stacks: Stacks;
  /** The packets that this server has taken but not yet served, newest first. */
  #taken: number[] = [];

  constructor(channel: PacketChannel<StacksLayout>) {
    this.#channel = channel;
    this.#stacks = new Stacks(channel);
  }

  /** The oldest of the packets that this server holds; takes all ready ones when it holds none. */
  tryTake(): number | undefined {
    if (this.#taken.length === 0) this.#taken = this.#stacks.takeReady().reverse();
    return this.#taken.pop();
  }

  answer(index: number): void {
    const { words, layout } = this.#channel;
    // Sync: publishes the answer. Pairs with the client's load, which could otherwise see its own request,
    // and with its leave(): the two agree which frees the packet. The wake comes last.
    const held = words.exchange(layout.phaseWord + index, Phase.answered);
    if (held === Phase.left) this.#stacks.free(index);
    else this.#channel.wake(index);
  }
}
