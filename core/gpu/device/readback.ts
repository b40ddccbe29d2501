import { watched } from "./device_watch.ts";

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

/** One read of what the device has copied into the buffer of a {@linkcode Readback}. */
export interface DeviceRead {
  /** How much is read, from the buffer's first byte; a multiple of 4. */
  readonly bytes: number;
  /** Uses the words while they are mapped. They are gone when it returns. */
  readonly use: (words: Int32Array) => void;
}

/**
 * Work on the device with reads in between: each `yield` is a read, which is done when the task goes
 * on. A task is written once and runs with every way of reading back. A read that fails ends it:
 * nothing behind the `yield` runs.
 */
export type DeviceTask<T> = Generator<DeviceRead, T, void>;

/** A buffer that the device copies into and the host reads, and the way in which it is read. */
export interface Readback {
  /** The way in which the buffer is read. */
  readonly name: ReadbackName;
  /** What the device copies into. Only the task that runs may use it. */
  readonly buffer: GPUBuffer;
  /**
   * Runs a task. `eager` blocks until the task has ended and returns its result; `awaited` returns a
   * promise of it.
   *
   * @throws {DOMException} when a mapping fails; with `eager` also when one failed after it was read
   */
  run<T>(task: DeviceTask<T>): T | Promise<T>;
  /**
   * Runs a task without an event loop.
   *
   * @throws {TypeError} when results are awaited; nothing of the task has run then
   */
  runNow<T>(task: DeviceTask<T>): T;
  /**
   * Lets the runtime settle the promises that eager reads have left behind: 10 ms on Deno. Nothing
   * to do when reads are awaited.
   *
   * @throws {DOMException} when one of them failed
   */
  settle(): Promise<void>;
  /** Frees the buffer. */
  destroy(): void;
}

/**
 * Allocates a buffer to read back through, and maps it once.
 *
 * The first mapping is awaited whatever comes later: Deno 2.9.6 ends the process when
 * `getMappedRange` is called on a buffer of which no mapping was ever awaited.
 *
 * @param bytes a multiple of 4, of at least 4
 */
export async function allocateReadback(device: GPUDevice, bytes: number): Promise<GPUBuffer> {
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: bytes, usage, label: "readback" });
  await buffer.mapAsync(GPUMapMode.READ);
  buffer.unmap();
  return buffer;
}

/** Reads at once, without awaiting the mapping. */
export class EagerReadback implements Readback {
  readonly name = "eager";
  readonly buffer: GPUBuffer;
  readonly #device: GPUDevice;
  #lateError: Error | undefined;
  #lastMapping: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, buffer: GPUBuffer) {
    this.#device = device;
    this.buffer = buffer;
  }

  run<T>(task: DeviceTask<T>): T {
    return this.runNow(task);
  }

  runNow<T>(task: DeviceTask<T>): T {
    let step = task.next();
    for (; !step.done; step = task.next()) this.read(step.value);
    return step.value;
  }

  /** One read: blocks until the device is done. */
  read({ bytes, use }: DeviceRead): void {
    if (this.#lateError) throw this.#lateError;
    const map = () => this.buffer.mapAsync(GPUMapMode.READ, 0, bytes);
    this.#lastMapping = watched(this.#device, map).catch((error: Error) => {
      this.#lateError ??= error;
    });
    useMapped(this.buffer, { bytes, use });
  }

  async settle(): Promise<void> {
    await this.#lastMapping;
    if (this.#lateError) throw this.#lateError;
  }

  destroy(): void {
    this.buffer.destroy();
  }
}

/** Reads when the promise of the mapping has resolved. */
export class AwaitedReadback implements Readback {
  readonly name = "awaited";
  readonly buffer: GPUBuffer;
  readonly #device: GPUDevice;

  constructor(device: GPUDevice, buffer: GPUBuffer) {
    this.#device = device;
    this.buffer = buffer;
  }

  async run<T>(task: DeviceTask<T>): Promise<T> {
    let step = task.next();
    for (; !step.done; step = task.next()) {
      const { bytes } = step.value;
      // The call blocks as long as the device works; what is awaited is the runtime's next look.
      await watched(this.#device, () => this.buffer.mapAsync(GPUMapMode.READ, 0, bytes));
      useMapped(this.buffer, step.value);
    }
    return step.value;
  }

  runNow(): never {
    throw new TypeError(
      "Cannot go on without awaiting as the readback is awaited: use the method that awaits, eager readback, or in a handler calls of one packet",
    );
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): void {
    this.buffer.destroy();
  }
}

function useMapped(buffer: GPUBuffer, { bytes, use }: DeviceRead): void {
  try {
    use(new Int32Array(buffer.getMappedRange(0, bytes)));
  } finally {
    buffer.unmap();
  }
}
