import { checkAlive } from "../device/device.ts";
import type { DeviceTask } from "../device/readback.ts";
import type { MailboxReport } from "./channel_download.ts";
import { type DispatchReport, IDLE_REPORT, readReport } from "./dispatch_report.ts";
import { type EpochReport, RunTotals } from "./epoch_report.ts";
import type { KernelPipeline } from "./kernel_pipeline.ts";

/**
 * One epoch after another, without serving: put, submit, read back, take. For `Epochs`.
 */
export class EpochCycle {
  readonly #pipeline: KernelPipeline;
  readonly #target: GPUBuffer;
  readonly #onBadMailbox: (report: MailboxReport) => void;
  readonly #portCount: number;
  #isRunning = false;
  /** Never restarts, so that a report of an earlier run is never taken for this one's. */
  #epochIndex = 0;
  #firstEpoch = 1;
  #epochsMax = 0;
  /** Ports that are copied out: as many as the device has used so far. */
  #portBound: number;
  #firstWave = 0;
  #report: DispatchReport = IDLE_REPORT;
  /** Epochs in a row that have brought nothing to either side. */
  #idleCount = 0;
  #totals = new RunTotals();

  /** @param target what results are copied into */
  constructor(
    pipeline: KernelPipeline,
    target: GPUBuffer,
    onBadMailbox: (report: MailboxReport) => void,
  ) {
    this.#pipeline = pipeline;
    this.#target = target;
    this.#portCount = pipeline.deviceChannel.channel.layout.portCount;
    this.#portBound = Math.min(pipeline.waveCount, this.#portCount);
    this.#onBadMailbox = (report) => {
      this.#totals.addBadMailbox();
      onBadMailbox(report);
    };
  }

  /** The number of the last epoch. */
  get epochIndex(): number {
    return this.#epochIndex;
  }

  /** Whether a run has begun and was not stopped. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Whether some wave has not finished. */
  get isActive(): boolean {
    const { suspended, starved, limited } = this.#report;
    return suspended || starved || limited;
  }

  /** Whether some wave could go on without the host. */
  get isLimited(): boolean {
    return this.#report.limited;
  }

  /**
   * Whether another epoch would be as the last: no wave can go on before the server has given
   * something back. A wave that finds no port looks at others in every epoch.
   */
  get isStuck(): boolean {
    const idleCountMax = this.#report.starved ? this.#portCount : 0;
    return this.#idleCount > idleCountMax && !this.#pipeline.deviceChannel.hasReturned;
  }

  /** Begins a run: the next epoch starts the kernel from its first step. */
  start(epochsMax: number): void {
    checkEpochsMax(epochsMax);
    if (this.#isRunning) throw new TypeError("Cannot run the kernel as it is running already");
    checkAlive(this.#pipeline.gpu, "run the kernel");
    this.#isRunning = true;
    this.#firstEpoch = this.#epochIndex + 1;
    this.#epochsMax = epochsMax;
    this.#firstWave = 0;
    this.#report = IDLE_REPORT;
    this.#idleCount = 0;
    this.#totals = new RunTotals();
  }

  /** Takes account of a handler that failed as it waited for its wave. */
  addWaitError(error: Error): void {
    this.#totals.addWaitError(error);
  }

  /** Ends a run, finished or not. */
  stop(): void {
    this.#isRunning = false;
  }

  /** One epoch; its result is how many packets came. */
  *epoch(): DeviceTask<number> {
    const returnedCount = this.#submit();
    let packetCount = 0;
    const use = (words: Int32Array) => packetCount += this.#receive(words);
    do {
      yield { bytes: this.#pipeline.deviceChannel.readbackBytes(this.#portBound), use };
    } while (this.#copiesMore());
    const isIdle = packetCount === 0 && returnedCount === 0 && !this.#report.limited;
    this.#idleCount = isIdle ? this.#idleCount + 1 : 0;
    this.#totals.addEpoch({ packetCount, isStarved: this.#report.starved });
    return packetCount;
  }

  /**
   * What the run did, what was served after its last epoch included.
   *
   * @throws {KernelError} when a wave broke a rule
   * @throws {CallError} when a call was refused, unless refusals only count
   */
  report(refusals: "reject" | "count"): EpochReport {
    this.#put();
    return this.#totals.report(this.#epochIndex - this.#firstEpoch + 1, refusals);
  }

  #put(): number {
    const { deviceChannel } = this.#pipeline;
    return deviceChannel.put((index) => this.#totals.addRefusal(deviceChannel.channel, index));
  }

  /** Returns how many ports the server has given back since the epoch before. */
  #submit(): number {
    const { gpu, waveCount } = this.#pipeline;
    checkAlive(gpu, "go on with the kernel");
    this.#checkEpochsLeft();
    const returnedCount = this.#put();
    this.#epochIndex++;
    const { starved } = this.#report;
    if (starved) this.#firstWave = (this.#firstWave + this.#portCount) % waveCount;
    this.#pipeline.setParams({
      epoch: this.#epochIndex,
      firstWave: this.#firstWave,
      isScarce: starved,
      isFirst: this.#epochIndex === this.#firstEpoch,
    });
    const encoder = gpu.device.createCommandEncoder();
    this.#pipeline.encode(encoder);
    this.#submitCopies(encoder);
    return returnedCount;
  }

  #submitCopies(encoder: GPUCommandEncoder): void {
    const { gpu, deviceChannel } = this.#pipeline;
    deviceChannel.encodeDownload(encoder, this.#target, this.#portBound);
    gpu.device.queue.submit([encoder.finish()]);
  }

  /** Copies once more when the device has used ports beyond the bound, and so far from now on. */
  #copiesMore(): boolean {
    const bound = Math.min(this.#report.sentBelow, this.#portCount);
    if (bound <= this.#portBound) return false;
    this.#portBound = bound;
    this.#submitCopies(this.#pipeline.gpu.device.createCommandEncoder());
    return true;
  }

  #receive(words: Int32Array): number {
    this.#report = readReport(words, this.#epochIndex);
    if (this.#report.error) {
      this.#totals.addError(this.#report.error);
      this.#pipeline.deviceChannel.clearError();
    }
    return this.#pipeline.deviceChannel.take(words, this.#portBound, this.#onBadMailbox);
  }

  #checkEpochsLeft(): void {
    if (this.#epochIndex - this.#firstEpoch + 1 < this.#epochsMax) return;
    const { suspended, starved, limited } = this.#report;
    const states = Object.entries({ suspended, starved, limited }).filter(([, is]) => is);
    const what = states.map(([name]) => name).join(", ") || "at work";
    throw new DOMException(
      `Cannot finish the kernel within ${this.#epochsMax} epochs: its waves are ${what} after ${this.#totals.packetCount} packets`,
      "TimeoutError",
    );
  }
}

function checkEpochsMax(epochsMax: number): void {
  if (Number.isInteger(epochsMax) && epochsMax >= 1) return;
  throw new RangeError(
    `Cannot run a kernel as epochsMax must be an integer of at least 1: current value is ${epochsMax}`,
  );
}
