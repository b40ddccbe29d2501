/** Bytes that are looked at in one step. */
const BLOCK_BYTES = 1 << 16;
const LINE_END = 10;

/**
 * Ends a records file with a whole line. A program that is killed while it writes may leave a part of
 * one, behind which the next record could not be read.
 *
 * @returns bytes that were cut off; 0 when the file ended with a line, or with one that only lacked its
 * line end, which is added
 *
 * @example
 * ```ts
 * import { mendLastLine } from "./mend_last_line.ts";
 * const path = await Deno.makeTempFile();
 * await Deno.writeTextFile(path, '{"a":1}\n{"a":');
 * if (await mendLastLine(path) !== 5) throw new Error("five bytes of a second line");
 * if (await Deno.readTextFile(path) !== '{"a":1}\n') throw new Error("the first is left");
 * await Deno.remove(path);
 * ```
 */
export async function mendLastLine(path: string): Promise<number> {
  using file = await Deno.open(path, { read: true, write: true });
  const { size } = await file.stat();
  const begin = await lastLineByte(file, size);
  if (begin === size) return 0;
  const rest = new TextDecoder().decode(await readPart(file, { begin, end: size }));
  if (!isJson(rest)) {
    await file.truncate(begin);
    return size - begin;
  }
  await file.seek(0, Deno.SeekMode.End);
  await file.write(new Uint8Array([LINE_END]));
  return 0;
}

/** Where the text after the last line end begins. */
async function lastLineByte(file: Deno.FsFile, size: number): Promise<number> {
  for (let end = size; end > 0;) {
    const begin = Math.max(0, end - BLOCK_BYTES);
    const at = (await readPart(file, { begin, end })).lastIndexOf(LINE_END);
    if (at >= 0) return begin + at + 1;
    end = begin;
  }
  return 0;
}

async function readPart(
  file: Deno.FsFile,
  part: { readonly begin: number; readonly end: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(part.end - part.begin);
  await file.seek(part.begin, Deno.SeekMode.Start);
  for (let done = 0; done < bytes.length;) {
    const count = await file.read(bytes.subarray(done));
    if (count === null) break;
    done += count;
  }
  return bytes;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
