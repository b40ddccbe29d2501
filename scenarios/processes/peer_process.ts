import { SharedWords } from "../../core/memory/words.ts";
import { endProcess } from "../../core/system/child.ts";
import { MappedFile } from "../../core/system/mapped_file.ts";
import { newMemory } from "../../core/toggle/channel_handle.ts";
import type { PreparedWork } from "../partner/partner.ts";
import { PartnerState, STATE_BYTES } from "../partner/partner_state.ts";
import type { PeerInit } from "./process_work.ts";

/**
 * state    as PartnerState has it   the peer writes
 * order    1 u32                    its parent writes: the number of the wake that the peer is to work for
 */
const ORDER_WORD = STATE_BYTES / 4;
const MEMORY_BYTES = 65_536;
/** How long a peer that rests sleeps between two looks at its orders. */
const LOOK_MILLISECONDS = 4;

/** What both ends map. */
class PeerMemory {
  readonly state: PartnerState;
  readonly #words: SharedWords;

  constructor(file: MappedFile) {
    const { buffer } = newMemory(MEMORY_BYTES);
    file.mapOver(buffer, { bufferByte: 0, fileByte: 0, bytes: MEMORY_BYTES });
    this.state = new PartnerState(buffer);
    this.#words = new SharedWords(buffer);
  }

  /** The parent's: begins a piece of work. */
  order(number: number): void {
    // Sync: pairs with the load of awaitOrder(), which looks again after each nap.
    this.#words.store(ORDER_WORD, number);
  }

  /** The peer's: returns the next order. Blocks. */
  awaitOrder(last: number): number {
    for (;;) {
      // Sync: as order(). A notify of another process wakes nobody, so time ends the sleep.
      const order = this.#words.load(ORDER_WORD);
      if (order !== last) return order;
      this.#words.wait(ORDER_WORD, last, LOOK_MILLISECONDS);
    }
  }
}

/** A process at the other end of a trial, as the partner is a thread: it works from `wake()` to `rest()`. */
export class PeerProcess implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #memory: PeerMemory;
  #orderCount = 0;

  private constructor(stack: AsyncDisposableStack, memory: PeerMemory) {
    this.#stack = stack;
    this.#memory = memory;
  }

  /**
   * Starts it; returns when it has prepared its work.
   *
   * @param cpu the processor that it stays on; any when absent
   * @throws {Error} when it ends before; it has said why on the standard error
   */
  static async start(init: PeerInit, cpu?: number): Promise<PeerProcess> {
    await using stack = new AsyncDisposableStack();
    const file = stack.use(MappedFile.create(MEMORY_BYTES));
    const memory = new PeerMemory(file);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-check", new URL("./peer_main.ts", import.meta.url).href],
        ...[String(Deno.pid), file.path, JSON.stringify(init), String(cpu ?? "")],
      ],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    stack.defer(async () => {
      endProcess(child);
      await child.status;
    });
    const said = child.stdout.getReader();
    stack.defer(() => said.cancel());
    const { done } = await said.read();
    if (!done) return new PeerProcess(stack.move(), memory);
    throw new Error("Cannot call another process as it ended before it was ready");
  }

  /**
   * As of what a partner has prepared.
   *
   * @param signalRest makes the work return; called again and again until it has
   */
  work(signalRest: () => void): PreparedWork {
    return {
      wake: () => {
        this.#memory.order(++this.#orderCount);
        this.#memory.state.awaitBegun(this.#orderCount);
      },
      rest: () => this.#memory.state.awaitIdle(signalRest),
    };
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** What the peer's process does, whenever it is told. Blocks, and does not return. */
export function workOnOrders(path: string, work: () => void): never {
  using file = MappedFile.open(path);
  const memory = new PeerMemory(file);
  for (let last = 0;;) {
    last = memory.awaitOrder(last);
    try {
      memory.state.begin(last);
      work();
      memory.state.end();
    } catch (error) {
      memory.state.fail(error instanceof Error ? error.message : String(error));
    }
  }
}
