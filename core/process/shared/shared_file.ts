import { checkOptionNames } from "../../text/nearest.ts";
import type { MappedWords } from "../../memory/words.ts";
import { Channel } from "../../toggle/channel.ts";
import { newMemory } from "../../toggle/channel_handle.ts";
import { type ChannelLayout, channelLayout, type ChannelShape } from "../../toggle/layout.ts";
import { ROSTER_BYTES } from "../../toggle/wire/participant.ts";
import { openFutex } from "../../system/futex.ts";
import { openLibc, ownPid, watchTimer } from "../../system/libc.ts";
import { mapChannel } from "../../system/mapped_channel.ts";
import { MappedFile, openOrElse } from "../../system/mapped_file.ts";
import { pidNamespace, processStart } from "../../system/process_start.ts";
import { fileBytes, HEAD_BYTES, readHead, Roster, writeHead } from "./roster.ts";

/** For Workers, which call C's library by themselves. */
const FUTEX_URL = new URL("../../system/futex.ts", import.meta.url).href;
/** How often a process looks whether another has died, at most. */
const WATCH_MILLISECONDS = 50;

/** How a file is shared. */
export interface SharedFileOptions {
  /** A new file, in a folder in memory such as `/dev/shm`. Absent: one without a name, see `path`. */
  readonly path?: string;
}

/**
 * A channel that processes share, by a file that each maps: as between threads, with clients, servers and
 * Workers in any of them.
 *
 * **Death.** Each process is known by its number and its beginning. Whoever sleeps in a call, and every
 * event loop, looks twenty times a second whether another has died, and takes back what it held: its
 * ports are free again, the calls that its servers held end with status `serverGone`, and the last server
 * takes the channel with it. Where all that live spin, nobody looks: call {@linkcode buryDead}.
 *
 * **Files.** One without a name is gone with the last process, whatever ends it. A name stays after
 * `kill -9`: take it away with {@linkcode unlink} as soon as everybody has opened it.
 *
 * **Trust.** Who can open the file can write all of it: it is for one user (mode 0600), and each side checks
 * what it reads as between threads.
 *
 * @example
 * ```ts
 * import { Client, Server } from "../../mod.ts";
 * import { SharedFile } from "./shared_file.ts";
 *
 * if (Deno.build.os === "linux") {
 *   using serving = SharedFile.create({ portCount: 4, laneCount: 1 });
 *   using calling = SharedFile.open(serving.path); // in another process, which was told the path
 *   const server = new Server(serving.channel);
 *   server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 *   const served = server.runAsync();
 *   let sum = 0;
 *   await new Client(calling.channel).callAsync(40_000, {
 *     fill: (packet) => packet.setUint32(0, 0, 41),
 *     use: (packet) => void (sum = packet.getUint32(0, 0)),
 *   });
 *   serving.channel.shutDown();
 *   await served;
 *   if (sum !== 42) throw new Error("the answer");
 * }
 * ```
 */
export class SharedFile implements Disposable {
  /** The channel; its handle goes to the Workers of this process. */
  readonly channel: Channel;
  /**
   * What other processes open. Of a file without a name it is a place below this process, `/proc/PID/fd/N`,
   * which is there as long as this object.
   */
  readonly path: string;
  /** Whether this object made the file, whose name it then takes away at its end. */
  readonly isNew: boolean;
  readonly #file: MappedFile;
  readonly #roster: Roster;
  readonly #slot: number;
  readonly #stack: DisposableStack;
  #lookedMilliseconds = -Infinity;

