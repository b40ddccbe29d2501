import { SharedWords } from "../../../memory/words.ts";
import { checkChoice } from "../../../text/nearest.ts";
import { newMemory } from "../../../toggle/channel_handle.ts";
import { isAnonymous } from "../../../toggle/design/channel_design.ts";
import { reclaimClient } from "../../../toggle/reclaim.ts";
import type { KernelText } from "../../kernel/kernel_text.ts";
import type { FaultReport } from "../../../toggle/server/dispatch.ts";
import { LoopTurns } from "../../../wait/loop_turns.ts";
import type { EpochServer } from "../../epochs/kernel.ts";
import { checkOutcome, type RefusalChoice } from "../../run/run_report.ts";
import { checkHeapBytes, type KernelHeap, withoutHeap } from "../../heap/device_heap.ts";
import { checkIntegers } from "../../wgsl/kernel_shape.ts";
import { DeviceLocks } from "../design/device_locks.ts";
import { SleeperWatch } from "../design/sleeper_watch.ts";
import { checkOffered } from "../device/host_atomics.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { LivePipeline } from "../device/live_pipeline.ts";
import { endlessError, LEAVE_MILLISECONDS, type LiveRun } from "../device/live_run.ts";
import { compileLive } from "./live_compile.ts";
import { HEAP_BINDING, LiveHeap } from "./live_heap.ts";
import { liveOutcome, waveCounts } from "./live_outcome.ts";
import {
  checkWave,
  type LiveKernelOptions,
  type LiveReport,
  type LiveRunOptions,
} from "./live_options.ts";
import { LiveResidency } from "./live_residency.ts";
import {
  CLIENT_LOCKS_BINDING,
  LANE_STATES_BINDING,
  LIVE_WORDS,
  LiveEnd,
  type LiveSource,
  liveSource,
  LiveWord,
  SHARED_BUFFERS,
} from "./live_source.ts";
import { leavesLoops, PAUSED_TURNS } from "../rounds/round_limit.ts";

interface LiveKernelParts {
  readonly device: LiveDevice;
  readonly source: LiveSource;
  readonly options: LiveKernelOptions;
  readonly words: SharedWords;
  readonly pipeline: LivePipeline;
  readonly heap: LiveHeap | undefined;
  readonly deviceLocks: DeviceLocks | undefined;
  /** What waves keep that go on in another dispatch. */
  readonly paused: LiveBuffer | undefined;
  readonly stack: DisposableStack;
}

const RUN = "run the kernel";
const MAKE = "make a live kernel";
const WAVES_MAX = 65535;
const ROUNDS_MAX = 2 ** 32 - 256;
/** How often a run looks whether somebody is to be woken while nothing is served in its thread. */
const TICK_MILLISECONDS = 1;

/**
 * A compiled kernel whose waves call the host while they run. Its waves are one client of the channel:
 * Workers may be others, and servers run in this thread, in Workers, or both.
 *
 * Waves cannot notify. While a kernel runs, this object wakes whoever sleeps and should look; that takes
 * a millisecond, so servers that spin are quicker. That of this thread spins while it runs.
 */
export class LiveKernel implements Disposable {
  /** The number of the waves as a client of the channel. */
  readonly clientId: number;
  readonly #stop = () => this.#parts.words.store(LiveWord.leave, LiveEnd.left);
  readonly #parts: LiveKernelParts;
  /** For locks of the device, on which servers that sleep leave no mark. */
  readonly #sleepers: SleeperWatch;
  #run: LiveRun | undefined;
  #isAwaited = false;
  #firstFault: FaultReport | undefined;
  /** How often somebody was woken, as the waves count it. */
  #rung = 0;

  private constructor(parts: LiveKernelParts) {
    this.#parts = parts;
    this.#sleepers = new SleeperWatch(parts.options.channel);
    this.clientId = parts.options.channel.takeOwnerId();
  }

