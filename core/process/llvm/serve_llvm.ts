import { sendStream } from "../../call/stream.ts";
import { ErrnoError } from "../../signature/mod.ts";
import { denoFiles, type FileHost } from "../../services/files/deno_files.ts";
import { denoProcess } from "../../services/process/deno_process.ts";
import type { ProcessHost } from "../../services/process/process_api.ts";
import { checkOwnServer, serveReserved } from "../../toggle/server/service_registry.ts";
import type { Handler } from "../../toggle/server/service_table.ts";
import type { Server } from "../../toggle/server/server.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { FileTable } from "./file_table.ts";
import {
  type LlvmPort,
  recvBytes,
  recvEach,
  recvTexts,
  setWords,
  TEXT_BYTES_MAX,
  untilNul,
  word,
} from "./lane_streams.ts";
import { LlvmFormat } from "./llvm_format.ts";
import { llvmOpcode } from "./llvm_opcode.ts";

/** The most bytes that lanes together read in one call: a client may ask for 2^64. */
const READ_BYTES_MAX = 1 << 26;
/** How many bytes of a stream are kept until they are written. */
const PIECE_BYTES = 1 << 16;

/** The most bytes of texts that one `printf` keeps, of all lanes. */
const PRINTED_BYTES_MAX = 1 << 26;
/** The most bytes of arguments that a format can name: each conversion has two letters and 16 bytes. */
const ARGUMENT_BYTES_MAX = 8 * TEXT_BYTES_MAX;
const NULL = 0n;

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
 * `printf`, `remove`, `rename`, `system`, `exit` and `abort`. Each has LLVM's steps. What fails returns what C
 * returns then; `errno` does not cross. `printf` returns -1, too, where a width or a precision is over 4095,
 * takes no notice of `%n`, and rounds a `long double` to a `double`. `malloc`, `free` and host calls are not
 * served, as the numbers in them are addresses of the server's process: such a call comes back as it was
 * sent, as each does that LLVM's server does not know.
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
  checkOwnServer(server);
  checkOptionNames("serve LLVM's opcodes", options, ["files", "process", "allowCommands"]);
  const { files = denoFiles, process = denoProcess, allowCommands = () => false } = options;
  const table = new FileTable(files);
  const services: Readonly<Partial<Record<keyof typeof llvmOpcode, Handler>>> = {
    ...streamServices(table),
    ...readServices(table),
    ...printServices(table),
    ...pathServices(files, { process, allowCommands }),
    // A step each way first, so that the other side knows that it will not be answered.
    // Closed before the end: a server that takes the file next would find the call.
    exit: (port) => {
      let status = 0;
      const last = port.recvAndSend(() => {}).recv((packet) => {
        status = packet.getUint32(packet.firstLane, 0) | 0;
      });
      last.close();
      process.exit(status);
    },
    abort: (port) => {
      port.recvAndSend(() => {}).recv(() => {}).close();
      process.abort();
    },
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
      const writers: Writer[] = [];
      recvEach(port, (lane, bytes) => {
        writers[lane] ??= new Writer(table, handle ?? handles[lane]!);
        writers[lane].take(bytes);
      });
      port.send((packet) =>
        packet.forEachLane((lane) => {
          const writer = writers[lane] ?? new Writer(table, handle ?? handles[lane]!);
          for (const end of ends) writer.take(end);
          setWords(packet, lane, [writer.end()]);
        })
      );
    };
  const ofFile = (fallback: bigint, work: (words: bigint[]) => bigint): Handler => (port) => {
    port.recvAndSend((packet) =>
      packet.forEachLane((lane) => {
        const words = [0, 1, 2].map((index) => word(packet, lane, index));
        setWords(packet, lane, [orElse(fallback, () => work(words))]);
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
          setWords(packet, lane, [orElse(0n, () => table.open(paths[lane]!, mode))]);
        })
      );
    },
  };
}

/** Services that read, whose answers are streams. */
function readServices(table: FileTable): Services {
  const read = (port: LlvmPort, what: "bytes" | "line") => {
    const bytes: Uint8Array[] = [];
    port.recv((packet) => {
      let laneCount = 0;
      packet.forEachLane(() => laneCount++);
      const bytesMax = BigInt(Math.floor(READ_BYTES_MAX / laneCount));
      packet.forEachLane((lane) => {
        const wanted = word(packet, lane, 0);
        const room = new Uint8Array(Number(wanted < bytesMax ? wanted : bytesMax));
        bytes[lane] = readSome(table, word(packet, lane, 1), room, what);
      });
    });
    sendStream(port, bytes);
    return bytes;
  };
  return {
    readFromStream: (port) => {
      const bytes = read(port, "bytes");
      port.send((packet) =>
        packet.forEachLane((lane) => setWords(packet, lane, [BigInt(bytes[lane]!.length)]))
      );
    },
    readFgets: (port) => void read(port, "line"),
  };
}

