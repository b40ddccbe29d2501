import { PACKET_LAYOUTS } from "../memory/packet_views.ts";
import type { Words } from "../memory/words.ts";
import { channelDesign, designWord } from "./design/channel_design.ts";
import {
  CHANNEL_MAGIC,
  type ChannelLayout,
  type ChannelShape,
  ControlWord,
  PROTOCOL_VERSION,
} from "./layout.ts";
import type { ParticipantHandle } from "./wire/participant.ts";
import { WIRES } from "./wire/llvm_regions.ts";

/** What travels to another isolate, by `postMessage`, to attach to a channel. */
export interface ChannelHandle extends ChannelShape {
  /** Tells a handle from other messages. */
  readonly kind: "portlab.channel";
  /** The version of the protocol that laid the memory out. */
  readonly version: number;
  /** The memory itself, which is shared and not copied. */
  readonly buffer: SharedArrayBuffer;
  /**
   * The same memory as WebAssembly knows it, where it does: calls are faster with it. It is left alone when
   * its buffer is another object.
   */
  readonly memory?: WebAssembly.Memory;
  /** Whether other processes map the memory, too; false when absent. */
  readonly isMapped?: boolean;
  /**
   * The URL of a module that knows how processes sleep here: its `prepareWords` gets the words of whoever
   * attaches in a Worker of this library.
   */
  readonly preparedBy?: string;
  /** Which of those processes this is, where they know each other. */
  readonly participant?: ParticipantHandle;
}

/** What the memory of WebAssembly has whole numbers of. */
const PAGE_BYTES = 65_536;
/** How many pages it can have. */
const PAGES_MAX = 65_536;
/** How many channels do without after it was refused. */
const REFUSED_CHANNELS = 1000;

/** How many of those are left. */
let refusedLeft = 0;

function wholePages(totalBytes: number): number {
  return Math.ceil(totalBytes / PAGE_BYTES);
}

/**
 * New memory of at least this size: of WebAssembly where it can be had. Engines reserve gigabytes of addresses
 * for each memory (Node 24: 8, so that it has 16 thousand), and collect all garbage twice before they refuse
 * one, which takes 15 ms or more: so not every channel asks then.
 */
export function newMemory(totalBytes: number): Pick<ChannelHandle, "buffer" | "memory"> {
  const memory = newWasmMemory(wholePages(totalBytes));
  if (memory === undefined) return { buffer: new SharedArrayBuffer(totalBytes) };
  return { buffer: memory.buffer as ArrayBufferLike as SharedArrayBuffer, memory };
}

function newWasmMemory(pages: number): WebAssembly.Memory | undefined {
  if (pages > PAGES_MAX || refusedLeft-- > 0) return undefined;
  refusedLeft = 0;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    refusedLeft = REFUSED_CHANNELS;
    return undefined;
  }
}

/** The handle of a channel that is laid out in this way, over a memory. */
export function handleOf(
  layout: ChannelLayout,
  memory: Pick<ChannelHandle, "buffer" | "memory" | "isMapped" | "preparedBy" | "participant">,
): ChannelHandle {
  const { portCount, laneCount, laneBytes, packetLayout, wire } = layout;
  return {
    kind: "portlab.channel",
    version: PROTOCOL_VERSION,
    portCount,
    laneCount,
    ...channelDesign(layout),
    laneBytes,
    packetLayout,
    wire,
    ...memory,
  };
}

/** The memory of a handle as WebAssembly knows it, if it is that. */
export function wasmMemory({ buffer, memory }: ChannelHandle): WebAssembly.Memory | undefined {
  // By its name, as that of another realm has another class.
  const isMemory = Object.prototype.toString.call(memory) === "[object WebAssembly.Memory]";
  return isMemory && memory!.buffer as ArrayBufferLike === buffer ? memory : undefined;
}

/** @throws {RangeError} when the memory is not of the size that the layout has */
export function checkSize({ byteLength }: SharedArrayBuffer, { totalBytes }: ChannelLayout): void {
  if (byteLength === totalBytes || byteLength === wholePages(totalBytes) * PAGE_BYTES) return;
  throw new RangeError(
    `Cannot attach to a channel as its buffer must have ${totalBytes} bytes: current value is ${byteLength}`,
  );
}

/**
 * Checks what came from another isolate.
 *
 * @throws {TypeError} when it is no handle, or was made by another version
 */
export function checkHandle(handle: ChannelHandle): void {
  const { kind, version, buffer } = handle ?? {};
  if (kind !== "portlab.channel") {
    throw new TypeError(`Cannot attach to a channel as the handle is not one: its kind is ${kind}`);
  }
  if (!(buffer instanceof SharedArrayBuffer)) {
    throw new TypeError(
      `Cannot attach to a channel as the handle's buffer must be a SharedArrayBuffer: current value is ${
        Object.prototype.toString.call(buffer)
      }`,
    );
  }
  if (version === PROTOCOL_VERSION) return;
  throw new TypeError(
    `Cannot attach to a channel as it was made by version ${version} of the protocol: this is version ${PROTOCOL_VERSION}`,
  );
}

/** Writes into the memory of a new channel how it is laid out. */
export function formatChannel(words: Words, layout: ChannelLayout): void {
  for (const [word, value] of formatOf(layout)) words.store(layout.controlWord + word, value);
  words.store(layout.controlWord + ControlWord.nextOwnerId, 1);
}

/** @throws {TypeError} when the memory was not laid out in this way */
export function checkFormat(words: Words, layout: ChannelLayout): void {
  const expected = formatOf(layout);
  const found = expected.map(([word]) => words.load(layout.controlWord + word));
  if (expected.every(([, value], place) => value === found[place])) return;
  throw new TypeError(
    `Cannot attach to a channel as its buffer was not laid out for this handle: first words are ${found}, expected ${
      expected.map(([, value]) => value)
    }`,
  );
}

function formatOf(layout: ChannelLayout): (readonly [number, number])[] {
  const { portCount, laneCount, laneBytes, packetLayout, wire } = layout;
  return [
    [ControlWord.magic, CHANNEL_MAGIC],
    [ControlWord.version, PROTOCOL_VERSION],
    [ControlWord.portCount, portCount],
    [ControlWord.laneCount, laneCount],
    [ControlWord.design, designWord(layout)],
    [ControlWord.laneBytes, laneBytes],
    [ControlWord.packetLayout, PACKET_LAYOUTS.indexOf(packetLayout)],
    [ControlWord.wire, WIRES.indexOf(wire)],
  ];
}
