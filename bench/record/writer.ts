import { join } from "@std/path";
import type { RunRecord, UnmeasuredPoint } from "./record.ts";

/** Significant digits of a sample in the file; the clock gives no more. */
const DIGITS = 6;

/**
 * Appends records to `<folder>/<runId>.jsonl`, one JSON object a line. Each record is written at
 * once, so that a sweep that is interrupted keeps what it has measured.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "./testdata/sample_record.ts";
 * import { RecordWriter } from "./writer.ts";
 * const folder = await Deno.makeTempDir();
 * const writer = await RecordWriter.create(folder, { runId: "monday" });
 * await writer.write(sampleRecord);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export class RecordWriter {
  /** The file. */
  readonly path: string;
  readonly #records: RunRecord[] = [];
  readonly #unmeasured: UnmeasuredPoint[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes the folder and an empty file.
   *
   * @throws {Deno.errors.AlreadyExists} when a run of the same id is there
   */
  static async create(
    folder: string,
    options: { readonly runId: string },
  ): Promise<RecordWriter> {
    await Deno.mkdir(folder, { recursive: true });
    const path = join(folder, `${options.runId}.jsonl`);
    try {
      await Deno.writeTextFile(path, "", { createNew: true });
    } catch (cause) {
      if (!(cause instanceof Deno.errors.AlreadyExists)) throw cause;
      throw new Deno.errors.AlreadyExists(
        `Cannot write the records as ${path} exists: choose another --run-id or remove the file`,
        { cause },
      );
    }
    return new RecordWriter(path);
  }

  /** Records written so far. */
  get records(): readonly RunRecord[] {
    return this.#records;
  }

  /** Points without samples that were written so far. */
  get unmeasured(): readonly UnmeasuredPoint[] {
    return this.#unmeasured;
  }

  /** Appends one record, or a point without samples. */
  async write(record: RunRecord | UnmeasuredPoint): Promise<void> {
    if ("outcome" in record) this.#unmeasured.push(record);
    else this.#records.push(record);
    await Deno.writeTextFile(this.path, recordLine(record), { append: true });
  }
}

/**
 * A record as a line of a file, with times shortened to six significant digits.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "./testdata/sample_record.ts";
 * import { recordLine } from "./writer.ts";
 * if (JSON.parse(recordLine(sampleRecord)).runId !== sampleRecord.runId) throw new Error("JSON");
 * ```
 */
export function recordLine(record: RunRecord | UnmeasuredPoint): string {
  return JSON.stringify(record, shortened) + "\n";
}

function shortened(key: string, value: unknown): unknown {
  if (!/Seconds$/.test(key) || !Array.isArray(value)) return value;
  return value.map((seconds: number) => Number(seconds.toPrecision(DIGITS)));
}
