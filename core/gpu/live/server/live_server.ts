import { checkOpcode } from "../../../memory/opcode.ts";
import { SharedWords } from "../../../memory/words.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { newMemory } from "../../../toggle/channel_handle.ts";
import { buryServer } from "../../../toggle/reclaim.ts";
import { checkIntegers } from "../../wgsl/kernel_shape.ts";
import { checkOffered } from "../device/host_atomics.ts";
import { DeviceLocks } from "../design/device_locks.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { LivePipeline } from "../device/live_pipeline.ts";
import type { LiveDeviceInfo } from "../device/physical_device.ts";
import {
  endlessError,
  LEAVE_MILLISECONDS,
  type LiveRun,
  type WaveCounts,
} from "../device/live_run.ts";
import { compileLive, type WgslToSpirv } from "../kernel/live_compile.ts";
import {
  searchLooks,
  ServerEnd,
  serverSource,
  serverTexts,
  ServerWord,
  serverWordCount,
  sharedBuffers,
  waveWord,
} from "./server_source.ts";
import { SleeperWatch } from "../design/sleeper_watch.ts";
import { countingRounds, leavesLoops, PAUSED_TURNS } from "../rounds/round_limit.ts";

/** Options of {@linkcode LiveServer.create}. */
export interface LiveServerOptions {
  /** The channel to serve, beside servers in Workers. */
  readonly channel: Channel;
  /** The channel's memory, imported before anybody else used it. */
  readonly memory: LiveBuffer;
  /**
   * WGSL as for `GpuServer`: `fn operate(opcode: u32)`, which works on the lane's packet in place; or functions
   * such as `@service(40000) fn add(x: u32, y: u32) -> u32 { return x + y; }`. A call fails if it uses a word
   * beyond the packet.
   */
  readonly source: string;
  /** The opcodes that `operate` serves; all that users may register when absent. */
  readonly opcodes?: readonly number[];
  /** How many waves serve, 1 to 1024; 1 when absent. A device that is full begins some when others end. */
  readonly waveCount?: number;
  /**
   * Invocations of a wave, which share the lanes of a call, 1 to `laneCount`. When absent as many as lanes; on a
   * software device, where barriers are dear, one for few lanes, or a subgroup.
   */
  readonly invocationCount?: number;
  /**
   * Where servers lock ports: in the channel, beside others; or in memory of the device, if these waves are
   * the only servers and it lacks atomics towards the host. In the channel when absent.
   */
  readonly locks?: "channel" | "device";
  /** Storage buffers that the author's text uses, as `@group(1)`; none when absent. */
  readonly buffers?: readonly LiveBuffer[];
  /** Translates the module, as `translate` of the package naga-wasm does. */
  readonly translate: WgslToSpirv;
}

/** Options of one run. */
export interface LiveServeOptions {
  /**
   * How many looks in turn may find nothing before a wave leaves, 1 to 1 000 000 000; without a limit when
   * absent. On a software adapter a look takes some nanoseconds.
   */
  readonly looksMax?: number;
}

/** The outcome of a run. */
export interface LiveServeReport {
  /** Calls that waves have answered, the rejected ones included. */
  readonly callCount: number;
  /** Calls that were rejected, or failed. */
  readonly refusedCallCount: number;
  /** Why the last of the waves left: told to, the end of the channel, or nothing to do. */
  readonly end: "left" | "stopped" | "idle";
}

interface LiveServerParts {
  readonly channel: Channel;
  readonly waveCount: number;
  readonly words: SharedWords;
  readonly pipeline: LivePipeline;
  readonly deviceLocks: DeviceLocks | undefined;
  /** Whether waves pause, and go on in another dispatch. */
  readonly pauses: boolean;
  readonly stack: DisposableStack;
}

const MAKE = "make a live server";
const RUN = "serve by waves";
const WAVES_MAX = 1024;
const LOOKS_MAX = 1e9;
const TICK_MILLISECONDS = 1;
const ENDS = ["cut off", "left", "stopped", "idle", "left"] as const;

/**
 * A server of waves: "an x64 machine calling a function on a GPU" while one dispatch runs, for thousands of
 * calls. Its waves are a server of the channel beside those in Workers and in this thread. Clients are host
 * threads, and waves of another dispatch: on another `LiveDevice`, where a device runs one dispatch at a time.
 *
 * Calls have one packet each way. A call of another kind, with an opcode or lanes that there are not, is answered
 * by a status. Clients in this thread must not sleep: waves cannot notify, and it is this object that wakes
 * who sleeps, within a millisecond or two, when the event loop turns.
 *
 * @example
 * ```ts
 * import { Channel } from "../../../toggle/channel.ts";
 * import { Client } from "../../../toggle/client/client.ts";
 * import { LiveServer } from "./live_server.ts";
 * import type { LiveDevice } from "../device/live_device.ts";
 * import type { WgslToSpirv } from "../kernel/live_compile.ts";
 *
 * async function squareOnDevice(device: LiveDevice, translate: WgslToSpirv, x: number) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 1 });
 *   const memory = device.importBuffer(channel.handle.buffer);
 *   const source = "@service(40000) fn square(x: u32) -> u32 { return x * x; }";
 *   using server = await LiveServer.create(device, { channel, memory, source, translate });
 *   const served = server.runAsync();
 *   let answer = 0;
 *   new Client(channel, { waiter: "spin" }).call(40000, {
 *     fill: (packet) => packet.setUint32(0, 0, x),
 *     use: (packet) => answer = packet.getUint32(0, 0),
 *   });
 *   server.stop();
 *   await served;
 *   return answer;
 * }
 * void squareOnDevice;
 * ```
 */
