import { watched } from "./device_watch.ts";
import type { ReadbackBuffer } from "./readback_buffer.ts";

/**
 * How results come back from the device.
 *
 * | name | what it does | on Deno |
 * | --- | --- | --- |
 * | `awaited` | maps the buffer and awaits the promise, as WebGPU says | about 11 ms, whatever the device does |
 * | `eager` | maps the buffer and reads it at once, without awaiting | some tens of microseconds |
 *
 * `eager` needs what no specification promises: that the runtime waits for the device inside
 * `mapAsync`. It is for devices that have passed `probeEagerReadback` in this process.
 */
export const READBACK_NAMES = ["eager", "awaited"] as const;
/** One of {@linkcode READBACK_NAMES}. */
export type ReadbackName = typeof READBACK_NAMES[number];

/** Copies bytes of a buffer to where they are read: `targetByte` of the words that are used. */
export type CopyOut = (
  source: GPUBuffer,
  sourceByte: number,
  targetByte: number,
  bytes: number,
) => void;

/** One submit, and the read of what it has copied out. */
export interface DeviceRead {
  /** For messages, as in "run the kernel". */
  readonly what: string;
  /** Adds the commands, and writes by the device's queue what they need. All that is copied out is read. */
  readonly encode: (encoder: GPUCommandEncoder, copyOut: CopyOut) => void;
  /** Uses the words while they are mapped. They are gone when it returns. */
  readonly use: (words: Int32Array) => void;
}

/**
 * Work on the device in reads: each `yield` is a submit and the read of its results, which is done
 * when the task goes on. A task is written once and runs with every way of reading back. A read that
 * fails, as one whose commands the device has refused, throws at the `yield`.
 */
export type DeviceTask<T> = Generator<DeviceRead, T, void>;

/** How what the device has copied out comes to the host. */
export interface Readback {
  /** The way in which it is read. */
  readonly name: ReadbackName;
  /**
   * Runs a task. `eager` blocks until the task has ended and returns its result; `awaited` returns a
   * promise of it, and begins when the tasks before have ended.
   *
   * @throws {DOMException} `OperationError` when the device has refused what was submitted, with what
   * it says, or was lost
   */
  run<T>(task: DeviceTask<T>): T | Promise<T>;
  /**
   * Runs a task without an event loop, without which nobody knows what the device says of a refusal.
   *
   * @throws {TypeError} when results are awaited; nothing of the task has run then
   */
  runNow<T>(task: DeviceTask<T>): T;
  /**
   * Waits for the tasks under way, and lets the runtime settle the promises that eager reads have left
   * behind: 10 ms on Deno.
   *
   * @throws {DOMException} when one of them failed
   */
  settle(): Promise<void>;
  /** Frees the buffer. */
  destroy(): void;
}

/** Reads at once, without awaiting the mapping. */
export class EagerReadback implements Readback {
  readonly name = "eager";
  readonly #device: GPUDevice;
  readonly #buffer: ReadbackBuffer;
  #lateError: unknown;
  #lastMapping: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, buffer: ReadbackBuffer) {
    this.#device = device;
    this.#buffer = buffer;
  }

  run<T>(task: DeviceTask<T>): T | Promise<T> {
    try {
      return this.runNow(task);
    } catch (error) {
      return this.#explain(error);
    }
  }

  async #explain(thrown: unknown): Promise<never> {
    const error = await this.#buffer.reasonOf(thrown);
    if (this.#lateError) this.#lateError = error;
    throw error;
  }

  runNow<T>(task: DeviceTask<T>): T {
    let step = task.next();
    while (!step.done) {
      try {
        this.read(step.value);
      } catch (error) {
        step = task.throw(error);
        continue;
      }
      step = task.next();
    }
    return step.value;
  }

  /** One read: blocks until the device is done. */
  read(read: DeviceRead): void {
    if (this.#lateError) throw this.#lateError;
    this.#buffer.submit(read);
    const mapping = watched(this.#device, () => this.#buffer.map());
    this.#lastMapping = mapping.catch((error) => void (this.#lateError ??= error));
    this.#buffer.use(read);
  }

  async settle(): Promise<void> {
    await this.#lastMapping;
    if (this.#lateError) throw this.#lateError;
  }

  destroy(): void {
    this.#buffer.destroy();
  }
}

/** Reads when the promise of the mapping has resolved. */
export class AwaitedReadback implements Readback {
  readonly name = "awaited";
  readonly #device: GPUDevice;
  readonly #buffer: ReadbackBuffer;
  #last: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, buffer: ReadbackBuffer) {
    this.#device = device;
    this.#buffer = buffer;
  }

  run<T>(task: DeviceTask<T>): Promise<T> {
    const running = this.#last.then(() => this.#run(task));
    this.#last = running.then(() => {}, () => {});
    return running;
  }

  async #run<T>(task: DeviceTask<T>): Promise<T> {
    let step = task.next();
    while (!step.done) {
      try {
        await this.#read(step.value);
      } catch (error) {
        step = task.throw(await this.#buffer.reasonOf(error));
        continue;
      }
      step = task.next();
    }
    return step.value;
  }

  async #read(read: DeviceRead): Promise<void> {
    this.#buffer.submit(read);
    // The call blocks as long as the device works; what is awaited is the runtime's next look.
    await watched(this.#device, () => this.#buffer.map());
    this.#buffer.use(read);
  }

  runNow(): never {
    throw new TypeError(
      "Cannot go on without awaiting as the readback is awaited: use the method that awaits, eager readback, or in a handler calls of one packet",
    );
  }

  settle(): Promise<void> {
    return this.#last;
  }

  destroy(): void {
    this.#buffer.destroy();
  }
}
