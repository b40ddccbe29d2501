import turnsSource from "./server_turns.wgsl" with { type: "text" };
import groupSource from "./server_group.wgsl" with { type: "text" };
import subgroupSource from "./server_subgroup.wgsl" with { type: "text" };
import workgroupSource from "./server_workgroup.wgsl" with { type: "text" };
import hintSource from "./server_hint.wgsl" with { type: "text" };
import lanesSource from "./server_lanes.wgsl" with { type: "text" };
import portSource from "./server_port.wgsl" with { type: "text" };
import waveSource from "./server_wave.wgsl" with { type: "text" };
import scanSource from "./server_scan.wgsl" with { type: "text" };
import { MESSAGE_HEAD_BYTES } from "../../../call/message.ts";
import { encodeError } from "../../../call/whole_error.ts";
import { fullMask } from "../../../memory/lane_mask.ts";
import { OPCODE_MAX, USER_OPCODE_FIRST } from "../../../memory/opcode.ts";
import { CONTINUES, NO_REPLY, OPCODE_FLAGS, WHOLE_ERRORS } from "../../../memory/port_headers.ts";
import { type ChannelLayout, ChannelState } from "../../../toggle/layout.ts";
import { type AuthoredModule, authorModule } from "../../wgsl/kernel_compile.ts";
import { channelConstants, declareConstants, withAffixes } from "../../wgsl/layout_constants.ts";
import type { ApartSide } from "../../../toggle/design/atomics_needed.ts";
import type { BufferPlace } from "../spirv/live_spirv.ts";
import { SHARED_BUFFERS } from "../kernel/live_source.ts";
import { ROUNDS_PAUSE } from "../rounds/round_limit.ts";
import { checkLiveDesign, sideConstants, sideText } from "../design/side_text.ts";
import { servedText } from "./service_functions.ts";

/** Words of an error's text in a packet, with its length. */
const TEXT_WORDS = 16;

/** Words by which the host and the waves that serve talk about the run, apart from the channel. */
export const ServerWord = {
  /** The host writes these before the run, and `leave` meanwhile: a {@linkcode ServerEnd}, not 0. */
  leave: 0,
  /** The server's id, which the lock words of all its waves hold. */
  ownerId: 1,
  /** How many searches in turn may find nothing before a wave leaves; 0 for no limit. */
  idleMax: 2,
  /** Not 0 when somebody sleeps who had marked a lock that a wave dropped; the host takes that. */
  ring: 32,
  /** What failed calls are told, as a packet has it: see {@linkcode serverTexts}. */
  texts: 64,
  /** From here on {@linkcode WaveWord}s of each wave, which it alone writes: stores, as counting together would take more. */
  waves: 128,
} as const;

/** What a wave tells of itself. */
export const WaveWord = {
  ...{ started: 0, ended: 1, served: 2, refused: 3 },
  /** Where a wave that paused goes on: the port to look at next, plus 1, and the searches that found nothing. */
  ...{ next: 4, idle: 5 },
} as const;
const WAVE_WORDS = Object.keys(WaveWord).length;

/** Why waves end. */
export const ServerEnd = {
  /** Not ended; or the adapter leaves loops after a number of rounds, whatever their condition. */
  cutOff: 0,
  /** The host told them to leave. */
  left: 1,
  /** The channel was shut down, and what was sent before is served; or it was stopped. */
  stopped: 2,
  /** They looked for as long as they were to, and found nothing. */
  idle: 3,
  /** They go on in another dispatch. */
  paused: 4,
  /** They ended in an earlier one; no wave says so. */
  done: 5,
} as const;

/** How many words a run of so many waves has. */
export function serverWordCount(waveCount: number): number {
  return ServerWord.waves + waveCount * WAVE_WORDS;
}

/** Where a word of a wave is. */
export function waveWord(waveIndex: number, name: keyof typeof WaveWord): number {
  return ServerWord.waves + waveIndex * WAVE_WORDS + WaveWord[name];
}

/**
 * What calls are told: one that used a word beyond its packet, and one that is no call of one packet; each for
 * clients that read a text, and for those that read errors of any length, which here are cut to 64 bytes.
 */
export function serverTexts({ laneBytes }: ChannelLayout): readonly Uint32Array[] {
  return [
    `Cannot use word ${laneBytes / 4} or more: enlarge laneBytes`,
    "Cannot serve messages, streams, values: use call()",
  ].flatMap((text) => [packetText(text), packetError(text)]);
}

/** As `writeErrorText` writes it. */
function packetText(text: string): Uint32Array {
  const words = new Uint32Array(TEXT_WORDS);
  const { written } = new TextEncoder().encodeInto(text, new Uint8Array(words.buffer, 4));
  words[0] = written;
  return words;
}

