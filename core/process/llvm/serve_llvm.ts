import { recvStream, sendStream } from "../../call/stream.ts";
import { LIMIT_BYTES } from "../../call/limit.ts";
import type { Packet } from "../../memory/packet.ts";
import { ErrnoError } from "../../signature/mod.ts";
import { denoFiles, type FileHost } from "../../services/files/deno_files.ts";
import { denoProcess } from "../../services/process/deno_process.ts";
import type { ProcessHost } from "../../services/process/process_api.ts";
import { serveReserved } from "../../toggle/server/service_registry.ts";
import type { Handler } from "../../toggle/server/service_table.ts";
import type { Server } from "../../toggle/server/server.ts";
import { FileTable } from "./file_table.ts";
import { llvmOpcode } from "./llvm_opcode.ts";

/** What C's functions return when they fail. */
const EOF = -1n;
const NEWLINE = new Uint8Array([10]);

/** What LLVM's services work on. */
export interface ServeLlvmOptions {
  /** Files and standard streams; the machine's when absent. */
  readonly files?: FileHost;
  /** What ends the program and runs commands; this program when absent. */
  readonly process?: ProcessHost;
  /** Which commands `system` may run; none when absent. */
  readonly allowCommands?: (command: string) => boolean;
}

/**
 * Serves LLVM libc's own opcodes, to programs that were built with its header: writing, reading, files,
 * `remove`, `rename`, `system`, `exit` and `abort`. Each has LLVM's steps. What fails returns what C returns
 * then; `errno` does not cross. `malloc`, `free`, host calls and `printf` are not served, as the numbers in
 * them are addresses of the server's process: such a call comes back as it was sent, as each does that
 * LLVM's server does not know.
 *
 * @example
 * ```ts
 * import { Channel, Client, Server } from "../../mod.ts";
 * import { sendStream } from "../../call/stream.ts";
 * import { llvmOpcode } from "./llvm_opcode.ts";
 * import { serveLlvm } from "./serve_llvm.ts";
 *
 * const channel = Channel.create({ portCount: 4, laneCount: 1, wire: "llvm" });
 * const server = new Server(channel);
 * serveLlvm(server, { allowCommands: () => false });
 * ```
 */
export function serveLlvm(server: Server, options: ServeLlvmOptions = {}): void {
  const { files = denoFiles, process = denoProcess, allowCommands = () => false } = options;
  const table = new FileTable(files);
  const services: Readonly<Partial<Record<keyof typeof llvmOpcode, Handler>>> = {
    ...streamServices(table),
    ...readServices(table),
    ...pathServices(files, { process, allowCommands }),
    // A step each way first, so that the other side knows that it will not be answered.
    exit: (port) => {
      port.recvAndSend(() => {}).recv((packet) => {
        process.exit(packet.getUint32(packet.firstLane, 0) | 0);
      });
    },
    abort: (port) => void port.recvAndSend(() => {}).recv(() => process.abort()),
  };
  for (const [name, handler] of Object.entries(services)) {
    server[serveReserved](llvmOpcode[name as keyof typeof llvmOpcode], { handler });
  }
}

/** As {@linkcode serveLlvm} on the machine: this module is one that `startServer` loads by its URL. */
export function addServices(server: Server): void {
  serveLlvm(server);
}

type Services = Readonly<Record<string, Handler>>;

/** Services of open files. */
function streamServices(table: FileTable): Services {
  const write =
    (handle: bigint | undefined, ends: readonly Uint8Array[] = []): Handler => (port) => {
      const handles: bigint[] = [];
      if (handle === undefined) {
        port.recv((packet) => packet.forEachLane((lane) => handles[lane] = word(packet, lane, 0)));
      }
      const texts = recvStream(port);
      port.send((packet) =>
        packet.forEachLane((lane) => {
          const to = handle ?? handles[lane]!;
          setWord(packet, lane, orElse(0n, () => writeAll(table, to, [texts[lane]!, ...ends])));
        })
      );
    };
  const ofFile = (fallback: bigint, work: (words: bigint[]) => bigint): Handler => (port) => {
    port.recvAndSend((packet) =>
      packet.forEachLane((lane) => {
        const words = [0, 1, 2].map((index) => word(packet, lane, index));
        setWord(packet, lane, orElse(fallback, () => work(words)));
      })
    );
  };
  return {
    writeToStdout: write(2n),
    writeToStderr: write(3n),
    writeToStream: write(undefined),
    writeToStdoutNewline: write(2n, [NEWLINE]),
    closeFile: ofFile(EOF, ([handle]) => (table.close(handle!), 0n)),
    feof: ofFile(0n, ([handle]) => table.file(handle!).isAtEnd ? 1n : 0n),
    ferror: ofFile(1n, ([handle]) => table.file(handle!).hasFailed ? 1n : 0n),
    clearerr: ofFile(0n, ([handle]) => (table.file(handle!).clear(), 0n)),
    fseek: ofFile(EOF, ([handle, offset, whence]) => {
      table.file(handle!).seek(BigInt.asIntN(64, offset!), Number(BigInt.asIntN(32, whence!)));
      return 0n;
    }),
    ftell: ofFile(EOF, ([handle]) => table.file(handle!).tell()),
    // Nothing is kept back, so there is nothing to do.
    fflush: ofFile(EOF, ([handle]) => (handle === 0n || table.file(handle!), 0n)),
    ungetc: ofFile(EOF, ([byte, handle]) => {
      const value = BigInt.asIntN(32, byte!);
      if (value !== EOF) table.file(handle!).unread(Number(value & 0xffn));
      return value === EOF ? EOF : value & 0xffn;
    }),
    openFile: (port) => {
      const paths = recvTexts(port);
      port.recvAndSend((packet) =>
        packet.forEachLane((lane) => {
          const mode = textOf(packet.laneBytes(lane));
          setWord(packet, lane, orElse(0n, () => table.open(paths[lane]!, mode)));
        })
      );
    },
  };
}

