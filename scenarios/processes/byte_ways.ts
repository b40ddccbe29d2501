/**
 * Calls by what one would take instead of shared memory: bytes go to another process, and come back with the
 * first word of each lane one larger.
 */
import { LANE_BYTES } from "../../core/memory/packet.ts";

/** By named pipes, or a socket of Unix. */
export type ByteWay = "pipe" | "unix_socket";

/** Where both ends meet, and how many bytes a call has, there and back. */
export interface BytePlace {
  /** A folder of this trial alone. */
  readonly folder: string;
  readonly byteCount: number;
}

/** This end. */
export interface ByteEnd {
  /** Sends bytes and gives those that came back; a promise where the way has nothing that blocks. */
  exchange(bytes: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>;
  close(): void;
}

/** Makes what the two ends need before either is there. */
export async function makePlace(way: ByteWay, { folder }: BytePlace): Promise<void> {
  if (way === "pipe") await makePipes(["there", "back"].map((name) => `${folder}/${name}`));
}

/** Makes pipes with names. */
export async function makePipes(paths: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [...paths] }).output();
  if (!success) throw new Error(`Cannot make pipes at ${paths.join(", ")}`);
}

/** Connects with the other process, which serves already. */
export async function connectBytes(way: ByteWay, place: BytePlace): Promise<ByteEnd> {
  return way === "pipe" ? connectPipe(place) : await connectSocket(place);
}

/** Serves in the other process until that is ended. */
export function serveBytes(way: ByteWay, place: BytePlace): void {
  if (way === "pipe") setTimeout(() => servePipe(place), 0);
  else void serveSocket(place);
}

/** What the other end does. */
function incrementWords(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let byte = 0; byte < bytes.length; byte += LANE_BYTES) {
    view.setUint32(byte, view.getUint32(byte, true) + 1, true);
  }
}

/** Both directions, so that nobody waits for the other end to open. */
function openPipe(path: string): Deno.FsFile {
  return Deno.openSync(path, { read: true, write: true });
}

function fillSync(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.readSync(bytes.subarray(done))!;
}

function writeAllSync(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

function connectPipe({ folder, byteCount }: BytePlace): ByteEnd {
  const [there, back] = ["there", "back"].map((name) => openPipe(`${folder}/${name}`));
  const answer = new Uint8Array(byteCount);
  return {
    exchange(bytes) {
      writeAllSync(there!, bytes);
      fillSync(back!, answer);
      return answer;
    },
    close() {
      there!.close();
      back!.close();
    },
  };
}

/** Blocks for good: the process ends with its parent. */
function servePipe({ folder, byteCount }: BytePlace): void {
  const [there, back] = ["there", "back"].map((name) => openPipe(`${folder}/${name}`));
  const bytes = new Uint8Array(byteCount);
  for (;;) {
    fillSync(there!, bytes);
    incrementWords(bytes);
    writeAllSync(back!, bytes);
  }
}

async function fill(connection: Deno.Conn, bytes: Uint8Array): Promise<boolean> {
  for (let done = 0; done < bytes.length;) {
    const count = await connection.read(bytes.subarray(done));
    if (count === null) return false;
    done += count;
  }
  return true;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await connection.write(bytes.subarray(done));
}

async function connectSocket({ folder, byteCount }: BytePlace): Promise<ByteEnd> {
  const connection = await Deno.connect({ transport: "unix", path: `${folder}/socket` });
  const answer = new Uint8Array(byteCount);
  return {
    async exchange(bytes) {
      await writeAll(connection, bytes);
      await fill(connection, answer);
      return answer;
    },
    close: () => connection.close(),
  };
}

async function serveSocket({ folder, byteCount }: BytePlace): Promise<void> {
  using listener = Deno.listen({ transport: "unix", path: `${folder}/socket` });
  using connection = await listener.accept();
  const bytes = new Uint8Array(byteCount);
  while (await fill(connection, bytes)) {
    incrementWords(bytes);
    await writeAll(connection, bytes);
  }
}
