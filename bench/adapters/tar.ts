const BLOCK_BYTES = 512;
const REGULAR_FILE = new Set(["0", "\0"]);

/**
 * The regular files of a tar archive, by their names without folders, as views of the archive.
 *
 * Reads the ustar format of POSIX.1-1988, for names up to 100 bytes and sizes below 8 GiB.
 *
 * @throws {RangeError} when a member reaches beyond the archive
 *
 * @example
 * ```ts
 * import { filesOfTar } from "./tar.ts";
 * if (filesOfTar(new Uint8Array(1024)).size !== 0) throw new Error("two empty blocks end an archive");
 * ```
 */
export function filesOfTar(archive: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let byte = 0; byte + BLOCK_BYTES <= archive.length;) {
    const path = text(archive.subarray(byte, byte + 100));
    if (path === "") break;
    const size = sizeOf(archive, { byte, path });
    const start = byte + BLOCK_BYTES;
    if (REGULAR_FILE.has(String.fromCharCode(archive[byte + 156]!))) {
      files.set(path.slice(path.lastIndexOf("/") + 1), archive.subarray(start, start + size));
    }
    byte = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return files;
}

function sizeOf(archive: Uint8Array, member: { readonly byte: number; readonly path: string }) {
  const { byte, path } = member;
  const size = parseInt(text(archive.subarray(byte + 124, byte + 136)) || "0", 8);
  if (size <= archive.length - byte - BLOCK_BYTES) return size;
  throw new RangeError(
    `Cannot read ${path} as the archive ends inside it: it needs ${size} bytes of ${archive.length}`,
  );
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end)).trim();
}