/** As a `MessageWriter` writes it. */
function packetError(text: string): Uint32Array {
  const words = new Uint32Array(TEXT_WORDS);
  const error = Object.assign(new RangeError(text), { stack: "" });
  const bytes = encodeError(error, 4 * TEXT_WORDS - MESSAGE_HEAD_BYTES);
  new Uint8Array(words.buffer).set(bytes, MESSAGE_HEAD_BYTES);
  words[0] = bytes.length;
  return words;
}

/** What a module for waves that serve is made of. */
export interface ServerShape {
  readonly layout: ChannelLayout;
  /** Invocations of a wave, 1 to `laneCount`. */
  readonly invocationCount: number;
  /** Whether they are one subgroup of the device; false when absent. */
  readonly isSubgroup?: boolean;
  /** Where the locks of servers are. */
  readonly locks: ApartSide["locks"];
  /** The opcodes that the author's `operate` serves; absent for all that users may register. */
  readonly opcodes?: readonly number[] | undefined;
}

const LOCKS_BINDING = 3;
/** The buffers that waves share with the host, or with each other: of these, atomics acquire and release. */
export function sharedBuffers(locks: ApartSide["locks"]): readonly BufferPlace[] {
  return [...SHARED_BUFFERS, ...locks === "device" ? [{ group: 0, binding: LOCKS_BINDING }] : []];
}

/** A module that is ready to compile. */
export interface ServerSource extends AuthoredModule {
  readonly entryPoint: string;
}

/** Hints are a word for so many ports, at least. */
const HINT_PORTS = 32;
/** How many looks a search has, at least: the channel's state is looked at between searches. */
const LOOKS_MIN = 256;

/** How many looks at ports, or at words of hints, a search has at most. */
export function searchLooks(layout: ChannelLayout): number {
  const { portCount, hintWordCount } = layout;
  if (usesHints(layout)) return Math.max(LOOKS_MIN / 4, hintWordCount + 1);
  return Math.max(LOOKS_MIN, portCount);
}

function usesHints({ discovery, portCount }: ChannelLayout): boolean {
  return discovery === "hint" && portCount > HINT_PORTS;
}

/**
 * Generates the module of waves that serve. The author's text comes first, so that the compiler's line
 * numbers are the author's.
 *
 * @throws {TypeError} when there is nothing to serve
 * @throws {KernelCompileError} at what cannot be served
 * @throws {RangeError} when waves cannot use a channel of this design
 */
export function serverSource(written: string, shape: ServerShape): ServerSource {
  const { layout, invocationCount, isSubgroup = false, locks } = shape;
  checkLiveDesign(layout, locks);
  const author = authorModule(written);
  const { source, generated, opcodes = shape.opcodes } = servedText(author, layout.laneBytes / 4);
  const code = [
    source,
    declareConstants({ ...serverConstants(layout), INVOCATION_COUNT: invocationCount }),
    generated,
    isServedText(opcodes),
    sideText(layout, { side: "server", locks, locksBinding: LOCKS_BINDING }),
    portSource,
    usesHints(layout) ? hintSource : scanSource,
    lanesSource,
    ...invocationCount === 1
      ? [turnsSource]
      : [isSubgroup ? subgroupSource : workgroupSource, groupSource],
    waveSource,
  ].join("\n");
  return { code, author, entryPoint: "portlab_serve" };
}

function isServedText(opcodes: readonly number[] | undefined): string {
  const own = opcodes === undefined
    ? `(opcode >= ${USER_OPCODE_FIRST}u) & (opcode <= ${OPCODE_MAX}u)`
    : opcodes.map((opcode) => `(opcode == ${opcode}u)`).join(" | ") || "false";
  return `fn is_served(opcode: u32) -> bool { return (opcode == OPCODE_NOOP) | ${own}; }`;
}

/** The numbers of the shaders of this folder, by their WGSL names. */
export function serverConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  const { lo, hi } = fullMask(layout.laneCount);
  return {
    ...channelConstants(layout),
    ...sideConstants(layout, "server"),
    STATE_STOPPED: ChannelState.stopped,
    LANES_LO: lo >>> 0,
    LANES_HI: hi >>> 0,
    OPCODE_FLAGS: OPCODE_FLAGS >>> 0,
    WHOLE_ERRORS,
    FORM_BITS: (OPCODE_FLAGS & ~(CONTINUES | NO_REPLY | WHOLE_ERRORS)) >>> 0,
    LOOKS: searchLooks(layout),
    TEXT_WORDS,
    ROUNDS_PAUSE,
    WAVE_WORDS,
    ...withAffixes(ServerWord, { prefix: "RUN_", suffix: "_WORD", base: 0 }),
    ...withAffixes(WaveWord, { prefix: "WAVE_", suffix: "", base: 0 }),
    ...withAffixes(ServerEnd, { prefix: "END_", suffix: "", base: 0 }),
  };
}
