import type { Owner, Vulkan } from "../vulkan/vulkan.ts";
import type { LiveDispatchOptions } from "./live_pipeline.ts";

const SUCCESS = 0;
const NOT_READY = 1;
const TIMEOUT = 2;
const NANOSECONDS = 1e9;
const POLL_MILLISECONDS = 1;

/** How long waves may take to leave after they were told to. */
export const LEAVE_MILLISECONDS = 5000;

/** How far the waves of a run have come. */
export interface WaveCounts {
  readonly waveCount: number;
  readonly begunCount: number;
  readonly endedCount: number;
}

/** Says how many waves have begun. */
export function begun({ waveCount, begunCount }: WaveCounts): string {
  return `${begunCount} of ${waveCount} waves have begun`;
}

/**
 * Of waves that have not left in time.
 *
 * @param loop what keeps waves that have begun
 */
export function endlessError(what: string, loop: string, counts: WaveCounts): DOMException {
  const count = counts.begunCount - counts.endedCount;
  const why = count > 0
    ? `${loop} cannot be interrupted`
    : "they wait for what else the device runs, one at a time";
  return new DOMException(
    `Cannot end ${what} as ${count || counts.waveCount - counts.endedCount} waves have not left ${
      LEAVE_MILLISECONDS / 1000
    } s after they were told to: ${why}; ${begun(counts)}`,
    "TimeoutError",
  );
}

/** @throws {RangeError} when it is less than 0, or no number */
export function checkSeconds(option: Readonly<Record<string, number>>): void {
  for (const [name, seconds] of Object.entries(option)) {
    if (seconds >= 0) continue;
    throw new RangeError(
      `Cannot run a pipeline as ${name} must be 0 or more: current value is ${seconds}`,
    );
  }
}

/** What a run is made of; the stack is what ends with it. */
interface RunParts extends Owner, Required<Pick<LiveDispatchOptions, "stop" | "leaveSeconds">> {
  readonly vulkan: Vulkan;
  readonly fence: bigint;
}

/** A dispatch under way. */
export class LiveRun {
  readonly #parts: RunParts;

  /** @internal For `LivePipeline`. */
  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /**
   * Whether all its waves have ended. Asks the device, and frees what the run has taken once it is so.
   *
   * @throws {VulkanError} when the device was lost
   */
  get isDone(): boolean {
    return this.#isOver(this.#status(), { throwsWhenLost: true });
  }

  /** Tells the waves to leave, by the function that the dispatch was given. */
  stop(): void {
    this.#parts.stop();
  }

  /**
   * Blocks this thread until all waves have ended.
   *
   * @returns whether they have, within the time
   * @throws {RangeError} when that is less than 0, or no number
   * @throws {VulkanError} when the device was lost
   */
  wait(limitSeconds: number): boolean {
    return this.#isOver(this.#waited(limitSeconds), { throwsWhenLost: true });
  }

  /**
   * Waits until all waves have ended, and lets this thread do other things meanwhile, such as serving
   * them.
   *
   * @throws {VulkanError} when the device was lost
   * @throws the signal's reason, when that is aborted first
   */
  async finished(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    // A call of Vulkan's that waits in another thread would keep a program from ending.
    while (!this.isDone) {
      options.signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  /**
   * Ends the run: tells the waves to leave, if they have not yet, and waits for that. Once.
   *
   * @throws {DOMException} `TimeoutError` when they do not; the run goes on, and so may this be called again
   */
  [Symbol.dispose](): void {
    if (this.#isOver(this.#status())) return;
    this.stop();
    const { leaveSeconds } = this.#parts;
    if (this.#isOver(this.#waited(leaveSeconds))) return;
    throw new DOMException(
      `Cannot end a kernel as its waves have not left ${leaveSeconds} s after they were told to: ` +
        "let each of its loops look at a word that says so, which the dispatch's stop sets",
      "TimeoutError",
    );
  }

  #status(): number {
    const { vulkan, device, fence, stack } = this.#parts;
    return stack.disposed ? SUCCESS : vulkan.symbols.vkGetFenceStatus(device, fence);
  }

  #waited(limitSeconds: number): number {
    checkSeconds({ limitSeconds });
    const { vulkan: { arena, symbols }, device, fence, stack } = this.#parts;
    if (stack.disposed) return SUCCESS;
    const nanoseconds = BigInt(Math.ceil(Math.min(limitSeconds, 1e9) * NANOSECONDS));
    return arena.scope(() =>
      symbols.vkWaitForFences(device, 1, arena.array([fence]), 1, nanoseconds)
    );
  }

  /** A lost device runs nothing any more: then a run is over, too. */
  #isOver(result: number, { throwsWhenLost = false } = {}): boolean {
    if (result === NOT_READY || result === TIMEOUT) return false;
    this.#parts.stack.dispose();
    if (throwsWhenLost) this.#parts.vulkan.check("a kernel", result);
    return true;
  }
}
