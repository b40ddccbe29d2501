import { dirname, join } from "@std/path";
import type { RunRecord, UnmeasuredPoint } from "./record.ts";

/** Significant digits of a sample in the file; the clock gives no more. */
const DIGITS = 6;

/** What is in a records file. */
export interface RecordLines {
  /** Points with their samples. */
  readonly records: readonly RunRecord[];
  /** Points that were skipped, or failed. */
  readonly unmeasured: readonly UnmeasuredPoint[];
}

/**
 * Appends records to `<folder>/<runId>.jsonl`, one JSON object a line. Each record is on the disk
 * before `write` returns, so that a sweep that is interrupted keeps what it has measured.
 *
 * The file is locked until the writer is disposed or its process ends, however it ends: two sweeps that
 * go on with one file would make every visit twice. Where a file system knows no locks there is none.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "./testdata/sample_record.ts";
 * import { RecordWriter } from "./writer.ts";
 * const folder = await Deno.makeTempDir();
 * using writer = await RecordWriter.create(folder, { runId: "monday" });
 * await writer.write(sampleRecord);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export class RecordWriter implements Disposable {
  /** The file. */
  readonly path: string;
  readonly #locked: Deno.FsFile;
  readonly #records: RunRecord[];
  readonly #unmeasured: UnmeasuredPoint[];

  private constructor(
    path: string,
    { locked, records, unmeasured }: RecordLines & { readonly locked: Deno.FsFile },
  ) {
    this.path = path;
    this.#locked = locked;
    this.#records = [...records];
    this.#unmeasured = [...unmeasured];
  }

  /**
   * Makes the folder and an empty file.
   *
   * @throws {Deno.errors.AlreadyExists} when a run of the same id is there
   * @throws {Error} when the system does not let it be written
   */
  static async create(
    folder: string,
    options: { readonly runId: string },
  ): Promise<RecordWriter> {
    const path = join(folder, `${options.runId}.jsonl`);
    try {
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(path, "", { createNew: true });
    } catch (cause) {
      if (!(cause instanceof Deno.errors.AlreadyExists)) {
        throw new Error(`Cannot write ${path} as the system says "${systemText(cause)}"`, {
          cause,
        });
      }
      throw new Deno.errors.AlreadyExists(
        `Cannot write the records as ${path} exists: choose another --run-id, remove the file, or go ` +
          `on with it by --resume ${path}`,
        { cause },
      );
    }
    return new RecordWriter(path, { locked: await lock(path), records: [], unmeasured: [] });
  }

  /**
   * Goes on with a file. A last line that was cut off is removed first.
   *
   * @param read gives what the file holds; called when no other program can write to it
   * @throws {Deno.errors.Busy} when another program writes to it
   */
  static async resume(path: string, read: () => Promise<RecordLines>): Promise<RecordWriter> {
    const locked = await lock(path);
    try {
      const lines = await read();
      await mendLastLine(path);
      return new RecordWriter(path, { ...lines, locked });
    } catch (error) {
      locked.close();
      throw error;
    }
  }

  /** Lets other programs write to the file. */
  [Symbol.dispose](): void {
    this.#locked.close();
  }

  /** Records in the file. */
  get records(): readonly RunRecord[] {
    return this.#records;
  }

  /** Points without samples in the file. */
  get unmeasured(): readonly UnmeasuredPoint[] {
    return this.#unmeasured;
  }

  /**
   * Appends one record, or a point without samples.
   *
   * @throws {Error} when the system does not take the whole line; the file is as before then
   */
  async write(record: RunRecord | UnmeasuredPoint): Promise<void> {
    const line = recordLine(record);
    await appendLine(this.path, line);
    const written = JSON.parse(line); // what is shown now is what is read from the file later
    if ("outcome" in record) this.#unmeasured.push(written);
    else this.#records.push(written);
  }
}

async function lock(path: string): Promise<Deno.FsFile> {
  const file = await Deno.open(path, { append: true });
  if (await file.tryLock(true).catch(() => true)) return file;
  file.close();
  throw new Deno.errors.Busy(
    `Cannot write to ${path} as another program does: wait for its end, or go on with a copy`,
  );
}

/** Appends all of a line or nothing, also where the disk fills up within it. */
async function appendLine(path: string, line: string): Promise<void> {
  using file = await Deno.open(path, { append: true });
  const { size } = await file.stat();
  const bytes = new TextEncoder().encode(line);
  try {
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
    await file.syncData();
  } catch (cause) {
    await file.truncate(size);
    throw new Error(
      `Cannot write to ${path} as the system says "${
        systemText(cause)
      }": what was measured before is in the ` +
        `file; make room, then go on by --resume ${path}`,
      { cause },
    );
  }
}

/** A record as a line of a file, with times shortened to six significant digits. */
export function recordLine(record: RunRecord | UnmeasuredPoint): string {
  return JSON.stringify(record, shortened) + "\n";
}

function shortened(key: string, value: unknown): unknown {
  if (!/Seconds$/.test(key) || !Array.isArray(value)) return value;
  return value.map((seconds: number) => Number(seconds.toPrecision(DIGITS)));
}

/**
 * Writes a file that appears under its name when it is whole, in a folder that is made where there is
 * none. A file that was there before is replaced, or left as it was when writing fails.
 *
 * @param content a text, bytes, or texts that follow one another
 * @throws {Error} which names the file and says what the system says; nothing is left behind
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array | Iterable<string>,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await writeParts(part, typeof content === "object" ? content : [content]);
    await Deno.rename(part, path);
  } catch (cause) {
    await Deno.remove(part).catch(() => {});
    throw new Error(`Cannot write ${path} as the system says "${systemText(cause)}"`, { cause });
  }
}

async function writeParts(path: string, content: Uint8Array | Iterable<string>): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  for (const part of content instanceof Uint8Array ? [content] : content) {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
  }
  await file.sync();
}

/** What the system says of a file, without the call and the path that Deno adds. */
export function systemText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replace(/: \w+ '.*$/, "");
}

/** Bytes that are looked at in one step. */
const BLOCK_BYTES = 1 << 16;
const LINE_END = 10;

/**
 * Ends a records file with a whole line. A program that is killed while it writes may leave a part of
 * one, behind which the next record could not be read.
 *
 * @returns bytes that were cut off; 0 when the file ended with a line, or with one that only lacked its
 * line end, which is added
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
