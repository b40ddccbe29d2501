import { brotliDecompressSync } from "node:zlib";
import { join } from "node:path";

const BLOCK_BYTES = 512;
const REGULAR_FILE = new Set(["0", "\0"]);

/**
 * The regular files of a tar archive, by their names without folders, as views of the archive.
 *
 * Reads the ustar format of POSIX.1-1988, for names up to 100 bytes and sizes below 8 GiB.
 *
 * @throws {RangeError} when a member reaches beyond the archive
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

/** With its version: a program of another folder has no `deno.json` that gives the name a meaning. */
const PACKAGE = "npm:@sparticuz/chromium@153.0.0";
/** Part of the folder's name. */
const PACKAGE_VERSION = PACKAGE.split("@").at(-1);
const LIBRARY = "libvulkan.so.1";
const DRIVER = "vk_swiftshader_icd.json";
const FILES: readonly string[] = [LIBRARY, "libvk_swiftshader.so", DRIVER];

/** Absolute paths of the unpacked files. */
export interface SwiftShaderFiles {
  /** The Vulkan loader; a process opens it before it asks for its first adapter. */
  readonly libraryPath: string;
  /** The file that describes the driver; `VK_DRIVER_FILES` names it. */
  readonly driverPath: string;
}

/** Why SwiftShader cannot run here, or `undefined` when it can. */
export function swiftShaderObstacle(): string | undefined {
  const { os, arch } = Deno.build;
  if (os === "linux" && arch === "x86_64") return undefined;
  return `the packaged SwiftShader is built for linux x86_64 and this is ${os} ${arch}`;
}

/**
 * The folder for the unpacked files: in `PORTLAB_CACHE_DIR`, or else in the user's cache folder, or
 * else in the system's folder for temporary files.
 */
export function swiftShaderFolder(): string {
  const home = Deno.env.get("HOME");
  const cache = Deno.env.get("PORTLAB_CACHE_DIR") ?? Deno.env.get("XDG_CACHE_HOME") ??
    (home ? join(home, ".cache") : Deno.env.get("TMPDIR") ?? "/tmp");
  return join(cache, "portlab", `swiftshader-${PACKAGE_VERSION}`);
}

/**
 * Unpacks SwiftShader from its npm package, unless an earlier process has done so.
 *
 * Several processes may do this at the same time: each unpacks into a folder of its own and renames
 * that folder. The first rename succeeds, the others fail and find the work done.
 *
 * @throws {Error} when the package cannot be loaded or the folder cannot be written
 */
export async function unpackSwiftShader(): Promise<SwiftShaderFiles> {
  const folder = swiftShaderFolder();
  if (!isComplete(folder)) await fillFolder(folder);
  return { libraryPath: join(folder, LIBRARY), driverPath: join(folder, DRIVER) };
}

function isComplete(folder: string): boolean {
  try {
    return FILES.every((name) => Deno.statSync(join(folder, name)).size > 0);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function fillFolder(folder: string): Promise<void> {
  // The import makes Deno fetch the package where it is not cached; resolving its name would not.
  await import(PACKAGE);
  const archive = new URL("../bin/swiftshader.tar.br", import.meta.resolve(PACKAGE));
  const files = filesOfTar(brotliDecompressSync(Deno.readFileSync(archive)));
  const parent = join(folder, "..");
  Deno.mkdirSync(parent, { recursive: true });
  const draft = Deno.makeTempDirSync({ dir: parent, prefix: "swiftshader-draft-" });
  for (const name of FILES) Deno.writeFileSync(join(draft, name), files.get(name)!);
  publish(draft, folder);
}

function publish(draft: string, folder: string): void {
  try {
    Deno.renameSync(draft, folder);
  } catch (error) {
    Deno.removeSync(draft, { recursive: true });
    if (!isComplete(folder)) throw error;
  }
}