export class LiveServer implements Disposable {
  readonly #parts: LiveServerParts;
  readonly #words: SharedWords;
  readonly #channel: Channel;
  readonly #sleepers: SleeperWatch;
  #serverId = 0;
  #run: LiveRun | undefined;
  #isAwaited = false;

  private constructor(parts: LiveServerParts) {
    this.#parts = parts;
    this.#words = parts.words;
    this.#channel = parts.channel;
    this.#sleepers = new SleeperWatch(parts.channel, "client");
  }

  /**
   * Compiles the functions.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line and column
   * @throws {TypeError} when there is nothing to serve, or the memory is not the channel's
   * @throws {RangeError} when a count or an opcode is out of bounds, or waves cannot use a channel of this design
   * @throws {DOMException} `NotSupportedError` when the device cannot share memory, or lacks atomics towards
   * the host that the channel's design needs
   */
  static async create(device: LiveDevice, options: LiveServerOptions): Promise<LiveServer> {
    const { channel, memory, waveCount = 1, buffers = [], translate, locks = "channel" } = options;
    const { layout } = channel;
    const { invocationsMax } = device.info;
    const { invocationCount = invocationsFor(device.info, layout.laneCount) } = options;
    checkIntegers(MAKE, {
      waveCount: [waveCount, 1, WAVES_MAX],
      invocationCount: [invocationCount, 1, Math.min(invocationsMax, layout.laneCount)],
    });
    if (memory.words !== channel.handle.buffer) {
      throw new TypeError(`Cannot ${MAKE} as its memory must be the channel's, imported`);
    }
    options.opcodes?.forEach(checkOpcode);
    checkOffered(device.info, layout, { side: "server", locks });
    const isSubgroup = isOneSubgroup(device.info, invocationCount);
    const shape = { ...options, layout, locks, invocationCount, isSubgroup };
    const module = serverSource(options.source, shape);
    const pauses = leavesLoops(device.info);
    const edited = pauses ? countingRounds : undefined;
    const code = await compileLive({ ...module, edited }, translate, sharedBuffers(locks));
    using stack = new DisposableStack();
    const { buffer } = newMemory(4 * serverWordCount(waveCount));
    const live = stack.use(device.importBuffer(buffer));
    const { entryPoint } = module;
    const deviceLocks = locks === "device"
      ? stack.use(new DeviceLocks(device, layout.portCount, translate))
      : undefined;
    const groups = [[memory, memory, live, ...deviceLocks ? [deviceLocks.buffer] : []], buffers];
    const pipeline = stack.use(device.createPipeline({ code, entryPoint, groups }));
    const words = new SharedWords(buffer);
    const parts = { channel, waveCount, words, pipeline, deviceLocks, pauses };
    return new LiveServer({ ...parts, stack: stack.move() });
  }

  /** The number of the waves as a server of the channel, in this run or the last one; 0 before the first. */
  get serverId(): number {
    return this.#serverId;
  }

  /**
   * Serves until the waves are told to leave, by {@linkcode stop} or `evictServer`, the channel ends, or they
   * have looked for as long as they are to. Calls under way are answered first.
   *
   * @throws {TypeError} when the server runs already
   * @throws {RangeError} when `looksMax` is out of bounds
   * @throws {VulkanError} when the device was lost: calls that waves held have the status `serverGone`
   * @throws {DOMException} `TimeoutError` when waves do not leave, `NotSupportedError` when the adapter leaves
   * long loops
   */
  async runAsync(options: LiveServeOptions = {}): Promise<LiveServeReport> {
    const { looksMax } = options;
    if (looksMax !== undefined) checkIntegers(RUN, { looksMax: [looksMax, 1, LOOKS_MAX] });
    this.#leave(); // a run that was given up, and has ended since
    if (this.#run) throw new TypeError(`Cannot ${RUN} as they serve already: await their end`);
    const channel = this.#channel;
    this.#prepare(looksMax);
    this.#dispatch();
    channel.enterServing();
    this.#isAwaited = true;
    try {
      await this.#accompany();
    } finally {
      this.#isAwaited = false;
      this.#leave();
    }
    return this.#report();
  }

  /** Tells the waves to leave, after the calls that they are working on. */
  stop(): void {
    this.#words.store(ServerWord.leave, ServerEnd.left);
  }

  #prepare(looksMax: number | undefined): void {
    const channel = this.#channel;
    this.#serverId = channel.takeOwnerId();
    this.#words.plain.fill(0);
    serverTexts(channel.layout).forEach((text, at) =>
      this.#words.plain.set(text, ServerWord.texts + at * text.length)
    );
    this.#words.store(ServerWord.ownerId, this.#serverId);
    const idleMax = looksMax === undefined ? 0 : Math.ceil(looksMax / searchLooks(channel.layout));
    this.#words.store(ServerWord.idleMax, idleMax);
    this.#parts.deviceLocks?.clear();
  }

