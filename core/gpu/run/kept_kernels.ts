import { functionsOf } from "../../signature/declare/signature.ts";
import type { KernelRuntime } from "./kernel_runtime.ts";
import { ReadyKernel } from "./ready_kernel.ts";
import {
  type AnyRunOptions,
  checkOptions,
  type KernelRunReport,
  RUN,
  type RunArray,
} from "./run_options.ts";

/** How many compiled kernels are kept for later runs. */
const KEPT_MAX = 8;
/** With a larger heap a kernel is not kept: it would hold memory that others may need. */
const KEPT_HEAP_BYTES_MAX = 1 << 24;

/** Runs kernels of texts by a runtime, and keeps what it compiled for later runs. */
export class KeptKernels {
  readonly #runtime: KernelRuntime;
  /** Compiled kernels that are not running, the most recently used last. */
  readonly #kept: ReadyKernel[] = [];
  readonly #running = new Set<ReadyKernel>();
  readonly #bufferNames = new WeakMap<object, number>();
  #bufferCount = 0;
  #isDestroyed = false;

  constructor(runtime: KernelRuntime) {
    this.#runtime = runtime;
  }

  /** As `KernelGpu.run`; the report is the runtime's, with the buffers. */
  async run(source: string, options: AnyRunOptions): Promise<KernelRunReport> {
    this.#checkHere();
    checkOptions(source, options, this.#runtime);
    this.#runtime.checkAlive();
    const key = this.#keyOf(source, options);
    const at = this.#kept.findLastIndex((one) => one.key === key);
    const [kept] = this.#kept.splice(at, at < 0 ? 0 : 1);
    kept?.clearHeap();
    const ready = kept ?? await ReadyKernel.create(this.#runtime, { key, source, options });
    this.#running.add(ready);
    let isWhole = false;
    try {
      this.#checkHere();
      const report = await ready.run(options);
      isWhole = (options.heapBytes ?? 0) <= KEPT_HEAP_BYTES_MAX;
      return report;
    } finally {
      this.#running.delete(ready);
      if (isWhole && !this.#isDestroyed) this.#keep(ready);
      else ready.destroy();
    }
  }

  #checkHere(): void {
    if (this.#isDestroyed) throw new TypeError(`Cannot ${RUN} as the GPU was destroyed`);
  }

  #keep(ready: ReadyKernel): void {
    this.#kept.push(ready);
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()!.destroy();
  }

  /** Everything that a compiled kernel depends on. */
  #keyOf(source: string, options: AnyRunOptions): string {
    const { functions: _functions, print: _print, signal: _signal, ...rest } = options;
    const { epochsMax: _epochsMax, roundsMax: _roundsMax, refusals: _refusals, ...more } = rest;
    const { libraries = [], buffers, ...shape } = more;
    const apis = libraries.map(({ api }) => functionsOf(api).map(([, { text }]) => text));
    const sizes = Object.entries(buffers ?? {}).map(([name, value]) =>
      this.#runtime.isBuffer(value)
        ? [name, this.#nameOf(value)]
        : [name, "", (value as RunArray).byteLength]
    );
    return JSON.stringify([source, shape, apis, sizes]);
  }

  /** Numbers the caller's buffers, as a compiled kernel is bound to them. */
  #nameOf(buffer: object): number {
    const name = this.#bufferNames.get(buffer) ?? this.#bufferCount++;
    this.#bufferNames.set(buffer, name);
    return name;
  }

  /** Frees all kernels, also those that run, and runs no more. */
  destroy(): void {
    this.#isDestroyed = true;
    for (const ready of [...this.#kept.splice(0), ...this.#running]) ready.destroy();
  }
}
