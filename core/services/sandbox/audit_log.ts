import { refusePromise } from "../../memory/sync_result.ts";
import type { HostFile } from "../files/deno_files.ts";
import type { Verdict } from "./policy.ts";

/** Takes a line of the log, with its line feed; what it throws says that the line is lost. No promise. */
export type AuditSink = (line: string) => void;

export interface AuditLimits {
  readonly lineBytes: number;
  /** The longest log, in bytes, give or take the calls that are under way. */
  readonly logBytes: number;
}

/**
 * The log of one guest. It fails closed: a call that cannot be logged is not made, as a sandbox whose
 * calls nobody can look up later is none. Where a line is lost, the log says so before the next call is
 * made, once its sink takes lines again; until then every call is refused.
 */
export class AuditLog {
  /** How many lines it was asked to write, those that were lost among them. */
  entryCount = 0;
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
    this.write({ call: "sandbox.log", verdict: "refuse", error });
    this.#lostCount = 0;
  }

  /** @throws {AuditError} when the line is lost */
  write({ time = auditTime(), ...rest }: AuditEntry): void {
    const line = auditLine({ time, guest: this.#guest, ...rest }, this.#limits.lineBytes);
    this.entryCount++;
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

/** Now, as entries have it. */
export function auditTime(): string {
  return new Date().toISOString();
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

export interface AuditEntry {
  /** When it began, as ISO 8601 in UTC; now when absent. */
  readonly time?: string;
  /** Who made it; whose log it is when absent. */
  readonly guest?: string;
  /** `api.function`, or `opcode N` where no function was reached. */
  readonly call: string;
  /** `refuse`: no function was reached, as the request is broken or there is no such function. */
  readonly verdict: Verdict["kind"] | "refuse";
  /** As the guest gave them. */
  readonly arguments?: readonly unknown[];
  /** With which the call was made, where a rule changed them. */
  readonly became?: readonly unknown[];
  readonly result?: unknown;
  /** C's name of what failed. */
  readonly errno?: string;
  readonly error?: string;
  readonly microseconds?: number;
}

const LETTERS_MAX = 64;
const ITEMS_MAX = 8;
const FIELDS_MAX = 16;
const DEPTH_MAX = 4;

/** The shortest limit of a line that holds who, what and why, whatever they are. */
export const LINE_BYTES_MIN = 1536;

/**
 * One line of JSON, in printable ASCII with a line feed behind it, whatever is in the entry: no text can
 * end the line, or do anything to a terminal. What is long is shortened, texts at 64 letters; a line
 * that is still longer than the limit loses its arguments.
 */
export function auditLine(entry: AuditEntry, lineBytesMax: number): string {
  const line = asciiJson(shown(entry, 0));
  if (line.length < lineBytesMax) return `${line}\n`;
  const { time, guest, call, verdict, errno, microseconds } = entry;
  const short = { time, guest, call, verdict, cut: true, errno, microseconds };
  return `${asciiJson(shown(short, 0))}\n`;
}

/** JSON.stringify leaves DEL, C1 controls, line separators and marks that turn the writing as they are. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A guest's text for an error of the host's: what would do something to a terminal is escaped. */
export function printable(text: string): string {
  return text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`,
  );
}

/** A value as the log shows it: what JSON has not is an object, which no text of a guest's looks like. */
function shown(value: unknown, depth: number): unknown {
  if (typeof value === "string") return shownText(value);
  if (typeof value === "boolean" || value === null || Number.isFinite(value)) return value;
  if (value === undefined) return undefined;
  if (typeof value !== "object") return { [typeof value]: shownText(String(value)) };
  if (ArrayBuffer.isView(value)) return { bytes: value.byteLength };
  if (depth === DEPTH_MAX) return { more: 1 };
  if (Array.isArray(value)) return shownItems(value, depth);
  const fields = Object.entries(value).slice(0, FIELDS_MAX);
  return Object.fromEntries(fields.map(([key, one]) => [key, shown(one, depth + 1)]));
}

function shownItems(items: readonly unknown[], depth: number): unknown[] {
  const first = items.slice(0, ITEMS_MAX).map((item) => shown(item, depth + 1));
  return items.length > ITEMS_MAX ? [...first, { more: items.length - ITEMS_MAX }] : first;
}

function shownText(text: string): unknown {
  if (text.length <= LETTERS_MAX) return text;
  return { text: text.slice(0, LETTERS_MAX), letters: text.length };
}
