import type { CopyOut, DeviceRead, DeviceTask } from "../device/readback.ts";
import type { MailboxReport } from "./channel/channel_download.ts";
import type { PutCounts } from "./channel/channel_upload.ts";
import {
  type DispatchNumbers,
  type DispatchReport,
  IDLE_REPORT,
  nextNumbers,
  NO_DISPATCH,
  readReport,
} from "./dispatch_report.ts";
import type { RefusalChoice } from "../run/run_report.ts";
import { framesOf, placedError } from "../wgsl/kernel_error.ts";
import { type EpochReport, RunTotals } from "./epoch_report.ts";
import type { DispatchParams, KernelPipeline } from "./kernel_pipeline.ts";
import { WaveWindow } from "./wave_window.ts";

/** Names the action in error messages. */
const RUN = "run the kernel";

/**
 * Runs one epoch after another for `Kernel`, without serving: put, submit, read back, take.
 */
export class EpochCycle {
  readonly #pipeline: KernelPipeline;
  readonly #onBadMailbox: (report: MailboxReport) => void;
  readonly #portCount: number;
  #isRunning = false;
  /** Never restarts, so that an earlier run's report is not mistaken for this one's. */
  #numbers: DispatchNumbers = NO_DISPATCH;
  #epochCount = 0;
  #epochsMax = 0;
  /** How many ports are copied out: those that the device has used so far. */
  #portBound: number;
  #window: WaveWindow;
  #report: DispatchReport = IDLE_REPORT;
  /** Consecutive epochs that have brought nothing to either side. */
  #idleCount = 0;
  #totals = new RunTotals();
  /** Says that waves have not finished within `epochsMax`, once it is so. */
  #unfinished: DOMException | undefined;

