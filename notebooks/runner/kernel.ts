import { CellOutputs } from "./cell_outputs.ts";
import { writeConnectionFile } from "./wire/connection_file.ts";
import { KernelChannels } from "./kernel_channels.ts";
import { KernelProcess } from "./kernel_process.ts";

const START_ATTEMPTS_MAX = 3;
const START_SECONDS_MAX = 60;
/** How long nothing must come before a cell that is over counts as complete. */
const QUIET_MILLISECONDS = 150;
/** The same for a cell that has to show something and has not: a busy machine may be late. */
const MISSING_MILLISECONDS = 3000;
const SHUTDOWN_MILLISECONDS = 2000;

export interface ExecuteOptions {
  /** After this the kernel is killed and the call rejects with a `Deno.errors.TimedOut`. */
  readonly limitSeconds: number;
  /** Whether to wait longer for the first output. */
  readonly expectsOutput: boolean;
}

/**
 * A running Deno kernel, spoken to as any Jupyter front end does. Disposing of it ends the process.
 *
 * @example
 * ```ts
 * import { Kernel } from "./kernel.ts";
 * await using kernel = await Kernel.start({ folder: "." });
 * const cell = await kernel.execute("1 + 1", { limitSeconds: 60, expectsOutput: true });
 * if (cell.outputs[0]?.output_type !== "execute_result") throw new Error("1 + 1 has a result");
 * ```
 */
export class Kernel implements AsyncDisposable {
  readonly #process: KernelProcess;
  readonly #channels: KernelChannels;

  private constructor(process: KernelProcess, channels: KernelChannels) {
    this.#process = process;
    this.#channels = channels;
    const fail = () => channels.incoming.fail(process.ended.reason);
    if (process.ended.aborted) fail();
    else process.ended.addEventListener("abort", fail, { once: true });
  }

  /** Starts a kernel whose cells have `folder` as the current one, and waits until it answers. */
  static async start({ folder }: { readonly folder: string }): Promise<Kernel> {
    for (let attempt = 1;; attempt++) {
      try {
        return await Kernel.#startOnce(folder);
      } catch (error) {
        // Another program may have taken one of the ports in the meantime.
        if (attempt === START_ATTEMPTS_MAX) throw error;
      }
    }
  }

  static async #startOnce(folder: string): Promise<Kernel> {
    const connection = await writeConnectionFile();
    const process = new KernelProcess(connection.path, folder);
    try {
      const limit = AbortSignal.timeout(START_SECONDS_MAX * 1000);
      const signal = AbortSignal.any([limit, process.ended]);
      return new Kernel(process, await KernelChannels.connect(connection, signal));
    } catch (error) {
      await process.end({ graceMilliseconds: 0 });
      throw error;
    } finally {
      await Deno.remove(connection.path);
    }
  }

  /** Runs one cell to its end. An error in the cell is an output; this rejects where the kernel fails. */
  async execute(code: string, options: ExecuteOptions): Promise<CellOutputs> {
    const deadline = performance.now() + options.limitSeconds * 1000;
    const cell = new CellOutputs(await this.#channels.execute(code));
    for (;;) {
      const leftMilliseconds = deadline - performance.now();
      if (leftMilliseconds <= 0) throw await this.#timedOut(options.limitSeconds);
      const isMissing = options.expectsOutput && !cell.isVisible;
      const quietMilliseconds = isMissing ? MISSING_MILLISECONDS : QUIET_MILLISECONDS;
      const message = await this.#channels.incoming.next(
        cell.isOver ? quietMilliseconds : leftMilliseconds,
      );
      if (message) cell.accept(message);
      else if (cell.isOver) return cell;
    }
  }

  /** Asks the kernel to end, and ends it where it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    // Where the process is gone already, there is nobody left to ask.
    await this.#channels.shutDown().catch(() => {});
    await this.#process.end({ graceMilliseconds: SHUTDOWN_MILLISECONDS });
    this.#channels[Symbol.dispose]();
  }

  async #timedOut(limitSeconds: number): Promise<Error> {
    await this.#process.end({ graceMilliseconds: 0 });
    return new Deno.errors.TimedOut(
      `Cannot wait for the cell any longer: the limit is ${limitSeconds} s`,
    );
  }
}
