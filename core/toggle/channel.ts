import {
  type ChannelHandle,
  checkFormat,
  checkHandle,
  checkSize,
  formatChannel,
  handleOf,
  newMemory,
  wasmMemory,
} from "./channel_handle.ts";
import {
  type ChannelLayout,
  channelLayout,
  type ChannelShape,
  ChannelState,
  ControlWord,
} from "./layout.ts";
import { LeaveRequests } from "./leave_requests.ts";
import { Participant } from "./wire/participant.ts";
import { ringFree } from "./lock/port_locks.ts";
import type { Side } from "./side.ts";
import {
  areStepsFor,
  makeSteps,
  stepConstants,
  type StepMaker,
  type Steps,
} from "./steps/steps.ts";
import { MappedWords, SharedWords, type Words } from "../memory/words.ts";

const STATE_MASK = 3;
const ATTENTION = 4;

/**
 * One block of shared memory that joins clients and servers.
 *
 * @example Create in one isolate, attach in another
 * ```ts
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const again = Channel.attach(channel.handle); // in a worker: the handle came by postMessage
 * if (again.layout.totalBytes !== channel.layout.totalBytes) throw new Error("one layout");
 * ```
 */
export class Channel {
  /** Where everything is in the memory. */
  readonly layout: ChannelLayout;
  /** The memory, for what watches or tests a channel. */
  readonly words: Words;
  /** @internal The memory as WebAssembly knows it, if it does. */
  readonly wasmMemory: WebAssembly.Memory | undefined;
  readonly #handle: ChannelHandle | undefined;
  readonly #makeSteps: StepMaker | undefined;
  /** This process, where others that share the memory have to know whose a client is. */
  readonly #participant: Participant | undefined;
  /** Where the state word is; kept, because it is looked at in every call. */
  readonly #stateIndex: number;

  /**
   * Requests to leave the channel, for `evict.ts` and the sides.
   *
   * @internal
   */
  readonly leaveRequests: LeaveRequests;

  /**
   * For the explorer, which brings its own words; others use `create` and `attach`.
   *
   * @internal
   */
  constructor(
    layout: ChannelLayout,
    words: Words,
    parts: { readonly handle?: ChannelHandle; readonly makeSteps?: StepMaker | undefined } = {},
  ) {
    this.layout = layout;
    this.words = words;
    this.#stateIndex = layout.controlWord + ControlWord.state;
    this.leaveRequests = new LeaveRequests(words, layout);
    this.#handle = parts.handle;
    const { participant } = parts.handle ?? {};
    this.#participant = participant && new Participant(participant);
    const memory = parts.handle && wasmMemory(parts.handle);
    this.wasmMemory = memory;
    this.#makeSteps = memory && areStepsFor(layout)
      ? (constants) => makeSteps(memory, constants)
      : parts.makeSteps;
  }

  /**
   * Allocates a channel. Memory: `portCount` x (`laneCount` x `laneBytes` + 60) bytes and about 1 KiB,
   * unless its design says otherwise; in whole pages of 64 KiB where WebAssembly has it.
   *
   * @throws {RangeError} when a count is out of its bounds, no channel has the design, or the memory
   * cannot be had
   * @throws {TypeError} on a page without shared memory: one that is not cross-origin isolated
   */
  static create(shape: ChannelShape): Channel {
    const layout = channelLayout(shape);
    checkSharedMemory();
    const handle = handleOf(layout, newMemory(layout.totalBytes));
    const channel = Channel.#over(handle, layout);
    formatChannel(channel.words, layout);
    return channel;
  }

  /**
   * Joins a channel that another isolate created.
   *
   * @throws {TypeError} when the handle is not one, or was made by another version
   * @throws {RangeError} when its buffer does not fit its counts
   */
  static attach(handle: ChannelHandle): Channel {
    checkHandle(handle);
    const layout = channelLayout(handle);
    checkSize(handle.buffer, layout);
    const channel = Channel.#over(handle, layout);
    checkFormat(channel.words, layout);
    return channel;
  }