  /**
   * Compiles a kernel.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line and column
   * @throws {PrintfError} at an invalid `printf`
   * @throws {TypeError} when the text has neither a kernel nor steps, or the memory is not the channel's
   * @throws {RangeError} when a count is out of bounds, a wave has more lanes than a subgroup that it is to
   * be, or waves cannot use a channel of its design
   * @throws {DOMException} `NotSupportedError` when the device cannot share memory, or lacks operations of
   * subgroups, or atomics towards the host that the channel's design needs
   * @internal `text` is one that was read before
   */
  static async create(
    device: LiveDevice,
    options: LiveKernelOptions,
    text: string | KernelText = options.source,
  ): Promise<LiveKernel> {
    const { channel, memory, waveCount, buffers = [], heapBytes, locks = "channel" } = options;
    const { translate, channel: { layout } } = options;
    checkWave(device.info, { ...options, laneCount: layout.laneCount });
    checkIntegers(MAKE, {
      waveCount: [waveCount, 1, WAVES_MAX],
      laneCount: [layout.laneCount, 1, device.info.invocationsMax],
    });
    if (memory.words !== channel.handle.buffer) {
      throw new TypeError(`Cannot ${MAKE} as its memory must be the channel's, imported`);
    }
    const shape = { ...options, layout, leavesLoops: leavesLoops(device.info) };
    const source = liveSource(text, shape);
    if (heapBytes !== undefined) {
      checkHeapBytes(device.info.storageBytesMax, heapBytes, source.heapTexts!);
    }
    checkOffered(device.info, layout, locks);
    const isApart = locks === "device";
    const lockPlaces = isApart ? [{ group: 0, binding: CLIENT_LOCKS_BINDING }] : [];
    const code = await compileLive(source, translate, [...SHARED_BUFFERS, ...lockPlaces]);
    using stack = new DisposableStack();
    const { buffer } = newMemory(4 * (LIVE_WORDS + waveCount));
    const live = stack.use(device.importBuffer(buffer));
    const lanesBytes = 4 * source.laneMemoryWords * layout.laneCount * waveCount;
    const lanes = stack.use(device.createBuffer(lanesBytes, "device"));
    const deviceLocks = isApart
      ? stack.use(new DeviceLocks(device, layout.portCount, translate))
      : undefined;
    const own = [memory, memory, live, lanes];
    if (deviceLocks) own[CLIENT_LOCKS_BINDING] = deviceLocks.buffer;
    const heap = heapBytes === undefined
      ? undefined
      : stack.use(new LiveHeap(device, heapBytes, source.heapTexts!));
    // Places between are of kernels by epochs, and unused.
    if (heap) { while (own.length <= HEAP_BINDING) own.push(heap.buffer); }
    const paused = source.edited &&
      stack.use(device.createBuffer(source.pausedBytes * waveCount, "host"));
    if (paused) { while (own.length <= LANE_STATES_BINDING) own.push(paused); }
    const { entryPoint } = source;
    const pipeline = stack.use(device.createPipeline({ code, entryPoint, groups: [own, buffers] }));
    const words = new SharedWords(buffer);
    const parts = { device, source, options, words, pipeline, heap, deviceLocks, paused };
    return new LiveKernel({ ...parts, stack: stack.move() });
  }

  /** Whether its waves run, as after a run that could not be ended. */
  get isRunning(): boolean {
    return this.#run !== undefined && !this.#run.isDone;
  }

  /** Bytes of the frame, which a lane keeps while it waits for the host. */
  get frameBytes(): number {
    return this.#parts.source.frameBytes;
  }

