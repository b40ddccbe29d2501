import { CallError } from "../../call/call_error.ts";
import { errorFrom, errorReport } from "../../call/error_report.ts";
import { USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import {
  framesText,
  KernelError,
  type KernelErrorReport,
  type KernelFrame,
} from "../wgsl/kernel_error.ts";
import type { KernelSource } from "../wgsl/kernel_source.ts";

/** Whether a run rejects when a call was refused, or only counts such calls. */
export type RefusalChoice = "reject" | "count";

/** A call that the server rejected, or whose handler failed. */
export interface Refusal {
  readonly opcode: number;
  readonly status: Status;
  /** The message of what the handler threw; empty when the status says everything. */
  readonly detail: string;
  /** The error itself, if the server passes it on. */
  readonly cause?: Error;
  /** The chain of calls that led to it; absent if it is unknown. */
  readonly frames?: readonly KernelFrame[];
}

/** What went wrong in a run, whichever way it ran. */
export interface RunOutcome {
  /** The first call that was refused, and how many were. */
  readonly refusal: Refusal | undefined;
  readonly refusedCount: number;
  /** The first rule that a wave broke, with its place. */
  readonly broken: KernelErrorReport | undefined;
  /** Why waves ended before they had finished, or did not end. */
  readonly unfinished: Error | undefined;
}

/**
 * Decides what a run rejects with. A refused call comes first: what its lane did with a result that means nothing
 * is a consequence, and is told with it. Then a broken rule, then waves that did not finish.
 *
 * @throws {CallError} when a call was refused, unless these are only counted
 * @throws {KernelError} when a wave broke a rule
 * @throws what `unfinished` is
 */
export function checkOutcome(
  { refusal, refusedCount, broken, unfinished }: RunOutcome,
  { refusals, serviceNames }: Partial<Pick<KernelSource, "serviceNames">> & {
    readonly refusals: RefusalChoice;
  },
): void {
  const error = broken ? new KernelError(broken) : unfinished;
  if (refusal && refusals === "reject") {
    throw refusalError(refusal, { refusedCount, error, serviceNames });
  }
  if (error) throw error;
}

function refusalError(
  { opcode, status, detail, cause, frames = [] }: Refusal,
  { refusedCount, error, serviceNames }: {
    readonly refusedCount: number;
    readonly error: Error | undefined;
    readonly serviceNames: KernelSource["serviceNames"] | undefined;
  },
): CallError {
  const reasons = [
    detail,
    status === Status.unhandledOpcode && opcode < USER_OPCODE_FIRST &&
    "serveHost(server) adds the services of this library",
  ].filter((reason) => reason).join("; ");
  const counted = `${refusedCount} failed ${refusedCount === 1 ? "call" : "calls"} in this run`;
  const then = error ? `\n  then: ${error.message}` : "";
  return new CallError(status, {
    opcode,
    ...serviceNames?.get(opcode),
    ...frames[0] && { place: `in line ${frames[0].line}` },
    detail: `${reasons ? `${reasons} (${counted})` : counted}${framesText(frames)}${then}`,
    ...(cause && { cause }),
  });
}

/** Adds what a handler threw to a refusal, if the fault is of the same call. */
export function withCause(refusal: Refusal, fault: FaultReport | undefined): Refusal {
  const { opcode, status } = refusal;
  if (fault?.opcode !== opcode || fault.status !== status || !("cause" in fault)) return refusal;
  const report = errorReport(fault.cause);
  const cause = fault.cause instanceof Error ? fault.cause : errorFrom(report);
  return { ...refusal, detail: report.message, cause };
}
