import {
  type LiveBuffer,
  type LiveDevice,
  LiveKernel,
  type LiveKernelOptions,
  requestLiveDevice,
  type WgslToSpirv,
} from "../../core/gpu/live/mod.ts";
import { leavesLoops } from "../../core/gpu/live/rounds/round_limit.ts";
import { liveSpirv } from "../../core/gpu/live/spirv/live_spirv.ts";
import { newMemory } from "../../core/toggle/channel_handle.ts";
import { SharedWords } from "../../core/memory/words.ts";
import type { Channel } from "../../core/mod.ts";

/** What every kernel of a channel is given. */
type Shared = Pick<LiveKernelOptions, "channel" | "memory" | "translate">;

/** By a name that is no literal: what an import names is downloaded by every program that may come here. */
const TRANSLATOR: string = "naga-wasm";

/** The translator of the lab. Loaded where a live trial is prepared: other scenarios do without. */
export async function loadTranslator(): Promise<WgslToSpirv> {
  const { translate }: typeof import("naga-wasm") = await import(TRANSLATOR);
  return (source) => translate({ from: "wgsl", to: "spirv", source }) as Uint32Array;
}

/** A device on which a trial's kernels run while the host serves them, and its translator. */
export class LiveLab implements Disposable {
  /** What the device calls itself. */
  readonly adapter: string;
  readonly #device: LiveDevice;
  readonly #translate: WgslToSpirv;

  private constructor(device: LiveDevice, translate: WgslToSpirv) {
    this.adapter = device.info.name;
    this.#device = device;
    this.#translate = translate;
  }

  /** @throws {DOMException} `NotSupportedError` where there is no such device */
  static async open(): Promise<LiveLab> {
    return new LiveLab(requestLiveDevice(), await loadTranslator());
  }

  /**
   * For waves that wait until this thread calls them, while it does nothing else.
   *
   * @throws {DOMException} `NotSupportedError`, too, where such a loop would end by itself
   */
  static async openToWait(): Promise<LiveLab> {
    const lab = await LiveLab.open();
    if (!leavesLoops({ name: lab.adapter })) return lab;
    lab[Symbol.dispose]();
    const reason =
      `${lab.adapter} leaves long loops, as that in which a wave waits for its next call`;
    throw new DOMException(`Cannot measure as ${reason}`, "NotSupportedError");
  }

  /** Zeros that this thread and kernels reach. */
  createBuffer(wordCount: number): LiveBuffer {
    const buffer = this.#device.createBuffer(4 * wordCount, "host");
    new Uint32Array(buffer.words!).fill(0);
    return buffer;
  }

  /** A kernel whose waves are clients of the channel, which is imported here. */
  kernel(
    channel: Channel,
    options: Omit<LiveKernelOptions, keyof Shared>,
  ): Promise<LiveKernel> {
    const memory = this.#device.importBuffer(channel.handle.buffer);
    const shared: Shared = { channel, memory, translate: this.#translate };
    return LiveKernel.create(this.#device, { ...options, ...shared });
  }

  /**
   * A shader without a channel: what a scenario compares with. Its text has `main`, and uses `words`,
   * atomic ones that every thread shares with it. Loops that wait look at the word `STOP` now and then.
   */
  bareKernel(source: string): BareKernel {
    const { buffer } = newMemory(BARE_BYTES);
    const code = this.#translate(`
      @group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
      const STOP = ${STOP_WORD}u;
      ${source}`);
    const words = new SharedWords(buffer);
    const pipeline = this.#device.createPipeline({
      code: liveSpirv(code, [{ group: 0, binding: 0 }]),
      groups: [[this.#device.importBuffer(buffer)]],
    });
    const stop = () => words.store(STOP_WORD, 1);
    return {
      words,
      run(groupCount, work) {
        using run = pipeline.dispatch({ groupCount: [groupCount], stop });
        work();
        if (run.wait(RUN_SECONDS_MAX)) return;
        throw new Error(`Cannot measure as a kernel takes longer than ${RUN_SECONDS_MAX} s`);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#device[Symbol.dispose]();
  }
}

/** What {@linkcode LiveLab.bareKernel} makes; it ends with the lab. */
export interface BareKernel {
  readonly words: SharedWords;
  /** Runs workgroups, and in this thread `work` meanwhile; returns when both are done. */
  run(groupCount: number, work: () => void): void;
}

const BARE_BYTES = 4096;
const STOP_WORD = 0;
const RUN_SECONDS_MAX = 60;