  /** The kernel's heap, for `ApiServer`; throws a `TypeError` if it has none. */
  get heap(): KernelHeap {
    if (this.#parts.heap) return this.#parts.heap;
    throw withoutHeap();
  }

  /**
   * Runs the kernel from its beginning until all waves have finished.
   *
   * @param server serves in this thread meanwhile; absent where only Workers serve
   * @throws {TypeError} when the kernel runs already, there is no such choice of `refusals`, or a function of
   * the host that serves the device asks, as a device runs one dispatch at a time
   * @throws {RangeError} when `roundsMax` is out of bounds
   * @throws {CallError} when a server rejected a call or its handler failed, unless these are only
   * counted; of status `serverGone` when the channel was shut down
   * @throws {KernelError} when a wave broke a rule, after the others have finished
   * @throws {DOMException} `TimeoutError` when a wave waited for `roundsMax` looks, or does not leave;
   * `AbortError` when the kernel or its device is disposed of meanwhile; `NotSupportedError` when the
   * adapter leaves long loops, or all waves that run wait, by `waits_for`, for waves that cannot begin
   * meanwhile; and the signal's reason when it is aborted
   */
  async runAsync(server?: EpochServer, options: LiveRunOptions = {}): Promise<LiveReport> {
    const { signal, refusals = "reject", roundsMax = ROUNDS_MAX } = options;
    checkChoice(RUN, { refusals }, ["reject", "count"]);
    checkIntegers(RUN, { roundsMax: [roundsMax, 256, ROUNDS_MAX] });
    signal?.throwIfAborted();
    if (this.#isAwaited || this.isRunning) {
      throw new TypeError(`Cannot ${RUN} as it runs already: await its end`);
    }
    return await this.#parts.device.accompany(() =>
      this.#runOnce(server, { signal, refusals, roundsMax })
    );
  }

