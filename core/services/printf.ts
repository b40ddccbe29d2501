import { parseFormat } from "../gpu/printf/conversion.ts";
import { LITTLE, printedText } from "../gpu/printf/ring/read_ring.ts";

/**
 * The text that one lane's `printf` makes. Nothing that it sends is trusted.
 *
 * @param stream the format's length in bytes, the format, filled up to whole words, and a word for
 * each number
 * @returns the text in UTF-8
 * @throws {RangeError} when the stream ends too early
 * @throws {TypeError} when the format is none, or has a text or a vector without a size in it
 *
 * @example
 * ```ts
 * import { servePrintf } from "./printf.ts";
 * const stream = new Uint8Array(new Uint32Array([3, 0x0a7525, 42]).buffer); // "%u\n"
 * const text = new TextDecoder().decode(servePrintf(stream));
 * if (text !== "42\n") throw new Error(text);
 * ```
 */
export function servePrintf(stream: Uint8Array): Uint8Array {
  const values = new DataView(stream.slice().buffer);
  const formatBytes = values.getUint32(0, LITTLE);
  if (formatBytes > values.byteLength - 4) {
    throw new RangeError(
      `Cannot print as the format must end within ${values.byteLength} bytes: current length is ${formatBytes}`,
    );
  }
  const pieces = parseFormat(
    new TextDecoder().decode(new Uint8Array(values.buffer, 4, formatBytes)),
  );
  const open = pieces.find((piece) => typeof piece !== "string" && /^[sv]$/.test(piece.letter));
  if (open !== undefined && typeof open !== "string") {
    throw new TypeError(
      `Cannot print as the format must name numbers only: current conversion is ${open.text}`,
    );
  }
  const firstByte = 4 + Math.ceil(formatBytes / 4) * 4;
  return new TextEncoder().encode(printedText(pieces, values, firstByte));
}
