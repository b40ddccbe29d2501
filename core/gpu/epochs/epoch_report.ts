import { CallError } from "../../call/call_error.ts";
import { errorFrom, errorReport } from "../../call/error_report.ts";
import { hasErrorText, readErrorText } from "../../call/error_text.ts";
import { OPCODE_MAX, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Status } from "../../memory/status.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { ServiceName } from "../resumable/text/services.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import {
  framesText,
  KernelError,
  type KernelErrorReport,
  type KernelFrame,
} from "../wgsl/kernel_error.ts";

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

/** A call that the server rejected, or whose handler failed. */
export interface Refusal {
  readonly opcode: number;
  readonly status: Status;
  /** The message of what the handler threw; empty when the status says everything. */
  readonly detail: string;
  /** The error itself, if the server passes it on. */
  readonly cause?: Error;
}

/** How a report treats rejected calls. */
interface RefusalChoice {
  readonly refusals: "reject" | "count";
  /** The author's name for a function of the host, and its callers; `undefined` if it has none. */
  readonly nameOf?: (opcode: number) => ServiceName | undefined;
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
  #error: KernelError | undefined;

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
    this.#error ??= new KernelError(report);
  }

  /**
   * Creates the report of a run.
   *
   * @throws {KernelError} when a wave broke a rule
   * @throws {CallError} when a call was rejected, unless these are only counted
   */
  report(epochCount: number, { refusals, nameOf = () => undefined }: RefusalChoice): EpochReport {
    if (this.#error) throw this.#error;
    if (this.#firstRefusal && refusals === "reject") {
      const { detail } = this.#firstRefusal;
      const refusal = {
        ...this.#firstRefusal,
        detail: detail || (this.#firstWaitError?.message ?? ""),
      };
      const frames = this.#refusedFrames.get(refusal.opcode) ?? [];
      throw refusalError(refusal, { failedCount: this.#refusedCallCount, nameOf, frames });
    }
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

/** Adds what a handler threw to a refusal, if the fault is of the same call. */
export function withCause(refusal: Refusal, fault: FaultReport | undefined): Refusal {
  const { opcode, status } = refusal;
  if (fault?.opcode !== opcode || fault.status !== status || !("cause" in fault)) return refusal;
  const report = errorReport(fault.cause);
  const cause = fault.cause instanceof Error ? fault.cause : errorFrom(report);
  return { ...refusal, detail: report.message, cause };
}

/** Creates the error of a run from its first refusal. */
export function refusalError(
  { opcode, status, detail, cause }: Refusal,
  { failedCount, nameOf, frames }: {
    readonly failedCount: number;
    readonly nameOf: NonNullable<RefusalChoice["nameOf"]>;
    /** The chain of calls that led to it; empty if it is unknown. */
    readonly frames: readonly KernelFrame[];
  },
): CallError {
  const reasons = [
    detail,
    status === Status.unhandledOpcode && opcode < USER_OPCODE_FIRST &&
    "serveHost(server) adds the services of this library",
  ].filter((reason) => reason).join("; ");
  const counted = `${failedCount} failed ${failedCount === 1 ? "call" : "calls"} in this run`;
  return new CallError(status, {
    opcode,
    ...nameOf(opcode),
    ...frames[0] && { place: `in line ${frames[0].line}` },
    detail: `${reasons ? `${reasons} (${counted})` : counted}${framesText(frames)}`,
    ...(cause && { cause }),
  });
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
