import type { Channel } from "../../toggle/channel.ts";
import { type ChannelLayout, channelLayout } from "../../toggle/layout.ts";
import type { WireName } from "../../toggle/wire/llvm_regions.ts";
import { mapChannel } from "../../system/mapped_channel.ts";
import { MappedFile } from "../../system/mapped_file.ts";

/** The memory of a channel that LLVM's library has at its other side. */
export interface LlvmFileShape {
  /** As the other side has it: 1 to 16384, or to 4096 with `llvm-2025`. */
  readonly portCount: number;
  /** As the other side has it: 1 to 64. A client on a host has 1. */
  readonly laneCount: number;
  /** The form of LLVM's memory; `llvm`, the newest, when absent. */
  readonly wire?: Exclude<WireName, "portlab">;
}

/**
 * A file that is the memory of LLVM libc's `shared/rpc.h`, from byte 0, and nothing else. Programs that
 * were built with that header map it; this process has a channel over it, for clients or servers, whose
 * locks and bells are its own: **each side is one process**, with any number of threads.
 *
 * What LLVM's memory cannot say: its clients are told of no failure (the packet comes back as the service
 * left it), they do not learn that the server has gone, and nobody rings: who sleeps here looks twice a
 * millisecond.
 *
 * @example
 * ```ts
 * import { Client, Server } from "../../mod.ts";
 * import { LlvmFile } from "./llvm_file.ts";
 *
 * if (Deno.build.os === "linux") {
 *   const path = `/dev/shm/portlab-${crypto.randomUUID()}`;
 *   const shape = { portCount: 4, laneCount: 1 };
 *   using serverFile = new LlvmFile(path, shape); // in the process that serves
 *   using clientFile = new LlvmFile(path, shape); // in another, or in one of C++
 *   const server = new Server(serverFile.channel);
 *   server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 *   const served = server.runAsync();
 *   let sum = 0;
 *   await new Client(clientFile.channel).callAsync(40_000, {
 *     fill: (packet) => packet.setUint32(0, 0, 41),
 *     use: (packet) => void (sum = packet.getUint32(0, 0)),
 *   });
 *   serverFile.channel.shutDown();
 *   await served;
 *   if (sum !== 42) throw new Error("the answer");
 * }
 * ```
 */
export class LlvmFile implements Disposable {
  /** For clients or servers of this process, not both; its handle goes to Workers. */
  readonly channel: Channel;
  /** Whether this object made the file, which it then takes away at its end. */
  readonly isNew: boolean;
  readonly #file: MappedFile;

  /**
   * Takes the file that is there, as its memory stands; makes one of zeros where there is none, or only
   * an empty one.
   *
   * @param path on a file system in memory, such as `/dev/shm`; else what is called goes to a disk
   * @throws {RangeError} when a count is out of its bounds, or the file is shorter than they say
   * @throws {ErrnoError} when the file cannot be made or mapped: `ENOSPC` where there is no room
   * @throws {DOMException} `NotSupportedError` where the system is not Linux
   */
  constructor(path: string, { portCount, laneCount, wire = "llvm" }: LlvmFileShape) {
    const layout = channelLayout({ portCount, laneCount, wire });
    const bytes = layout.totalBytes - layout.wireByte;
    using stack = new DisposableStack();
    const file = stack.use(MappedFile.openOrCreate(bytes, path));
    if (file.bytes < bytes) {
      throw new RangeError(
        `Cannot use ${path} as the memory of ${portCount} ports of ${laneCount} lanes takes ${bytes} bytes: current value is ${file.bytes}`,
      );
    }
    this.channel = mapChannel(file, layout);
    takeTurns(this.channel.words.plain, layout);
    this.isNew = file.isNew;
    this.#file = file;
    stack.move();
  }

  /** Takes the file's name away, if this object made it. The channel's memory stays while it is used. */
  [Symbol.dispose](): void {
    if (this.isNew) this.#file.unlink();
    this.#file[Symbol.dispose]();
  }
}

/** What the outboxes hold is the turn of whoever had this side before; as `Mailboxes.settle`. */
function takeTurns(plain: Int32Array, layout: ChannelLayout): void {
  const { portCount, clientTurnWord, clientOutboxWord, serverTurnWord, serverOutboxWord } = layout;
  for (let index = 0; index < portCount; index++) {
    plain[clientTurnWord + index] = plain[clientOutboxWord + index]! & 1;
    plain[serverTurnWord + index] = plain[serverOutboxWord + index]! & 1;
  }
}