  constructor(pipeline: KernelPipeline, onBadMailbox: (report: MailboxReport) => void) {
    this.#pipeline = pipeline;
    this.#portCount = pipeline.deviceChannel.channel.layout.portCount;
    this.#portBound = Math.min(pipeline.waveCount, this.#portCount);
    this.#window = this.#newWindow();
    this.#onBadMailbox = (report) => {
      this.#totals.addBadMailbox();
      onBadMailbox(report);
    };
  }

  get epochCount(): number {
    return this.#epochCount;
  }

  #newWindow(): WaveWindow {
    return new WaveWindow({ waveCount: this.#pipeline.waveCount, portCount: this.#portCount });
  }

  /** Whether a run has started and was not stopped. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Whether a wave has not finished. */
  get isActive(): boolean {
    const { suspended, starved, limited } = this.#report;
    return suspended || starved || limited || !this.#window.hasBegunAll;
  }

  /** Whether a wave could continue without the host. */
  get isLimited(): boolean {
    return this.#report.limited;
  }

  /**
   * Whether another epoch would change nothing: no wave can continue before the server has returned
   * something. A wave that finds no port looks at others in every epoch.
   */
  get isStuck(): boolean {
    const idleCountMax = this.#report.starved ? this.#portCount : 0;
    const { begunBelow, end } = this.#window;
    return begunBelow === end && this.#idleCount > idleCountMax &&
      !this.#pipeline.deviceChannel.hasReturned;
  }

  /** Starts a run: the next epoch begins with the kernel's first step. */
  start(epochsMax: number): void {
    checkEpochsMax(epochsMax);
    if (this.#isRunning) throw new TypeError("Cannot run the kernel as it is running already");
    this.#pipeline.check(RUN);
    this.#checkPorts();
    this.#isRunning = true;
    this.#epochCount = 0;
    this.#epochsMax = epochsMax;
    this.#window = this.#newWindow();
    this.#report = IDLE_REPORT;
    this.#idleCount = 0;
    this.#totals = new RunTotals();
    this.#unfinished = undefined;
  }

  /** Rejects a run after abandoned waves, as they hold their ports and may still be answered. */
  #checkPorts(): void {
    const { suspended, starved } = this.#report;
    if (!suspended && !starved) return;
    throw new TypeError(
      "Cannot run the kernel again as its last run ended with calls under way: make another kernel, on a channel of its own",
    );
  }

  /** The totals of the run; the caller that serves it adds faults. */
  get totals(): RunTotals {
    return this.#totals;
  }

  /** Ends a run, finished or not. */
  stop(): void {
    this.#isRunning = false;
  }

  /** Runs one epoch, and returns the number of ports on which a packet was sent. */
  *epoch(): DeviceTask<number> {
    const { heap } = this.#pipeline;
    if (heap) yield* heap.prepare();
    this.#pipeline.check(RUN);
    this.#checkEpochsLeft();
    const asked = this.#tellsUnfinished;
    let put: PutCounts = { returnedCount: 0, continuedCount: 0 };
    let sentCount = 0;
    let kernelSeconds: number | undefined;
    let encode: DeviceRead["encode"] = (encoder, copyOut) => {
      put = this.#dispatch(encoder);
      this.#copyOut(encoder, copyOut);
    };
    const use = (words: Int32Array) => {
      kernelSeconds = this.#pipeline.secondsOf(words, this.#portBound);
      sentCount += this.#receive(words);
      heap?.takeAhead(words.subarray(this.#pipeline.readbackBytes(this.#portBound) / 4));
    };
    do {
      yield { what: RUN, encode, use };
      encode = (encoder, copyOut) => this.#copyOut(encoder, copyOut);
    } while (this.#needsMorePorts());
    const { takenSpares } = this.#report;
    const tailCount = yield* this.#pipeline.deviceChannel.takeTails(RUN, takenSpares);
    const packetCount = sentCount + tailCount;
    sentCount += put.continuedCount;
    if (heap && sentCount > 0) yield* heap.takeCalls();
    const isIdle = sentCount === 0 && put.returnedCount === 0 && !this.#report.limited;
    this.#idleCount = isIdle ? this.#idleCount + 1 : 0;
    const { starved, firstUnfinished } = this.#report;
    this.#window.advance({
      starved,
      firstUnfinished: asked ? firstUnfinished : this.#window.first,
    });
    this.#totals.addEpoch({ packetCount, isStarved: starved, kernelSeconds });
    return sentCount;
  }

  /**
   * Creates the report of the run, including what was served after its last epoch.
   *
   * @param thrown what has ended the run, if it did not come to its end
   * @throws what `checkOutcome` throws, or else `thrown`
   */
  report(refusals: RefusalChoice, thrown?: { readonly error: unknown }): EpochReport {
    const unfinished = thrown && this.#unfinished;
    if (thrown && thrown.error !== unfinished) throw thrown.error;
    this.#put();
    const { serviceNames } = this.#pipeline.source;
    return this.#totals.report(this.#epochCount, { refusals, serviceNames, unfinished });
  }

  #put(): PutCounts {
    const { deviceChannel } = this.#pipeline;
    return deviceChannel.put((index) => this.#totals.addRefusal(deviceChannel.channel, index));
  }

  #dispatch(encoder: GPUCommandEncoder): PutCounts {
    const counts = this.#put();
    this.#pipeline.heap?.beginDispatch();
    this.#epochCount++;
    this.#pipeline.encode(encoder, this.#dispatches());
    return counts;
  }

  /**
   * When ports are scarce, a second dispatch follows at once: a port that a wave closes in the first
   * can go to another wave in the second, since only the end of a dispatch orders the two.
   */
  #dispatches(): DispatchParams[] {
    const { starved: isScarce } = this.#report;
    const window = this.#window;
    const begun = [window.begunBelow, ...(isScarce ? [window.end] : [])];
    this.#numbers = nextNumbers(this.#numbers, begun.length);
    if (this.#numbers.isWrapped) this.#pipeline.deviceChannel.clearReport("unfinished");
    const { first } = this.#numbers;
    const params = { window, isScarce, tellsUnfinished: this.#tellsUnfinished };
    return begun.map((begunBelow, index) => ({ ...params, begunBelow, epoch: first + index }));
  }

  get #tellsUnfinished(): boolean {
    return this.#report.starved || this.#window.size < this.#pipeline.waveCount;
  }

  #copyOut(encoder: GPUCommandEncoder, copyOut: CopyOut): void {
    this.#pipeline.encodeDownload(encoder, copyOut, this.#portBound);
    this.#pipeline.heap?.copyAhead(copyOut, this.#pipeline.readbackBytes(this.#portBound));
  }

  /** Whether the device has used ports beyond the bound, which is raised to include them. */
  #needsMorePorts(): boolean {
    const bound = Math.min(this.#report.sentBelow, this.#portCount);
    if (bound <= this.#portBound) return false;
    this.#portBound = bound;
    return true;
  }

  #receive(words: Int32Array): number {
    this.#report = readReport(words, this.#numbers);
    const { error, failure, refusal } = this.#report;
    const { deviceChannel, source } = this.#pipeline;
    if (error) {
      this.#totals.addError(placedError(error, source, failure));
      deviceChannel.clearReport("error");
    }
    if (failure) deviceChannel.clearReport("failure");
    if (refusal) {
      this.#totals.addRefusedFrames(refusal.word, framesOf(refusal, source.failures));
      deviceChannel.clearReport("refusal");
    }
    return this.#pipeline.deviceChannel.take(words, this.#portBound, this.#onBadMailbox);
  }

  #checkEpochsLeft(): void {
    if (this.#epochCount < this.#epochsMax) return;
    const { suspended, starved, limited } = this.#report;
    const states = Object.entries({ suspended, starved, limited }).filter(([, is]) => is);
    const what = states.map(([name]) => name).join(", ") || "at work";
    const packets = `${this.#totals.packetCount} packets${this.#unanswered()}`;
    this.#unfinished = new DOMException(
      `Cannot finish the kernel within ${this.#epochsMax} epochs: its waves are ${what} after ${packets}`,
      "TimeoutError",
    );
    throw this.#unfinished;
  }

  /** Names the function of the host that has not answered, if there is one. */
  #unanswered(): string {
    const opcode = this.#pipeline.deviceChannel.unansweredOpcode;
    if (opcode === undefined) return "";
    const { name = `a call (opcode ${opcode})`, place = "" } =
      this.#pipeline.source.serviceNames.get(opcode) ?? {};
    return `; ${name}${place && ` ${place}`} has no answer`;
  }
}

function checkEpochsMax(epochsMax: number): void {
  if (Number.isInteger(epochsMax) && epochsMax >= 1) return;
  throw new RangeError(
    `Cannot run a kernel as epochsMax must be an integer of at least 1: current value is ${epochsMax}`,
  );
}
