import { SharedWords } from "../../memory/words.ts";

/** The limit for a watched device. */
export interface DeviceWatchLimit {
  /** Seconds from a submit to its results, including the time it is queued. */
  readonly secondsMax: number;
}

/** Odd while the device's thread waits for a result. */
const READS_WORD = 0;
const LOOK_MILLISECONDS_MAX = 100;

/**
 * Detects from another thread that a device does not finish, for example because of an endless loop in
 * a kernel. The thread that reads the results is then blocked inside the runtime, whichever way it
 * reads: no signal, timer or limit of epochs reaches it. Only a worker can be abandoned, so the device
 * has to belong to a worker.
 *
 * The worker requests its device with the watch, and the thread that started it guards the promise it
 * awaits. `core/gpu/README.md` describes what is left behind.
 *
 * @example The thread that started the worker
 * ```ts
 * import { DeviceWatch } from "./device_watch.ts";
 * const watch = new DeviceWatch(); // watch.memory is sent to the worker
 * const answer = Promise.resolve(42); // of the worker
 * if (await watch.guard(answer, { secondsMax: 5 }) !== 42) throw new Error("nothing has stalled");
 * ```
 *
 * @example The worker
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import { DeviceWatch } from "./device_watch.ts";
 * const { memory } = new DeviceWatch(); // as it came in a message
 * await requestGpuDevice({ watch: new DeviceWatch(memory) }).catch(() => undefined);
 * ```
 */
export class DeviceWatch {
  /** The memory to send to the other thread. */
  readonly memory: SharedArrayBuffer;
  readonly #words: SharedWords;

  /**
   * Creates a watch, or joins one of another thread.
   *
   * @param memory of a watch in another thread; a new one when absent
   */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(64)) {
    this.memory = memory;
    this.#words = new SharedWords(memory);
  }

  /** Runs a read that blocks until the device is done. */
  watch<T>(read: () => T): T {
    this.#toggle();
    try {
      return read();
    } finally {
      this.#toggle();
    }
  }

  #toggle(): void {
    this.#words.add(READS_WORD, 1);
  }

  /**
   * Settles like `work`, the promise of the other thread's result.
   *
   * @throws {DOMException} `TimeoutError` when the device takes longer than `secondsMax` for one
   * result: terminate its worker then
   * @throws {RangeError} when `secondsMax` is not above 0
   */
  async guard<T>(work: Promise<T>, { secondsMax }: DeviceWatchLimit): Promise<T> {
    if (!(secondsMax > 0)) {
      throw new RangeError(
        `Cannot watch a device as secondsMax must be above 0: current value is ${secondsMax}`,
      );
    }
    const stalled = Promise.withResolvers<never>();
    const look = this.#look(secondsMax, stalled.reject);
    const timer = setInterval(look, Math.min(LOOK_MILLISECONDS_MAX, 250 * secondsMax));
    try {
      return await Promise.race([work, stalled.promise]);
    } finally {
      clearInterval(timer);
    }
  }

  #look(secondsMax: number, reject: (reason: DOMException) => void): () => void {
    let seen = -1;
    let sinceMilliseconds = 0;
    return () => {
      const reads = this.#words.load(READS_WORD);
      const nowMilliseconds = performance.now();
      if (reads !== seen) sinceMilliseconds = nowMilliseconds;
      seen = reads;
      if (reads % 2 === 0 || nowMilliseconds - sinceMilliseconds < 1000 * secondsMax) return;
      reject(
        new DOMException(
          `Cannot wait for the device as it has been at work for more than ${secondsMax} s: terminate the worker that uses it`,
          "TimeoutError",
        ),
      );
    };
  }
}

const watches = new WeakMap<GPUDevice, DeviceWatch>();

/** Watches all reads of a device's results. */
export function watchDevice(device: GPUDevice, watch: DeviceWatch): void {
  watches.set(device, watch);
}

/** Runs a read that blocks until the device is done, under the device's watch if it has one. */
export function watched<T>(device: GPUDevice, read: () => T): T {
  const watch = watches.get(device);
  return watch ? watch.watch(read) : read();
}
