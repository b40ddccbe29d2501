import { FormatCache, type FormatPiece, parseFormat, wordsOfPieces } from "../text/conversion.ts";
import { type FormatWriter, formatWriter, LITTLE } from "../text/format_writer.ts";
import type { TextWriter } from "../text/text_writer.ts";

/** The longest text of one stream: a record of 4 bytes may name a format of any length again. */
const TEXT_BYTES_MAX = 1 << 26;
/** In the head of a record: its format stands in an earlier one, whose head is at the byte that follows. */
export const FORMAT_BEFORE = 0x8000_0000;

/** A format that was met before. */
interface KnownFormat {
  readonly bytes: Uint8Array;
  readonly argumentBytes: number;
  readonly write: FormatWriter;
}

/**
 * Makes text of what lanes send by `printf`. Nothing that they send is trusted. Formats are kept, so that
 * each is taken apart once.
 *
 * A stream holds one record or several: the length of the format in bytes, the format, filled up to whole
 * words, and a word for each number. In place of a length, {@linkcode FORMAT_BEFORE} and the byte of an
 * earlier record stand for the format of that.
 */
export class PrintfStreams {
  readonly #known = new FormatCache<number, KnownFormat>();

  /**
   * Adds the text of a stream.
   *
   * @throws {RangeError} when it ends too early, or its text is longer than 64 MiB
   * @throws {TypeError} when a format is none, or has a text or a vector without a size in it
   */
  addTo(writer: TextWriter, stream: DataView, streamBytes: number): void {
    const start = writer.length;
    let byte = 0;
    let format: KnownFormat | undefined;
    let knownByte = -1;
    do {
      checkEnd(byte + 4, streamBytes);
      const head = stream.getUint32(byte, LITTLE);
      const isBefore = head >= FORMAT_BEFORE;
      const formatByte = isBefore ? head - FORMAT_BEFORE : byte;
      if (isBefore) checkBefore(formatByte, byte);
      const formatBytes = stream.getUint32(formatByte, LITTLE);
      // Most records have the format of the one before: it is looked for once.
      if (formatByte !== knownByte) {
        checkEnd(formatByte + 4 + formatBytes, streamBytes);
        format = this.#find(stream, formatByte + 4, formatBytes);
        knownByte = formatByte;
      }
      const { argumentBytes, write } = format!;
      const argumentsByte = byte + 4 + (isBefore ? 0 : Math.ceil(formatBytes / 4) * 4);
      byte = argumentsByte + argumentBytes;
      checkEnd(byte, streamBytes);
      write(writer, stream, argumentsByte);
      checkText(writer.length - start);
    } while (byte < streamBytes);
  }

  #find(stream: DataView, firstByte: number, formatBytes: number): KnownFormat {
    return this.#known.find(formatBytes, ({ bytes }) => isAt(stream, firstByte, bytes)) ??
      this.#learn(stream, firstByte, formatBytes);
  }

  #learn(stream: DataView, firstByte: number, formatBytes: number): KnownFormat {
    const bytes = new Uint8Array(stream.buffer, stream.byteOffset + firstByte, formatBytes).slice();
    const pieces = parseFormat(new TextDecoder().decode(bytes));
    checkNumbersOnly(pieces);
    const format = { bytes, argumentBytes: wordsOfPieces(pieces) * 4, write: formatWriter(pieces) };
    return this.#known.learn(formatBytes, formatBytes, format);
  }
}

function isAt(stream: DataView, firstByte: number, bytes: Uint8Array): boolean {
  for (let byte = 0; byte < bytes.length; byte++) {
    if (stream.getUint8(firstByte + byte) !== bytes[byte]) return false;
  }
  return true;
}

function checkEnd(end: number, streamBytes: number): void {
  if (end <= streamBytes) return;
  throw new RangeError(
    `Cannot print as a record must end within ${streamBytes} bytes: current end is ${end}`,
  );
}

function checkText(textBytes: number): void {
  if (textBytes <= TEXT_BYTES_MAX) return;
  throw new RangeError(
    `Cannot print as the text of a stream may have ${TEXT_BYTES_MAX} bytes: current value is ${textBytes}`,
  );
}

/** What is named has to be in front: else a format could be made of what follows. */
function checkBefore(formatByte: number, recordByte: number): void {
  if (formatByte % 4 === 0 && formatByte < recordByte) return;
  throw new RangeError(
    `Cannot print as the format of a record must stand in front of its byte ${recordByte}: current byte is ${formatByte}`,
  );
}

function checkNumbersOnly(pieces: readonly FormatPiece[]): void {
  const open = pieces.find((piece) => typeof piece !== "string" && /^[sv]$/.test(piece.letter));
  if (open === undefined || typeof open === "string") return;
  throw new TypeError(
    `Cannot print as the format must name numbers only: current conversion is ${open.text}`,
  );
}
