import { LoopTurns } from "../../wait/loop_turns.ts";
import type { PortWaiter, WaitGuard } from "../../wait/inbox_waiter.ts";
import type { Readback } from "../device/readback.ts";
import type { EpochCycle } from "./epoch_cycle.ts";
import type { KernelPipeline } from "./kernel_pipeline.ts";

/** Consecutive epochs without a packet after which a handler stops waiting for its wave. */
const SILENT_EPOCHS_MAX = 8;

/**
 * Waits for the next packet of a call, which its wave sends in a later epoch. A synchronous handler
 * blocks the run, so the waiter itself runs epochs, which requires eager readback. An asynchronous
 * handler lets the run continue.
 */
export class HandlerWaiter implements PortWaiter {
  readonly #pipeline: KernelPipeline;
  readonly #cycle: EpochCycle;
  readonly #readback: Readback;

  constructor(pipeline: KernelPipeline, cycle: EpochCycle, readback: Readback) {
    this.#pipeline = pipeline;
    this.#cycle = cycle;
    this.#readback = readback;
  }

  get isAsyncOnly(): boolean {
    return this.#readback.name === "awaited";
  }

  wait(index: number, foreign: number, guard: WaitGuard): void {
    try {
      this.#runEpochs(index, foreign, guard);
    } catch (error) {
      this.#cycle.totals.addWaitError(error as Error);
      throw error;
    }
  }

  /** Whether a port's packet has not come. */
  #isForeign(index: number, foreign: number): boolean {
    const { words, layout: { clientOutboxWord, mailboxStride } } =
      this.#pipeline.deviceChannel.channel;
    // Sync: pairs with ChannelDownload.take(), in this very thread: the packet came before the word.
    return words.load(clientOutboxWord + index * mailboxStride) === foreign;
  }

  #runEpochs(index: number, foreign: number, guard: WaitGuard): void {
    let silentCount = 0;
    if (this.#pipeline.deviceChannel.goOn(index)) return;
    while (this.#isForeign(index, foreign)) {
      guard.check();
      if (!this.#cycle.isRunning || silentCount === SILENT_EPOCHS_MAX) {
        throw leftByItsWave();
      }
      const sentCount = this.#readback.run(this.#cycle.epoch());
      silentCount = sentCount > 0 || this.#cycle.isLimited ? 0 : silentCount + 1;
    }
  }

  /** Waits while `runAsync()` continues with its epochs. */
  async waitAsync(index: number, foreign: number, guard: WaitGuard): Promise<void> {
    const turns = new LoopTurns();
    this.#pipeline.deviceChannel.goOn(index);
    while (this.#isForeign(index, foreign)) {
      guard.check();
      guard.signal?.throwIfAborted();
      guard.end?.check();
      if (!this.#cycle.isRunning || !this.#cycle.isActive) throw leftByItsWave();
      await turns.take();
    }
    guard.end?.check();
  }
}

function leftByItsWave(): Error {
  return new Error("Cannot wait for another packet of the call as its wave has left it");
}
