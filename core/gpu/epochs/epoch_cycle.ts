import { checkAlive, type GpuDevice } from "../device/device.ts";
import type { MailboxFault } from "./device_channel.ts";
import { type DispatchReport, IDLE_REPORT, readReport } from "./dispatch_report.ts";
import type { Kernel } from "./kernel.ts";
import { KernelFault } from "../wgsl/kernel_error.ts";
import type { DeviceTask } from "../device/readback.ts";

/** What a run did. */
export interface EpochReport {
  /** Dispatches. */
  readonly epochCount: number;
  /** Packets that the device has given to the host. */
  readonly packetCount: number;
  /** Epochs in which some wave found no free port. */
  readonly starvedEpochCount: number;
  /** Mailboxes that the kernel had overwritten with what no client could write. */
  readonly mailboxFaultCount: number;
}

/**
 * One epoch after another, without serving: put, submit, read back, take. For {@linkcode Epochs}.
 */
export class EpochCycle {
  readonly kernel: Kernel;
  readonly #gpu: GpuDevice;
  readonly #target: GPUBuffer;
  readonly #onMailboxFault: (fault: MailboxFault) => void;
  readonly #portCount: number;
  /** Never restarts, so that a report of an earlier run is never taken for this one's. */
  #epoch = 0;
  #firstEpoch = 1;
  #epochsMax = 0;
  /** Ports that are copied out: as many as the device has used so far. */
  #portBound: number;
  #firstWave = 0;
  #report: DispatchReport = IDLE_REPORT;
  #fault: KernelFault | undefined;
  #packetCount = 0;
  #starvedEpochCount = 0;
  #mailboxFaultCount = 0;

  /** @param target what results are copied into */
  constructor(kernel: Kernel, target: GPUBuffer, onMailboxFault: (fault: MailboxFault) => void) {
    this.kernel = kernel;
    this.#gpu = kernel.gpu;
    this.#target = target;
    this.#portCount = kernel.deviceChannel.channel.layout.portCount;
    this.#portBound = Math.min(kernel.waveCount, this.#portCount);
    this.#onMailboxFault = (fault) => {
      this.#mailboxFaultCount++;
      onMailboxFault(fault);
    };
  }

  /** The number of the last epoch. */
  get epochIndex(): number {
    return this.#epoch;
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

  /** Begins a run: the next epoch starts the kernel from its first step. */
  start(epochsMax: number): void {
    checkAlive(this.#gpu, "run the kernel");
    this.#firstEpoch = this.#epoch + 1;
    this.#epochsMax = epochsMax;
    this.#firstWave = 0;
    this.#report = IDLE_REPORT;
    this.#fault = undefined;
    this.#packetCount = this.#starvedEpochCount = this.#mailboxFaultCount = 0;
  }

  /** @throws {KernelFault} when a wave broke a rule */
  end(): EpochReport {
    if (this.#fault) throw this.#fault;
    return {
      epochCount: this.#epoch - this.#firstEpoch + 1,
      packetCount: this.#packetCount,
      starvedEpochCount: this.#starvedEpochCount,
      mailboxFaultCount: this.#mailboxFaultCount,
    };
  }

  /** One epoch; its result is how many packets came. */
  *epoch(): DeviceTask<number> {
    this.#submit();
    let sentCount = 0;
    const use = (words: Int32Array) => sentCount += this.#receive(words);
    do {
      yield { bytes: this.kernel.deviceChannel.outBytes(this.#portBound), use };
    } while (this.#copiesMore());
    this.#packetCount += sentCount;
    if (this.#report.starved) this.#starvedEpochCount++;
    return sentCount;
  }

  #submit(): void {
    checkAlive(this.#gpu, "go on with the kernel");
    this.#checkEpochsLeft();
    this.kernel.deviceChannel.put();
    this.#epoch++;
    const { starved } = this.#report;
    if (starved) this.#firstWave = (this.#firstWave + this.#portCount) % this.kernel.waveCount;
    const isFirst = this.#epoch === this.#firstEpoch;
    const { kernel } = this;
    kernel.setParams({
      epoch: this.#epoch,
      firstWave: this.#firstWave,
      isScarce: starved,
      isFirst,
    });
    const encoder = this.#gpu.device.createCommandEncoder();
    kernel.encode(encoder);
    this.#submitCopies(encoder);
  }

  #submitCopies(encoder: GPUCommandEncoder): void {
    this.kernel.deviceChannel.encodeOut(encoder, this.#target, this.#portBound);
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  /** The device has used ports beyond what was copied: once more, and so far from now on. */
  #copiesMore(): boolean {
    const bound = Math.min(this.#report.sentBelow, this.#portCount);
    if (bound <= this.#portBound) return false;
    this.#portBound = bound;
    this.#submitCopies(this.#gpu.device.createCommandEncoder());
    return true;
  }

  #receive(words: Int32Array): number {
    this.#report = readReport(words, this.#epoch);
    const { faultCode, faultWave } = this.#report;
    if (faultCode !== 0) this.#fault ??= new KernelFault(faultWave, faultCode);
    return this.kernel.deviceChannel.take(words, this.#portBound, this.#onMailboxFault);
  }

  #checkEpochsLeft(): void {
    if (this.#epoch - this.#firstEpoch + 1 < this.#epochsMax) return;
    const { suspended, starved, limited } = this.#report;
    const states = Object.entries({ suspended, starved, limited }).filter(([, is]) => is);
    const what = states.map(([name]) => name).join(", ") || "at work";
    throw new DOMException(
      `Cannot finish the kernel within ${this.#epochsMax} epochs: its waves are ${what} after ${this.#packetCount} packets`,
      "TimeoutError",
    );
  }
}
