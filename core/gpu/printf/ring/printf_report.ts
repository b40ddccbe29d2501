import { TextWriter } from "../../../text/text_writer.ts";
import { labelCalls, type PrintedTextOptions } from "./printed_text.ts";
import type { PrintedCall, RingContent } from "./read_ring.ts";

/** How what was printed is handed over. */
export interface PrintedOptions extends PrintedTextOptions {
  /** Is given each call. What it throws ends the reading, and the calls behind are lost. */
  readonly sink?: (text: string, call: PrintedCall) => void;
}

/** What a device has printed since the last look, but for the text. */
export interface PrintfCounts {
  /** How many calls the text holds. */
  readonly callCount: number;
  /** Calls that found the ring full; none of them is in the text in part. From 4026531840 on it may be more. */
  readonly lostCount: number;
  /** Words in the ring that are none of its records; 0 unless something else wrote there. */
  readonly damagedWords: number;
  /** What is missing in the text, a sentence each; empty when nothing is. */
  readonly warnings: readonly string[];
}

/** What a device has printed since the last look. */
export interface PrintfReport extends PrintfCounts {
  /** All calls, one behind the other. */
  readonly text: string;
}

/** What a device has printed since the last look, for a file. */
export interface PrintfBytes extends PrintfCounts {
  /** All calls, one behind the other, in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Makes a text of what was in a ring of so many bytes, and hands over each call. */
export function reportOf(
  content: RingContent,
  options: PrintedOptions,
  bytes: number,
): PrintfReport {
  const { sink, isLabelled = false } = options;
  const counts = countsOf(content, bytes);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (!sink && !isLabelled) return { text: decoder.decode(writtenOf(content)), ...counts };
  const calls = content.records.calls();
  const texts: string[] = [];
  for (const call of isLabelled ? labelCalls(calls) : calls) {
    sink?.(call.text, call);
    texts.push(call.text);
  }
  return { text: texts.join(""), ...counts };
}

/** As {@linkcode reportOf}, without strings. */
export function bytesOf(content: RingContent, bytes: number): PrintfBytes {
  return { bytes: writtenOf(content).slice(), ...countsOf(content, bytes) };
}

function writtenOf({ records }: RingContent): Uint8Array<ArrayBuffer> {
  const writer = new TextWriter();
  records.addTo(writer);
  return writer.written;
}

function countsOf(content: RingContent, bytes: number): PrintfCounts {
  const { records: { count: callCount }, lostCount, damagedWords } = content;
  return { callCount, lostCount, damagedWords, warnings: warningsOf(content, bytes) };
}

function warningsOf({ lostCount, damagedWords }: RingContent, bytes: number): string[] {
  const warnings: string[] = [];
  if (lostCount > 0) {
    warnings.push(
      `${lostCount} calls of printf were lost as the ring of ${bytes} bytes was full: attach a larger one by the option bytes, or read it more often`,
    );
  }
  if (damagedWords > 0) {
    warnings.push(
      `${damagedWords} words of the ring are no records, and what they held is lost: something else has written into its buffer`,
    );
  }
  return warnings;
}
