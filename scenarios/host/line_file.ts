/** Where a file begins again from its start: its pages stay in memory, and the disk is not filled. */
export const REWIND_BYTES = 1 << 24;

/** A file that lines are written to, for as long as one wants. */
export class LineFile implements Disposable {
  /** Where it is, for other threads and programs. */
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #isOwner: boolean;
  #place = 0;
  #writtenBytes = 0;

  private constructor(path: string, isOwner: boolean) {
    this.path = path;
    this.#file = Deno.openSync(path, { write: true });
    this.#isOwner = isOwner;
  }

  /** Makes a file, which goes when this is disposed of. */
  static create(): LineFile {
    return new LineFile(Deno.makeTempFileSync({ prefix: "portlab_lines_" }), true);
  }

  /** Opens a file that another thread has made. */
  static open(path: string): LineFile {
    return new LineFile(path, false);
  }

  /** Bytes that were ever written. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Writes some of the bytes; returns how many. */
  write(bytes: Uint8Array): number {
    if (this.#place > REWIND_BYTES) this.#place = this.#file.seekSync(0, Deno.SeekMode.Start);
    const count = this.#file.writeSync(bytes);
    this.#place += count;
    this.#writtenBytes += count;
    return count;
  }

  [Symbol.dispose](): void {
    this.#file.close();
    if (this.#isOwner) Deno.removeSync(this.path);
  }
}