/** Services that read, whose answers are streams. */
function readServices(table: FileTable): Services {
  const read = (port: Parameters<Handler>[0], what: "bytes" | "line") => {
    const bytes: Uint8Array[] = [];
    port.recv((packet) =>
      packet.forEachLane((lane) => {
        bytes[lane] = readSome(table, word(packet, lane, 1), word(packet, lane, 0), what);
      })
    );
    sendStream(port, bytes);
    return bytes;
  };
  return {
    readFromStream: (port) => {
      const bytes = read(port, "bytes");
      port.send((packet) =>
        packet.forEachLane((lane) => setWord(packet, lane, BigInt(bytes[lane]!.length)))
      );
    },
    readFgets: (port) => void read(port, "line"),
  };
}

/** Services of names of files, and of commands. */
function pathServices(
  files: FileHost,
  { process, allowCommands }: Required<Pick<ServeLlvmOptions, "process" | "allowCommands">>,
): Services {
  const answer = (port: Parameters<Handler>[0], work: (lane: number) => bigint) => {
    port.send((packet) =>
      packet.forEachLane((lane) => setWord(packet, lane, orElse(EOF, () => work(lane))))
    );
  };
  return {
    remove: (port) => {
      const paths = recvTexts(port);
      answer(port, (lane) => (files.remove(paths[lane]!), 0n));
    },
    rename: (port) => {
      const from = recvTexts(port);
      const to = recvTexts(port);
      answer(port, (lane) => (files.rename(from[lane]!, to[lane]!), 0n));
    },
    system: (port) => {
      const commands = recvTexts(port);
      answer(port, (lane) => {
        const command = commands[lane]!;
        return allowCommands(command) === true ? BigInt(process.run(command)) : EOF;
      });
    },
  };
}

function writeAll(table: FileTable, handle: bigint, parts: readonly Uint8Array[]): bigint {
  const file = table.file(handle);
  let count = 0;
  for (const part of parts) {
    const written = file.write(part);
    count += written;
    if (written < part.length) break;
  }
  return BigInt(count);
}

/** @param wanted how many bytes the client has room for: as many as a stream may have at most */
function readSome(
  table: FileTable,
  handle: bigint,
  wanted: bigint,
  what: "bytes" | "line",
): Uint8Array {
  try {
    const file = table.file(handle);
    const room = new Uint8Array(Number(wanted < LIMIT_BYTES ? wanted : LIMIT_BYTES));
    if (what === "bytes") return room.subarray(0, file.read(room));
    // As C's fgets: room for the NUL, which crosses with the line; nothing at the end of the file.
    const count = room.length > 1 ? file.readLine(room.subarray(0, -1)) : 0;
    room[count] = 0; // behind the line is what was read ahead
    return room.subarray(0, count && count + 1);
  } catch (error) {
    if (error instanceof ErrnoError) return new Uint8Array();
    throw error;
  }
}

/** What a call of C returns where it fails. */
function orElse(failed: bigint, work: () => bigint): bigint {
  try {
    return work();
  } catch (error) {
    if (error instanceof ErrnoError) return failed;
    throw error;
  }
}

/** A text a lane, as C has it: up to its NUL. */
function recvTexts(port: Parameters<Handler>[0]): (string | undefined)[] {
  return recvStream(port).map((bytes) => bytes && textOf(bytes));
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.slice(0, end < 0 ? bytes.length : end));
}

function word(packet: Packet, lane: number, index: number): bigint {
  const high = BigInt(packet.getUint32(lane, 2 * index + 1));
  return high << 32n | BigInt(packet.getUint32(lane, 2 * index));
}

function setWord(packet: Packet, lane: number, value: bigint): void {
  packet.setUint32(lane, 0, Number(BigInt.asUintN(32, value)));
  packet.setUint32(lane, 1, Number(BigInt.asUintN(32, value >> 32n)));
}
