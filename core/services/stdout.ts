import type { Host } from "./host.ts";

/**
 * Writes each lane's bytes to standard output, in lane order, whole lanes at a time. Short writes
 * are continued; a host that takes nothing ends the lane early.
 *
 * @returns the bytes written, by lane
 *
 * @example
 * ```ts
 * import { serveWriteStdout } from "./stdout.ts";
 * const lines: string[] = [];
 * const host = {
 *   writeStdout: (bytes: Uint8Array) => lines.push(new TextDecoder().decode(bytes)) && bytes.length,
 * };
 * const written = serveWriteStdout(host, new Map([[3, new TextEncoder().encode("hello")]]));
 * if (written.get(3) !== 5 || lines[0] !== "hello") throw new Error("five bytes");
 * ```
 */
export function serveWriteStdout(
  host: Host,
  lanes: ReadonlyMap<number, Uint8Array>,
): Map<number, number> {
  const written = new Map<number, number>();
  for (const [lane, bytes] of lanes) written.set(lane, writeAll(host, bytes));
  return written;
}

function writeAll(host: Host, bytes: Uint8Array): number {
  let offset = 0;
  while (offset < bytes.length) {
    const countBytes = host.writeStdout(bytes.subarray(offset));
    if (countBytes <= 0) break;
    offset += countBytes;
  }
  return offset;
}
