import { refusePromise } from "../../memory/sync_result.ts";
import type { HostFile } from "../files/file_host.ts";
import { type AuditEntry, auditLine, LINE_BYTES_MIN } from "./audit_line.ts";

/** Takes a line of the log, with its line feed; what it throws says that the line is lost. No promise. */
export type AuditSink = (line: string) => void;

/** How a log is limited. */
export interface AuditLimits {
  /** The longest line, in bytes. */
  readonly lineBytes: number;
  /** The longest log, in bytes, give or take the calls that are under way. */
  readonly logBytes: number;
}

/**
 * The log of one guest. It fails closed: a call that cannot be logged is not made, as a sandbox whose
 * calls nobody can look up later is none. Where a line is lost, the log says so before the next call is
 * made, once its sink takes lines again; until then every call is refused.
 *
 * @example
 * ```ts
 * import { AuditLog } from "./audit_log.ts";
 * const lines: string[] = [];
 * const limits = { lineBytes: 2048, logBytes: 1 << 20 };
 * const log = new AuditLog("formatter", (line) => lines.push(line), limits);
 * log.checkOpen();
 * log.write({ time: log.time(), call: "files.fopen", verdict: "deny" });
 * if (!lines[0]?.includes('"verdict":"deny"')) throw new Error(lines[0]);
 * ```
 */
export class AuditLog {
  readonly #guest: string;
  readonly #sink: AuditSink;
  readonly #limits: AuditLimits;
  #writtenBytes = 0;
  #lostCount = 0;

  /** @throws {RangeError} when a limit is none, or too short for a line */
  constructor(guest: string, sink: AuditSink, limits: AuditLimits) {
    const { lineBytes, logBytes } = limits;
    if (!(lineBytes >= LINE_BYTES_MIN) || !(logBytes >= lineBytes)) {
      throw new RangeError(
        `Cannot keep a log as a line must have room for ${LINE_BYTES_MIN} bytes and the log for a line: current value is ${lineBytes} and ${logBytes}`,
      );
    }
    this.#guest = guest;
    this.#sink = sink;
    this.#limits = limits;
  }

  /** Now, as entries have it. */
  time(): string {
    return new Date().toISOString();
  }

  /** Whether it has reached its limit. */
  get isFull(): boolean {
    return this.#writtenBytes >= this.#limits.logBytes;
  }

  /** Whether its last line was lost, so that nothing is let through. */
  get isFailing(): boolean {
    return this.#lostCount > 0;
  }

  /**
   * To be asked before a call is made.
   *
   * @throws {AuditError} when the log takes no more: the call must not be made
   */
  checkOpen(): void {
    if (this.isFull) throw new AuditError("it is full");
    if (this.#lostCount === 0) return;
    const error = `${this.#lostCount} lines were lost`;
    this.write({ time: this.time(), call: "sandbox.log", verdict: "refuse", error });
    this.#lostCount = 0;
  }

  /** @throws {AuditError} when the line is lost */
  write(entry: Omit<AuditEntry, "guest">): void {
    const { time, ...rest } = entry;
    const line = auditLine({ time, guest: this.#guest, ...rest }, this.#limits.lineBytes);
    try {
      const told: unknown = this.#sink(line);
      refusePromise(told, "an audit sink"); // whether the line is lost would come too late
    } catch (cause) {
      this.#lostCount++;
      throw new AuditError("its sink failed", { cause });
    }
    this.#writtenBytes += line.length;
  }
}

/** The audit log takes no line, so that no call is made. */
export class AuditError extends Error {
  /** The name of the class, also in another isolate. */
  override readonly name = "AuditError";

  /** Says why. */
  constructor(why: string, options?: ErrorOptions) {
    super(`Cannot go on without the audit log: ${why}`, options);
  }
}

/**
 * A sink that writes whole lines to a file: one that was opened for appending, as by
 * `denoFiles.open(path, openMode("a")!)`. After a write that failed half way it begins a new line.
 */
export function auditTo(file: HostFile): AuditSink {
  let isTorn = false;
  return (line) => {
    const bytes = new TextEncoder().encode(isTorn ? `\n${line}` : line);
    isTorn = true;
    for (let done = 0; done < bytes.length;) {
      const count = file.write(bytes.subarray(done));
      if (count <= 0) throw new Error("Cannot write to the log as its file takes nothing");
      done += count;
    }
    isTorn = false;
  };
}
