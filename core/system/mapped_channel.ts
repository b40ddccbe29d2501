import { type MappedWords, SharedWords } from "../memory/words.ts";
import { Channel } from "../toggle/channel.ts";
import { formatChannel, handleOf, newMemory } from "../toggle/channel_handle.ts";
import { channelLayout, type ChannelShape } from "../toggle/layout.ts";
import { MappedFile } from "./mapped_file.ts";

/**
 * A channel in memory that a process and its child share. It knows nothing of the death of the other:
 * the parent hears of its child's end from the system, and the child ends with its parent.
 */
export class MappedChannel implements Disposable {
  readonly channel: Channel;
  /** What the child opens, as long as this object is not disposed of. */
  readonly path: string;
  readonly #file: MappedFile;

  private constructor(file: MappedFile, shape: ChannelShape) {
    const layout = channelLayout(shape);
    const memory = newMemory(layout.totalBytes);
    file.mapOver(memory.buffer, { bufferByte: 0, fileByte: 0, bytes: layout.totalBytes });
    if (file.isNew) formatChannel(new SharedWords(memory.buffer, layout.totalBytes), layout);
    this.channel = Channel.attach(handleOf(layout, { ...memory, isMapped: true }));
    this.path = file.path;
    this.#file = file;
  }

  /**
   * Makes a channel in a file without a name, which is gone with the last process that maps it.
   *
   * @throws {ErrnoError} `ENOSPC` where there is no room for it, and whatever else the system says
   * @throws {DOMException} `NotSupportedError` where the system is not Linux
   */
  static create(shape: ChannelShape): MappedChannel {
    return MappedChannel.#over(MappedFile.create(channelLayout(shape).totalBytes), shape);
  }

  /**
   * Opens the channel of another process, which told its path and shape.
   *
   * @throws {RangeError} when the file is shorter than such a channel
   * @throws {TypeError} when it has another channel
   * @throws {ErrnoError} `ENOENT` where there is none, and whatever else the system says
   */
  static open(path: string, shape: ChannelShape): MappedChannel {
    return MappedChannel.#over(MappedFile.open(path), shape);
  }

  static #over(file: MappedFile, shape: ChannelShape): MappedChannel {
    try {
      return new MappedChannel(file, shape);
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
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
