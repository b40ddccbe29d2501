import type { Host } from "./host.ts";

/** Texts of lanes, one behind the other. */
export interface LaneTexts {
  readonly text: Uint8Array;
  /** Where the text of each lane ends, in bytes, in the order of the lanes. */
  readonly ends: readonly number[];
}

/**
 * Writes the texts of all lanes to standard output in one piece: a write for each lane would cost more
 * than the text. Short writes are continued; a host that takes nothing ends the lane that it stands at,
 * and the next lane is tried.
 *
 * @returns how many bytes of each lane were written
 *
 * @example
 * ```ts
 * import { serveWriteStdout } from "./stdout.ts";
 * const writes: string[] = [];
 * const host = {
 *   writeStdout: (bytes: Uint8Array) => writes.push(new TextDecoder().decode(bytes)) && bytes.length,
 * };
 * const text = new TextEncoder().encode("hello world");
 * const written = serveWriteStdout(host, { text, ends: [6, 11] });
 * if (written.join() !== "6,5" || writes.join("|") !== "hello world") throw new Error("one write");
 * ```
 */
export function serveWriteStdout(host: Host, { text, ends }: LaneTexts): number[] {
  const written = ends.map((end, lane) => end - (lane === 0 ? 0 : ends[lane - 1]!));
  let offset = 0;
  while (offset < text.length) {
    const countBytes = host.writeStdout(text.subarray(offset));
    if (countBytes > 0) offset += countBytes;
    else {
      const at = offset;
      const lane = ends.findIndex((end) => end > at);
      written[lane]! -= ends[lane]! - at;
      offset = ends[lane]!;
    }
  }
  return written;
}