  async #runOnce(
    server: EpochServer | undefined,
    { signal, refusals, roundsMax }: {
      readonly signal: AbortSignal | undefined;
      readonly refusals: RefusalChoice;
      readonly roundsMax: number;
    },
  ): Promise<LiveReport> {
    const { words, deviceLocks, paused } = this.#parts;
    words.plain.fill(0);
    words.store(LiveWord.ownerId, this.clientId);
    words.store(LiveWord.roundsMax, roundsMax);
    deviceLocks?.clear();
    this.#firstFault = undefined;
    this.#rung = 0;
    server?.tellFaults?.((fault) => this.#firstFault ??= fault);
    server?.lendWaiter?.("spin");
    // Sync: told before the reply of an exit() is flipped, and looked at before the next call: so the wave
    // that has called it makes no other.
    server?.tellEnd?.(this.#stop);
    if (paused) new Uint32Array(paused.words!).fill(0);
    this.#isAwaited = true;
    let deadlock: string | undefined;
    try {
      deadlock = await this.#accompany(this.#dispatch(), server, signal);
    } catch (error) {
      if (!this.isRunning) this.#reclaim(); // of a device that was lost, waves give nothing back
      throw error;
    } finally {
      this.#isAwaited = false;
      server?.cancelPending?.("The run of the kernel has ended");
      server?.tellFaults?.();
      server?.lendWaiter?.();
      server?.tellEnd?.();
    }
    if (signal?.aborted) throw signal.reason;
    const outcome = liveOutcome(words, {
      ...{ source: this.#parts.source, waveCount: this.#parts.options.waveCount },
      ...{ fault: this.#firstFault, deadlock, mayLeave: server?.hasEnded === true },
      reclaim: () => this.#reclaim(),
    });
    checkOutcome(outcome, { ...this.#parts.source, refusals });
    return { packetCount: words.load(LiveWord.sent) >>> 0, refusedCallCount: outcome.refusedCount };
  }

  /**
   * Serves, wakes and looks at the clock until all waves have ended.
   *
   * @returns which waves waited for each other for ever, if that has ended them
   */
  async #accompany(
    run: LiveRun,
    server: EpochServer | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const turns = new LoopTurns();
    const residency = new LiveResidency(this.#parts.words, this.#parts.options.waveCount);
    let deadlock: string | undefined;
    let thrown: { readonly error: unknown } | undefined;
    let leaveMilliseconds = Infinity;
    while (!run.isDone || this.#goesOn()) {
      run = this.#run!;
      deadlock ??= residency.deadlock(performance.now());
      const ends = signal?.aborted || server?.hasEnded || deadlock || thrown;
      if (leaveMilliseconds === Infinity && ends) {
        run.stop();
        leaveMilliseconds = performance.now() + LEAVE_MILLISECONDS;
      }
      if (performance.now() > leaveMilliseconds) {
        throw thrown?.error ??
          endlessError(
            "the kernel",
            "a loop without calls",
            waveCounts(this.#parts.words, this.#parts.options.waveCount),
          );
      }
      this.#ringIfAsked();
      if (server && leaveMilliseconds === Infinity) {
        try {
          this.#serve(server, turns);
        } catch (error) {
          thrown = { error };
        }
      } else await new Promise((resolve) => setTimeout(resolve, TICK_MILLISECONDS));
      await turns.take();
    }
    // The last wave may have asked as it ended.
    this.#ringIfAsked();
    if (thrown) throw thrown.error;
    const haveFinished = this.#parts.words.load(LiveWord.ended) === LiveEnd.none;
    if (deadlock) return deadlock;
    // No wave has waited for its casts; and what others have asked for by the time of an exit() is done.
    // But a program that a refused call has ended does nothing that came after.
    const wasRefused = server?.hasEnded && this.#parts.words.load(LiveWord.refused) > 0;
    if (!signal?.aborted && !wasRefused && (haveFinished || server?.hasEnded)) server?.runAll();
    return undefined;
  }

  #dispatch(): LiveRun {
    const groupCount = [this.#parts.options.waveCount] as const;
    const turnCount = this.#parts.paused ? PAUSED_TURNS : 1;
    return this.#run = this.#parts.pipeline.dispatch({ groupCount, turnCount, stop: this.#stop });
  }

  /** Where a dispatch has ended with waves that paused: begins another, in which they go on. */
  #goesOn(): boolean {
    const ended = this.#parts.words.load(LiveWord.ended) & 0xffff;
    if (this.#parts.words.load(LiveWord.paused) === 0 || ended === LiveEnd.cutOff) return false;
    if (this.#parts.stack.disposed) {
      // They cannot leave any more: their ports are taken back.
      this.#parts.words.store(LiveWord.ended, LiveEnd.left);
      this.#reclaim();
    } else this.#dispatch();
    return !this.#parts.stack.disposed;
  }

  /** Serves until the event loop is due a turn, the waves have finished, or nothing goes on without a turn. */
  #serve(server: EpochServer, turns: LoopTurns): void {
    do {
      server.pollPending?.();
      if (server.watchOnce?.() ?? server.runOnce()) continue;
      const idleCount = this.#parts.words.load(LiveWord.finished) +
        this.#parts.words.load(LiveWord.paused);
      if (server.isBusy || idleCount === this.#parts.options.waveCount) return;
      this.#ringIfAsked();
    } while (!turns.isDue && !server.hasEnded);
  }

  /** Wakes everybody who sleeps, if a wave found somebody to wake. */
  #ringIfAsked(): void {
    const ring = this.#parts.words.load(LiveWord.ring);
    const isMissed = this.#parts.deviceLocks !== undefined && this.#sleepers.hasMissed();
    if (ring === this.#rung && !isMissed) return;
    this.#rung = ring;
    // Sync: the wave flipped, marked or unlocked before it asked; so whoever is woken now sees that.
    this.#parts.options.channel.wakeAll();
  }

  /** Frees the ports that waves hold, where locks have names; returns how many. */
  #reclaim(): number {
    const { channel } = this.#parts.options;
    return isAnonymous(channel.layout.portLock) ? 0 : reclaimClient(channel, this.clientId);
  }

  /** Ends what runs, and frees the kernel's memory, but not the author's buffers. */
  [Symbol.dispose](): void {
    this.#parts.stack.dispose();
  }
}
