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
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { KernelError, type KernelErrorReport } from "../wgsl/kernel_error.ts";

/** What a run did. */
export interface EpochReport {
  /** Dispatches. */
  readonly epochCount: number;
  /** Packets that the device has given to the host. */
  readonly packetCount: number;
  /** Epochs in which some wave found no free port. */
  readonly starvedEpochCount: number;
  /** Calls that the server refused, or whose handler failed. */
  readonly refusedCallCount: number;
  /** Mailboxes that the kernel had overwritten with what no client could write. */
  readonly badMailboxCount: number;
  /** Seconds that the device was at work, by its clock; absent unless the kernel is `timed`. */
  readonly kernelSeconds?: number;
}

/** A call that the server refused, or whose handler failed. */
interface Refusal {
  readonly opcode: number;
  readonly status: Status;
  /** The text of what the handler threw; empty when the status says all. */
  readonly detail: string;
  /** That itself, where the server tells. */
  readonly cause?: Error;
}

/** How a report tells of refused calls. */
interface RefusalChoice {
  readonly refusals: "reject" | "count";
  /** What the author calls a function of the host, and where; `undefined` for what has no name. */
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
  /** What the server has told since the ports were looked at, by port. */
  readonly #faults = new Map<number, FaultReport>();
  #firstWaitError: Error | undefined;
  #error: KernelError | undefined;

  /** Packets that the device has given to the host. */
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

  /** Takes note of what the server says of a call, whose packet has the beginning of its text only. */
  addFault(fault: FaultReport): void {
    if (!this.#firstRefusal) this.#faults.set(fault.portIndex, fault);
  }

  /** Takes account of a refused call, whose port is still as the server has left it. */
  addRefusal(channel: Channel, portIndex: number): void {
    this.#refusedCallCount++;
    this.#firstRefusal ??= this.#wholeRefusal(readRefusal(channel, portIndex), portIndex);
  }

  /**
   * Takes account of a handler that failed as it waited for its wave. The wave does not see that, as
   * the packet was its own already; what it sends next is refused.
   */
  addWaitError(error: Error): void {
    this.#firstWaitError ??= error;
  }

  #wholeRefusal(refusal: Refusal, portIndex: number): Refusal {
    const fault = this.#faults.get(portIndex);
    this.#faults.clear();
    const { opcode, status } = refusal;
    if (fault?.opcode !== opcode || fault.status !== status || !("cause" in fault)) return refusal;
    const report = errorReport(fault.cause);
    const cause = fault.cause instanceof Error ? fault.cause : errorFrom(report);
    return { ...refusal, detail: report.message, cause };
  }

  addError(report: KernelErrorReport): void {
    this.#error ??= new KernelError(report);
  }

  /**
   * What a run of so many epochs did.
   *
   * @throws {KernelError} when a wave broke a rule
   * @throws {CallError} when a call was refused, unless refusals only count
   */
  report(epochCount: number, { refusals, nameOf = () => undefined }: RefusalChoice): EpochReport {
    if (this.#error) throw this.#error;
    if (this.#firstRefusal && refusals === "reject") {
      throw this.#refusalError(this.#firstRefusal, nameOf);
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

  #refusalError(
    { opcode, status, detail, cause }: Refusal,
    nameOf: NonNullable<RefusalChoice["nameOf"]>,
  ): CallError {
    const reasons = [
      detail || this.#firstWaitError?.message,
      status === Status.unhandledOpcode && opcode < USER_OPCODE_FIRST &&
      "register(server) adds the services of this library",
      `${this.#refusedCallCount} in this run`,
    ];
    return new CallError(status, {
      opcode,
      ...nameOf(opcode),
      detail: reasons.filter((reason) => reason).join("; "),
      ...(cause && { cause }),
    });
  }
}

function readRefusal({ words: { plain }, layout }: Channel, portIndex: number): Refusal {
  const header = layout.headersWord + portIndex * HEADER_WORDS;
  const status = plain[header + 3] as Status;
  const packet = new Packet(new PacketViews(plain, layout));
  packet.aim(portIndex, plain[header]!, plain[header + 1]!);
  return {
    opcode: plain[header + 2]! & OPCODE_MAX,
    status,
    detail: hasErrorText(status) ? readErrorText(packet) : "",
  };
}