/** `printf`, by whose format the server asks for arguments, and for the text behind each pointer. */
function printServices(table: FileTable): Services {
  const print = (handle: bigint | undefined, isPacked: boolean): Handler => (port) => {
    const handles: bigint[] = [];
    if (handle === undefined) {
      port.recv((packet) => packet.forEachLane((lane) => handles[lane] = word(packet, lane, 0)));
    }
    const formats = recvBytes(port, TEXT_BYTES_MAX).map((bytes) =>
      bytes && new LlvmFormat(untilNul(bytes), { isPacked })
    );
    port.send((packet) =>
      packet.forEachLane((lane) => setWords(packet, lane, [BigInt(formats[lane]!.argumentBytes)]))
    );
    const values = recvBytes(port, ARGUMENT_BYTES_MAX);
    const texts = recvPointed(
      port,
      formats.map((format, lane) => format?.textPointers(values[lane]!)),
    );
    const results = formats.map((format, lane) =>
      format && orElse(EOF, () => {
        const bytes = format.print(values[lane]!, texts[lane]!);
        const written = table.file(handle ?? handles[lane]!).write(bytes);
        return written === bytes.length ? BigInt(written) : EOF;
      })
    );
    port.send((packet) =>
      packet.forEachLane((lane) => setWords(packet, lane, [results[lane]!, NULL]))
    );
  };
  return {
    printfToStdout: print(2n, false),
    printfToStderr: print(3n, false),
    printfToStream: print(undefined, false),
    printfToStdoutPacked: print(2n, true),
    printfToStderrPacked: print(3n, true),
    printfToStreamPacked: print(undefined, true),
  };
}

/** Asks each lane for what its pointers are of, one after the other; a lane that has no more gives nothing. */
function recvPointed(
  port: LlvmPort,
  pointers: readonly (readonly bigint[] | undefined)[],
): Uint8Array[][] {
  const texts: Uint8Array[][] = pointers.map(() => []);
  // Of lanes that take no part there is nothing, not even `undefined`, which `map` would pass over.
  const countMax = Math.max(...Array.from(pointers, (ofLane) => ofLane?.length ?? 0));
  // Lanes share what is kept, however many texts their formats name.
  let bytesLeft = PRINTED_BYTES_MAX;
  for (let count = 0; count < countMax; count++) {
    port.send((packet) =>
      packet.forEachLane((lane) => setWords(packet, lane, [0n, pointers[lane]![count] ?? NULL]))
    );
    recvBytes(port, Math.min(TEXT_BYTES_MAX, bytesLeft)).forEach((bytes, lane) => {
      if (pointers[lane]![count] === undefined) return;
      texts[lane]!.push(bytes!);
      bytesLeft = Math.max(0, bytesLeft - bytes!.length);
    });
  }
  return texts;
}

/** Services of names of files, and of commands. */
function pathServices(
  files: FileHost,
  { process, allowCommands }: Required<Pick<ServeLlvmOptions, "process" | "allowCommands">>,
): Services {
  const answer = (port: LlvmPort, work: (lane: number) => bigint) => {
    port.send((packet) =>
      packet.forEachLane((lane) => setWords(packet, lane, [orElse(EOF, () => work(lane))]))
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

/** Writes what comes in pieces, as C's fwrite: up to the first that the file does not take whole. */
class Writer {
  readonly #table: FileTable;
  readonly #handle: bigint;
  #kept = new Uint8Array(256);
  #keptBytes = 0;
  #writtenBytes = 0;
  #hasFailed = false;

  constructor(table: FileTable, handle: bigint) {
    this.#table = table;
    this.#handle = handle;
  }

  /** @param bytes a part of a packet: 64 at most */
  take(bytes: Uint8Array): void {
    if (this.#keptBytes + bytes.length > PIECE_BYTES) this.#flush();
    if (this.#keptBytes + bytes.length > this.#kept.length) {
      const larger = new Uint8Array(Math.min(PIECE_BYTES, 4 * this.#kept.length));
      larger.set(this.#kept);
      this.#kept = larger;
    }
    this.#kept.set(bytes, this.#keptBytes);
    this.#keptBytes += bytes.length;
  }

  /** @returns how many bytes were written */
  end(): bigint {
    this.#flush();
    return BigInt(this.#writtenBytes);
  }

  #flush(): void {
    const piece = this.#kept.subarray(0, this.#keptBytes);
    this.#keptBytes = 0;
    if (this.#hasFailed) return;
    const written = Number(
      orElse(0n, () => BigInt(this.#table.file(this.#handle).write(piece))),
    );
    this.#writtenBytes += written;
    this.#hasFailed = written < piece.length;
  }
}

/** @param room as much as the client has room for, or less */
function readSome(
  table: FileTable,
  handle: bigint,
  room: Uint8Array,
  what: "bytes" | "line",
): Uint8Array {
  try {
    const file = table.file(handle);
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

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(untilNul(bytes).slice());
}
