import { type MappedWords, SharedWords } from "../memory/words.ts";
import { Channel } from "../toggle/channel.ts";
import { formatChannel, handleOf, newMemory } from "../toggle/channel_handle.ts";
import { type ChannelLayout, channelLayout, type ChannelShape } from "../toggle/layout.ts";
import { MappedFile } from "./mapped_file.ts";

/**
 * A channel over the memory of a file, laid out there where the file is new. Of a wire of another library only
 * what that lays out is in the file: the rest is this process's own.
 *
 * @param fileByte where in the file the channel begins
 * @throws {RangeError} when the file is shorter than such a channel
 * @throws {TypeError} when it has another channel
 * @throws {ErrnoError} when the system refuses
 */
export function mapChannel(file: MappedFile, layout: ChannelLayout, fileByte = 0): Channel {
  const { totalBytes, wireByte } = layout;
  const memory = newMemory(totalBytes);
  file.mapOver(memory.buffer, { bufferByte: wireByte, fileByte, bytes: totalBytes - wireByte });
  const isOwn = file.isNew || wireByte > 0;
  if (isOwn) formatChannel(new SharedWords(memory.buffer, totalBytes), layout);
  return Channel.attach(handleOf(layout, { ...memory, isMapped: true }));
}

/**
 * A channel in memory that a process and its child share. It knows nothing of the death of the other:
 * the parent hears of its child's end from the system, and the child ends with its parent.
 */
export class MappedChannel implements Disposable {
  readonly channel: Channel;
  /** What the child opens, as long as this object is not disposed of. */
  readonly path: string;
  readonly #file: MappedFile;

  private constructor(file: MappedFile, layout: ChannelLayout) {
    using stack = new DisposableStack();
    this.#file = stack.use(file);
    this.channel = mapChannel(file, layout);
    this.path = file.path;
    stack.move();
  }

  /**
   * Makes a channel in a file without a name, which is gone with the last process that maps it.
   *
   * @throws {ErrnoError} `ENOSPC` where there is no room for it, and whatever else the system says
   * @throws {DOMException} `NotSupportedError` where the system is not Linux
   */
  static create(shape: ChannelShape): MappedChannel {
    const layout = channelLayout(shape);
    return new MappedChannel(MappedFile.create(layout.totalBytes), layout);
  }

  /**
   * Opens the channel of another process, which told its path and shape.
   *
   * @throws {ErrnoError} `ENOENT` where there is none, and whatever {@linkcode mapChannel} throws
   */
  static open(path: string, shape: ChannelShape): MappedChannel {
    return new MappedChannel(MappedFile.open(path), channelLayout(shape));
  }

  /** Its words, which say what becomes of a notify. */
  get words(): MappedWords {
    return this.channel.words as MappedWords;
  }

  /** Closes the file: nobody else can open it. The memory stays while the channel is used. */
  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
