import { ErrnoError } from "../../../signature/mod.ts";
import { type FileHost, type HostFile, type OpenMode, openMode } from "../deno_files.ts";

/** A file in memory; reads and writes so many bytes at a time. */
class MemoryFile implements HostFile {
  readonly #bytes: number[];
  readonly #mode: OpenMode;
  readonly #stepBytes: number;
  #place = 0;
  closeCount = 0;

  constructor(bytes: number[], mode: OpenMode, stepBytes: number) {
    this.#bytes = bytes;
    this.#mode = mode;
    this.#stepBytes = stepBytes;
  }

  read(target: Uint8Array): number {
    if (!this.#mode.read) throw new ErrnoError(9, "read");
    const left = Math.max(0, this.#bytes.length - this.#place);
    const count = Math.min(target.length, this.#stepBytes, left);
    target.set(this.#bytes.slice(this.#place, this.#place + count));
    this.#place += count;
    return count;
  }

  write(bytes: Uint8Array): number {
    if (!this.#mode.write) throw new ErrnoError(9, "write");
    if (this.#mode.append) this.#place = this.#bytes.length;
    const some = bytes.subarray(0, this.#stepBytes);
    this.#bytes.splice(this.#place, some.length, ...some);
    this.#place += some.length;
    return some.length;
  }

  seek(offsetBytes: bigint, whence: 0 | 1 | 2): bigint {
    const from = [0, this.#place, this.#bytes.length][whence]!;
    const place = from + Number(offsetBytes);
    if (place < 0) throw new ErrnoError(22, "seek");
    this.#place = place;
    return BigInt(place);
  }

  close(): void {
    this.closeCount++;
  }
}

const BOTH: OpenMode = { ...openMode("r+")!, create: true };

/** Files in memory, for tests: `stepBytes` at a time, so that short reads and writes happen. */
export class MemoryFiles implements FileHost {
  readonly standard;
  readonly #files = new Map<string, number[]>();
  readonly #standard: readonly number[][] = [[], [], []];
  readonly #stepBytes: number;

  constructor({ stepBytes = 3 }: { readonly stepBytes?: number } = {}) {
    this.#stepBytes = stepBytes;
    const [input, output, error] = this.#standard.map((bytes) => this.openBytes(bytes));
    this.standard = [input!, output!, error!] as const;
  }

  openBytes(bytes: number[], mode: OpenMode = BOTH): MemoryFile {
    return new MemoryFile(bytes, mode, this.#stepBytes);
  }

  /** What is in a file, or was written to a standard stream. */
  text(name: string | 0 | 1 | 2): string {
    return new TextDecoder().decode(this.bytes(name));
  }

  /** As {@linkcode text}, the bytes. */
  bytes(name: string | 0 | 1 | 2): Uint8Array {
    const bytes = typeof name === "string" ? this.#files.get(name) : this.#standard[name];
    return new Uint8Array(bytes ?? []);
  }

  open(path: string, mode: OpenMode): HostFile {
    const known = this.#files.get(path);
    if (!known && !mode.create) throw new ErrnoError(2, `open ${path}`);
    if (known && mode.createNew) throw new ErrnoError(17, `open ${path}`);
    const bytes = known ?? [];
    if (mode.truncate) bytes.length = 0;
    this.#files.set(path, bytes);
    return this.openBytes(bytes, mode);
  }

  remove(path: string): void {
    if (!this.#files.delete(path)) throw new ErrnoError(2, `remove ${path}`);
  }

  rename(from: string, to: string): void {
    const bytes = this.#files.get(from);
    if (!bytes) throw new ErrnoError(2, `rename ${from}`);
    this.#files.delete(from);
    this.#files.set(to, bytes);
  }
}