  static #over(handle: ChannelHandle, layout: ChannelLayout): Channel {
    const words = handle.isMapped
      ? new MappedWords(handle.buffer, layout.totalBytes, layout.wire === "portlab")
      : new SharedWords(handle.buffer, layout.totalBytes);
    return new Channel(layout, words, { handle });
  }

  /** @internal The steps of a call in one piece each, for the sides; nothing where they are not served so. */
  stepsOf(side: Side, ownerId: number): Steps | undefined {
    return this.#makeSteps?.(stepConstants(this.layout, side, ownerId));
  }

  /** What to post to another isolate. */
  get handle(): ChannelHandle {
    if (this.#handle) return this.#handle;
    throw new TypeError("Cannot hand out the channel as its memory is not a SharedArrayBuffer");
  }

  /** Whether the channel runs, stops or has stopped. */
  get state(): ChannelState {
    return (this.stateWord & STATE_MASK) as ChannelState;
  }

  /** A number that changes when the state does, and when attention is raised. */
  get stateWord(): number {
    return this.words.load(this.#stateIndex);
  }

  /** A stale glance at {@linkcode stateWord}, a tenth of its price. */
  get stateGlance(): number {
    return this.words.peek(this.#stateIndex);
  }

  /** A stale glance at the state. */
  get looksRunning(): boolean {
    return (this.stateGlance & STATE_MASK) === ChannelState.running;
  }

  /** A number for a new client or server; never given twice. */
  takeOwnerId(): number {
    const id = this.words.add(this.#control(ControlWord.nextOwnerId), 1);
    this.#participant?.noteOwner(id);
    return id;
  }

  /**
   * Checks a number that a caller gives.
   *
   * @throws {RangeError} when it was not given to a client or server of this channel
   */
  checkOwnerId(ownerId: number): void {
    const nextOwnerId = this.words.load(this.#control(ControlWord.nextOwnerId));
    if (Number.isInteger(ownerId) && ownerId >= 1 && ownerId < nextOwnerId) return;
    throw new RangeError(
      `Cannot find a client or server by its id as that must be an integer from 1 to ${
        nextOwnerId - 1
      }: current value is ${ownerId}`,
    );
  }

  /** Counts a server in as it begins to serve. */
  enterServing(): void {
    this.#countServing(1);
  }

  /** Counts a server out; the last one to leave a stopping channel stops it. */
  leaveServing(): void {
    if (this.#countServing(-1) <= 0 && this.state !== ChannelState.running) this.stop();
  }

  /** @internal Whether a server runs; one that is served by hand (`runOnce`) does not count. */
  get isServed(): boolean {
    return this.#countServing(0) > 0;
  }

  /**
   * Counts out a server that died; the last one takes the channel with it.
   *
   * @param serverId its `id`; absent: one of this process
   */
  abandonServing(serverId?: number): void {
    if (this.#countServing(-1, serverId) <= 0) this.stop();
  }

  /**
   * Counts servers in or out; returns how many serve. Where processes share the channel they say it, each for
   * itself: one that died between two counts would leave the channel's own one wrong for good.
   */
  #countServing(change: number, serverId?: number): number {
    const left = this.words.add(this.#control(ControlWord.liveServers), change) + change;
    return this.#participant?.noteServing(change, serverId) ?? left;
  }

  /**
   * Ends the channel in good order: no new calls; servers finish what was sent and leave, and then
   * every waiter is released with a {@linkcode CallError} of status `serverGone`. Does not wait.
   */
  shutDown(): void {
    this.words.or(this.#control(ControlWord.state), ChannelState.stopping);
    if (this.#countServing(0) <= 0) this.stop();
    else this.#ring();
  }

  /** Ends the channel at once: every waiter is released with an error. For servers that died. */
  stop(): void {
    // Sync: stored before the sleepers are woken; pairs with their guard, which looks at the state
    // after they announced themselves. The other way round one could sleep through the end.
    this.words.or(this.#control(ControlWord.state), ChannelState.stopped);
    this.wakeAll();
  }

  /** Makes every `run()` return to its event loop; whoever serves goes on afterwards. */
  raiseAttention(): void {
    this.words.add(this.#control(ControlWord.state), ATTENTION);
    this.#ring();
  }

  /** Makes everybody look whether they are asked to leave, whatever they wait for. Bounded. */
  announceLeaving(): void {
    // Sync: as stop(): the request is written before, and looked for after the wake.
    this.words.add(this.#control(ControlWord.state), ATTENTION);
    this.wakeAll();
  }

  /**
   * Wakes every sleeper to look again, whatever marks it left: who cleared them may have died before
   * it woke anybody. What they are to see was changed before. Bounded.
   *
   * @internal
   */
  wakeAll(): void {
    this.#ring();
    const { portCount, clientParkedWord, serverParkedWord } = this.layout;
    for (let index = 0; index < portCount; index++) {
      this.#wakeParked(clientParkedWord + index);
      this.#wakeParked(serverParkedWord + index);
    }
    // Sync: after the marks of clients that wait for a free port were cleared with the others: one that
    // reads the bell later marks its ports later, too, and keeps its marks.
    ringFree(this.words, this.#control(ControlWord.freeBell));
  }

  #wakeParked(word: number): void {
    // Sync: as the function of this name.
    this.words.store(word, 0);
    this.words.notify(word);
  }

  #ring(): void {
    const bellWord = this.#control(ControlWord.bell);
    this.words.add(bellWord, 1);
    this.words.notify(bellWord);
  }

  #control(word: number): number {
    return this.layout.controlWord + word;
  }
}

function checkSharedMemory(): void {
  if (typeof SharedArrayBuffer === "function") return;
  throw new TypeError(
    "Cannot create a channel as there is no SharedArrayBuffer: a page gets it when it is served with " +
      "the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp",
  );
}
