/** A file that is open. What fails is thrown as an `ErrnoError`. */
export interface HostFile {
  /** Reads some bytes from where the file stands; returns how many, 0 at its end. May block. */
  read(target: Uint8Array): number;
  /** Writes some of the bytes; returns how many. May block. */
  write(bytes: Uint8Array): number;
  /** Moves so many bytes from the start (0), from here (1) or from the end (2); returns where it stands. */
  seek(offsetBytes: bigint, whence: 0 | 1 | 2): bigint;
  /** Gives the file back; nothing else is done with it then. */
  close(): void;
}

/** How a file is opened. */
export interface OpenMode {
  /** It may be read. */
  readonly read: boolean;
  /** It may be written. */
  readonly write: boolean;
  /** Every write goes to the end. */
  readonly append: boolean;
  /** What was there is dropped. */
  readonly truncate: boolean;
  /** It is made where there is none. */
  readonly create: boolean;
  /** It must not be there already. */
  readonly createNew: boolean;
}

/** What services of files need of the machine; tests inject another. */
export interface FileHost {
  /** Standard input, output and error. Closing one of them does nothing. */
  readonly standard: readonly [HostFile, HostFile, HostFile];
  /** Opens a file. */
  open(path: string, mode: OpenMode): HostFile;
  /** Takes a file or an empty folder away. */
  remove(path: string): void;
  /** Gives it another name, in place of what had that. */
  rename(from: string, to: string): void;
}

const MODE = /^([rwa])(?:b?\+?|\+b)(x?)$/;

/**
 * What a mode of C's `fopen` means: `r`, `w` or `a`, then `b` and `+` in any order, then `x`.
 *
 * @returns `undefined` for what is no mode
 *
 * @example
 * ```ts
 * import { openMode } from "./file_host.ts";
 * if (openMode("r+b")?.write !== true || openMode("rw") !== undefined) throw new Error("as C has it");
 * ```
 */
export function openMode(mode: string): OpenMode | undefined {
  const [, letter, exclusive] = MODE.exec(mode) ?? [];
  if (letter === undefined || (exclusive === "x" && letter !== "w")) return undefined;
  const isBoth = mode.includes("+");
  return {
    read: letter === "r" || isBoth,
    write: letter !== "r" || isBoth,
    append: letter === "a",
    truncate: letter === "w",
    create: letter !== "r",
    createNew: exclusive === "x",
  };
}
