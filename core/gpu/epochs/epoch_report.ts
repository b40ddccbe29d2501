import { hasErrorText, readErrorText } from "../../call/error_text.ts";
import { OPCODE_MAX } from "../../memory/opcode.ts";
import { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import type { Status } from "../../memory/status.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import { checkOutcome, type Refusal, type RefusalChoice, withCause } from "../run/run_report.ts";
import type { KernelErrorReport, KernelFrame } from "../wgsl/kernel_error.ts";
import type { KernelSource } from "../wgsl/kernel_source.ts";

/** The outcome of a run. */
export interface EpochReport {
  /** The number of epochs. */
  readonly epochCount: number;
  /** Packets that the device has sent to the host. */
  readonly packetCount: number;
  /** Epochs in which a wave found no free port, or no room for the packets of a stream. */
  readonly starvedEpochCount: number;
  /** Calls that the server rejected, or whose handler failed. */
  readonly refusedCallCount: number;
  /** Mailboxes that the kernel has overwritten with values that violate the protocol. */
  readonly badMailboxCount: number;
  /** Seconds of work by the device's clock; absent unless the kernel is `timed`. */
  readonly kernelSeconds?: number;
}

/** What one run has counted so far. */
export class RunTotals {
  #packetCount = 0;
  #starvedEpochCount = 0;
  #badMailboxCount = 0;
  #kernelSeconds: number | undefined;
  #refusedCallCount = 0;
  #firstRefusal: Refusal | undefined;
  /** The faults that the server has reported since the last look at the ports, by port. */
  readonly #faults = new Map<number, FaultReport>();
  /** Where calls that were refused came from, by their opcodes. */
  readonly #refusedFrames = new Map<number, readonly KernelFrame[]>();
  #firstWaitError: Error | undefined;
  #broken: KernelErrorReport | undefined;

  /** Packets that the device has sent to the host. */
  get packetCount(): number {
    return this.#packetCount;
  }

  addEpoch(
    epoch: {
      readonly packetCount: number;
      readonly isStarved: boolean;
      readonly kernelSeconds?: number | undefined;
    },
  ): void {
    const { packetCount, isStarved, kernelSeconds } = epoch;
    this.#packetCount += packetCount;
    if (isStarved) this.#starvedEpochCount++;
    if (kernelSeconds !== undefined) {
      this.#kernelSeconds = (this.#kernelSeconds ?? 0) + kernelSeconds;
    }
  }

  addBadMailbox(): void {
    this.#badMailboxCount++;
  }

  /** Records a fault of the server; the packet itself holds only the beginning of the text. */
  addFault(fault: FaultReport): void {
    if (!this.#firstRefusal) this.#faults.set(fault.portIndex, fault);
  }

  /** Records a rejected call, whose port is still as the server has left it. */
  addRefusal(channel: Channel, portIndex: number): void {
    this.#refusedCallCount++;
    this.#firstRefusal ??= this.#wholeRefusal(readRefusal(channel, portIndex), portIndex);
  }

  /**
   * Records a handler that failed while waiting for its wave. The wave does not notice, as it already
   * owned the packet; its next send is rejected.
   */
  addWaitError(error: Error): void {
    this.#firstWaitError ??= error;
  }

  /** Records the chain of calls that led to a rejected call; that of the first by its opcode stays. */
  addRefusedFrames(opcode: number, frames: readonly KernelFrame[]): void {
    if (!this.#refusedFrames.has(opcode)) this.#refusedFrames.set(opcode, frames);
  }

  #wholeRefusal(refusal: Refusal, portIndex: number): Refusal {
    const fault = this.#faults.get(portIndex);
    this.#faults.clear();
    return withCause(refusal, fault);
  }

  addError(report: KernelErrorReport): void {
    this.#broken ??= report;
  }

  /**
   * Creates the report of a run.
   *
   * @param options `unfinished` says why its waves have not finished, where they have not
   * @throws what {@linkcode checkOutcome} throws
   */
  report(
    epochCount: number,
    { refusals, serviceNames, unfinished }: Partial<Pick<KernelSource, "serviceNames">> & {
      readonly refusals: RefusalChoice;
      readonly unfinished?: Error | undefined;
    },
  ): EpochReport {
    const first = this.#firstRefusal;
    const refusal = first && {
      ...first,
      detail: first.detail || (this.#firstWaitError?.message ?? ""),
      frames: this.#refusedFrames.get(first.opcode) ?? [],
    };
    const [broken, refusedCount] = [this.#broken, this.#refusedCallCount];
    const names = serviceNames && { serviceNames };
    checkOutcome({ refusal, refusedCount, broken, unfinished }, { refusals, ...names });
    return {
      epochCount,
      packetCount: this.#packetCount,
      starvedEpochCount: this.#starvedEpochCount,
      refusedCallCount: this.#refusedCallCount,
      badMailboxCount: this.#badMailboxCount,
      ...(this.#kernelSeconds !== undefined && { kernelSeconds: this.#kernelSeconds }),
    };
  }
}

function readRefusal({ words: { plain }, layout }: Channel, portIndex: number): Refusal {
  const header = layout.headersWord + portIndex * layout.headerStride;
  const status = plain[header + 3] as Status;
  const packet = new Packet(new PacketViews(plain, layout));
  packet.aim(portIndex, plain[header]!, plain[header + 1]!);
  return {
    opcode: plain[header + 2]! & OPCODE_MAX,
    status,
    detail: hasErrorText(status) ? readErrorText(packet) : "",
  };
}