  #dispatch(): void {
    const groupCount = [this.#parts.waveCount] as const;
    const turnCount = this.#parts.pauses ? PAUSED_TURNS : 1;
    this.#run = this.#parts.pipeline.dispatch({ groupCount, turnCount, stop: () => this.stop() });
  }

  /** Where a dispatch has ended with waves that paused: begins another, in which they go on. */
  #goesOn(): boolean {
    const ends = this.#ends();
    if (ends.includes(ServerEnd.cutOff) || !ends.includes(ServerEnd.paused)) return false;
    if (this.#parts.stack.disposed) return false; // They hold no ports.
    this.#dispatch();
    return true;
  }

  /** Wakes who sleeps, and hears who wants the waves to leave, until all have. */
  async #accompany(): Promise<void> {
    const channel = this.#channel;
    let seenState = channel.stateWord;
    let leaveMilliseconds = Infinity;
    while (!this.#run!.isDone || this.#goesOn()) {
      const { stateWord } = channel;
      if (stateWord !== seenState) {
        seenState = stateWord;
        if (channel.leaveRequests.isAsked(this.#serverId)) this.stop();
      }
      if (leaveMilliseconds === Infinity && this.#words.load(ServerWord.leave) !== 0) {
        leaveMilliseconds = performance.now() + LEAVE_MILLISECONDS;
      }
      if (performance.now() > leaveMilliseconds) {
        throw endlessError("the waves that serve", "a loop of a function", this.#counts());
      }
      this.#wake();
      await new Promise((resolve) => setTimeout(resolve, TICK_MILLISECONDS));
    }
    this.#wake();
  }

  #wake(): void {
    // Sync: who had marked a lock is woken behind the exchange: the lock was dropped before the ring. A wave
    // that rings later is heard at the next look.
    const isRung = this.#words.exchange(ServerWord.ring, 0) !== 0;
    if (isRung || this.#sleepers.hasMissed()) this.#channel.wakeAll();
  }

  /** Once the waves have ended: until then they serve on, and the channel counts them. */
  #leave(): void {
    const channel = this.#channel;
    if (this.#isAwaited || !this.#run?.isDone) return;
    this.#run = undefined;
    // Waves that did not say why they left may hold ports.
    if (this.#ends().includes(ServerEnd.cutOff)) buryServer(channel, this.#serverId);
    else if (channel.leaveRequests.isAsked(this.#serverId)) {
      channel.leaveRequests.answer(this.#serverId);
    } else channel.leaveServing();
  }

  #ends(): number[] {
    const { waveCount: length } = this.#parts;
    return Array.from({ length }, (_, wave) => this.#words.load(waveWord(wave, "ended")));
  }

  #counts(): WaveCounts {
    const { waveCount } = this.#parts;
    const begunCount = Array.from(
      { length: waveCount },
      (_, wave) => this.#words.load(waveWord(wave, "started")),
    ).filter(Boolean).length;
    const endedCount = this.#ends().filter((end) => end !== ServerEnd.cutOff).length;
    return { waveCount, begunCount, endedCount };
  }

  #report(): LiveServeReport {
    const ends = this.#ends();
    const cutOffCount = ends.filter((end) => end === ServerEnd.cutOff).length;
    if (cutOffCount > 0) {
      throw new DOMException(
        `Cannot ${RUN} as the adapter left the loops of ${cutOffCount} of ${ends.length} early: choose another adapter`,
        "NotSupportedError",
      );
    }
    const sum = (name: "served" | "refused") =>
      ends.reduce((total, _, wave) => total + (this.#words.load(waveWord(wave, name)) >>> 0), 0);
    // Waves that found nothing may have left before the others were told to.
    const end = ENDS[Math.min(...ends)] as LiveServeReport["end"];
    return { callCount: sum("served"), refusedCallCount: sum("refused"), end };
  }

  /** Ends what runs, and frees the server's memory, but not the author's buffers. */
  [Symbol.dispose](): void {
    this.#parts.stack.dispose();
    this.#leave();
  }
}

/** Lanes that one invocation works on sooner than a software device's subgroup comes through two barriers. */
const FEW_LANES = 8;

function invocationsFor({ kind, subgroupLaneCount }: LiveDeviceInfo, laneCount: number): number {
  if (kind !== "software") return laneCount;
  return laneCount <= FEW_LANES ? 1 : Math.min(laneCount, subgroupLaneCount);
}

/** Whether invocations of a workgroup are one subgroup: software devices do not divide fewer than they have. */
function isOneSubgroup(
  { kind, subgroupLaneCount, subgroupOperations }: LiveDeviceInfo,
  invocationCount: number,
): boolean {
  const hasAll = ["basic", "ballot", "arithmetic"].every((one) => subgroupOperations.includes(one));
  return kind === "software" && hasAll && invocationCount <= subgroupLaneCount;
}