  private constructor(
    file: MappedFile,
    layout: ChannelLayout,
    stack: DisposableStack,
  ) {
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    const roster = newMemory(ROSTER_BYTES).buffer;
    file.mapOver(roster, { bufferByte: 0, fileByte: 0, bytes: ROSTER_BYTES });
    const { handle } = mapChannel(file, layout, ROSTER_BYTES);
    if (file.isNew) {
      writeHead(roster, layout, pidNamespace(libc));
      file.publish();
    }
    this.#roster = new Roster(roster, (pid) => processStart(libc, pid));
    this.#slot = this.#roster.join(ownPid());
    const participant = { roster, slot: this.#slot };
    this.channel = Channel.attach({ ...handle, preparedBy: FUTEX_URL, participant });
    const words = this.channel.words as MappedWords;
    words.onNap = () => this.#look();
    const futex = words.futex = openFutex(handle.buffer);
    stack.defer(() => {
      words.futex = undefined;
      futex?.[Symbol.dispose]();
    });
    stack.defer(watchTimer(() => this.#look(), WATCH_MILLISECONDS));
    this.#file = file;
    this.path = file.path;
    this.isNew = file.isNew;
    this.#stack = stack.move();
  }

  /**
   * Makes a file with a new channel.
   *
   * @throws {RangeError} as `Channel.create`
   * @throws {ErrnoError} `EEXIST` where there is such a file, `ENOSPC` where there is no room for it, and
   * whatever else the system says
   * @throws {DOMException} `NotSupportedError` where the system is not Linux
   */
  static create(shape: ChannelShape, options: SharedFileOptions = {}): SharedFile {
    checkOptionNames("make a shared file", options, ["path"]);
    const { path } = options;
    const layout = channelLayout(shape);
    using stack = new DisposableStack();
    const file = stack.use(MappedFile.create(fileBytes(layout), path));
    return new SharedFile(file, layout, stack);
  }

  /**
   * Joins a file that another process made.
   *
   * @throws {TypeError} when it is no shared file, of another version, or of another PID namespace
   * @throws {RangeError} when its sizes do not fit, or 128 processes share it
   * @throws {ErrnoError} `ENOENT` where there is none, and whatever else the system says
   * @throws {DOMException} `NotSupportedError` where the system is not Linux
   */
  static open(path: string): SharedFile {
    using stack = new DisposableStack();
    const file = stack.use(MappedFile.open(path));
    using libc = new DisposableStack();
    const namespace = pidNamespace(libc.adopt(openLibc(), (it) => it.close()).symbols);
    const { bytes } = file;
    const layout = readHead(file.head(HEAD_BYTES), { path, bytes, pidNamespace: namespace });
    return new SharedFile(file, layout, stack);
  }

  /**
   * As {@linkcode open}, and as {@linkcode create} where there is no such file.
   *
   * @param shape of a new file; one that is there keeps its own
   */
  static openOrCreate(path: string, shape: ChannelShape): SharedFile {
    return openOrElse(() => SharedFile.open(path), () => SharedFile.create(shape, { path }));
  }

  /** How many processes share the file, dead ones that nobody has noticed included. */
  get participantCount(): number {
    return this.#roster.count;
  }

  /** Takes back what processes held that have died; returns how many there were. Bounded. */
  buryDead(): number {
    return this.#roster.buryDead(this.channel, this.#slot);
  }

  /**
   * Takes the file's name away: nobody else can open it, and nothing stays behind, whatever happens. Nothing happens
   * where the name is gone.
   *
   * @throws {Error} when another file has the name by now, which keeps it
   */
  unlink(): void {
    if (this.#file.unlink()) return;
    throw new Error(`Cannot take away ${this.path} as another file has that name by now`);
  }

  /**
   * Leaves: gives back what clients and servers of this process hold, and takes the name of the file away
   * if this object made it, and no other file has that by now. Its Workers must have ended. The memory stays while the channel is used.
   */
  [Symbol.dispose](): void {
    if (this.isNew) this.#file.unlink();
    this.#roster.bury(this.channel, this.#slot);
    (this.channel.words as MappedWords).onNap = () => {};
    this.#stack.dispose();
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#lookedMilliseconds < WATCH_MILLISECONDS) return;
    this.#lookedMilliseconds = now;
    this.buryDead();
  }
}
