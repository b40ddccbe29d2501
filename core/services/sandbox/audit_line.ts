/** What the audit log says of a call. */
export interface AuditEntry {
  /** When it began, as ISO 8601 in UTC. */
  readonly time: string;
  /** Who made it. */
  readonly guest: string;
  /** `api.function`, or `opcode N` where no function was reached. */
  readonly call: string;
  /** `refuse`: no function was reached, as the request is broken or there is no such function. */
  readonly verdict: "allow" | "deny" | "rewrite" | "refuse";
  /** As the guest gave them. */
  readonly arguments?: readonly unknown[];
  /** With which the call was made, where a rule changed them. */
  readonly became?: readonly unknown[];
  /** What the function returned. */
  readonly result?: unknown;
  /** C's name of what failed. */
  readonly errno?: string;
  /** What else failed. */
  readonly error?: string;
  /** How long it took. */
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
 *
 * @example
 * ```ts
 * import { auditLine } from "./audit_line.ts";
 * const entry = { time: "2026-01-01T00:00:00.000Z", guest: "g", call: "files.remove" } as const;
 * const line = auditLine({ ...entry, verdict: "deny", arguments: ["a\n{}\u001b[2J"] }, 2048);
 * if (!line.includes(String.raw`"a\n{}\u001b[2J"`) || line.indexOf("\n") !== line.length - 1) {
 *   throw new Error(line);
 * }
 * ```
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
