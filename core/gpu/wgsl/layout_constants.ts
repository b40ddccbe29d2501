import { LENGTH_BYTES } from "../../call/stream_packets.ts";
import { otherChoice } from "../../toggle/design/channel_design.ts";
import { CONTINUES } from "../../memory/port_headers.ts";
import { type ChannelLayout, channelLayout } from "../../toggle/layout.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { packetStrides } from "../../memory/packet_views.ts";
import { Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import { ErrorWord, FAILURE_CONSTANTS, FAILURE_WORDS, KernelErrorCode } from "./kernel_error.ts";

/**
 * The words after the locks in the device's copy of a channel, by which a dispatch reports to the host
 * in addition to the protocol. A flag is raised by storing the epoch's number, so that nothing has to
 * be cleared between epochs, and thousands of waves can raise it without a read-modify-write.
 */
export const ReportWord = {
  /** Whether a wave waits for the host. */
  suspended: 0,
  /** Whether a wave found no free port. */
  starved: 1,
  /** Whether a wave used up its turns and could have continued. */
  limited: 2,
  /** Not a flag, but 0 or the error of a wave: see `readKernelError`. */
  error: 3,
  /** Not a flag, but the epoch's low half, and 65535 minus the first unfinished wave. */
  unfinished: 4,
  /** Not a flag, but the last missing step that a lane went to, and its wave, in 16 bits each. */
  badStep: 5,
  /** Not a flag, but how many spares were taken in this epoch; more than there are if some found none. */
  takenSpares: 6,
  /** One flag per power of two, raised when a port below it was sent. */
  sentBelow: 8,
  /** Not flags, but how the first lane failed, and where the first refused call came from: see `readFailure`. */
  failure: 24,
  refusal: 24 + FAILURE_WORDS,
} as const;

/** Words of the report, including spare ones. */
export const REPORT_WORDS = 72;

/** Words of `EpochParams` in `wave_epoch.wgsl` before what the host tells of ports. */
export const PARAMS_WORDS = 8;

/** Storage buffers may be bound at these words; the largest that a device may require. */
const BINDING_WORDS = 64;

/** Words of the device's copy of a channel, whose parts that come back lie one behind the other. */
export interface DevicePlaces {
  /** Before it are words at the places of the layout, of which the device uses the client's locks. */
  readonly reportWord: number;
  readonly clientOutboxWord: number;
  /** Headers and packets, as far apart as in the layout: the shader's second binding. */
  readonly payloadWord: number;
  /** The packet of port 0, in the payload. */
  readonly packetsWord: number;
  readonly totalWords: number;
}

/**
 * The layout of the device's copy of a channel: its regions are apart, wherever the host has its mailboxes, as
 * each side's are copied alone.
 */
export function deviceLayout(layout: ChannelLayout): ChannelLayout {
  return layout.mailboxWidth === "beside"
    ? channelLayout({ ...layout, mailboxWidth: "word" })
    : layout;
}

/** Lays out the device's copy of a channel, with so many spares and the words of their owners at the end. */
export function devicePlaces(hostLayout: ChannelLayout, spareCount = 0): DevicePlaces {
  const layout = deviceLayout(hostLayout);
  const { portCount, headersWord, totalBytes } = layout;
  const clientOutboxWord = headersWord + REPORT_WORDS;
  const payloadWord = Math.ceil((clientOutboxWord + portCount) / BINDING_WORDS) * BINDING_WORDS;
  const sparesEndWord = spareOwnersWord(layout, spareCount) + spareCount;
  const totalWords = payloadWord + Math.max(totalBytes / 4, sparesEndWord) - headersWord;
  const packetsWord = payloadWord + layout.packetsWord - headersWord;
  return { reportWord: headersWord, clientOutboxWord, payloadWord, packetsWord, totalWords };
}

/**
 * The numbers of a channel's layout that a shader may need, by their WGSL names. Words count from the
 * start of the channel; `PAYLOAD_WORD` is where the shader's second binding begins.
 *
 * @throws {RangeError} as {@linkcode checkDefaultDesign}
 */
export function layoutConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  checkDefaultDesign(layout);
  return channelConstants(deviceLayout(layout));
}

/** As {@linkcode layoutConstants}, of a channel of any design. */
export function channelConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  return {
    ...upperCaseNumbers(layout),
    HEADER_WORDS,
    LANE_WORDS: layout.laneBytes / 4,
    LENGTH_WORDS: LENGTH_BYTES / 4,
    ...upperCaseNumbers(packetStrides(layout)),
    PAYLOAD_WORD: layout.headersWord,
    CONTINUES: CONTINUES >>> 0,
    ...withAffixes(ReportWord, { prefix: "REPORT_", suffix: "_WORD", base: layout.headersWord }),
    ...withAffixes(KernelErrorCode, { prefix: "ERROR_", suffix: "", base: 0 }),
    ...withAffixes(ErrorWord, { prefix: "ERROR_", suffix: "", base: 0 }),
    ...FAILURE_CONSTANTS,
    ...withAffixes(Status, { prefix: "STATUS_", suffix: "", base: 0 }),
    ...withAffixes(Opcode, { prefix: "OPCODE_", suffix: "", base: 0 }),
    USER_OPCODE_FIRST,
  };
}

/**
 * Where the words that tell the owners of spares are, in words from the start of the channel: behind the
 * spares, which are packets behind those of the ports.
 */
export function spareOwnersWord(layout: ChannelLayout, spareCount: number): number {
  const { packetsWord, portCount, packetWords } = deviceLayout(layout);
  return packetsWord + (portCount + spareCount) * packetWords;
}

/** @throws {RangeError} when the channel is not of a default design, the only ones that shaders know */
export function checkDefaultDesign(layout: ChannelLayout): void {
  const fault = otherChoice(layout);
  if (fault !== undefined) throw new RangeError(`Cannot use the channel on a GPU as ${fault}`);
}

/** Declares constants in WGSL, one per line. */
export function declareConstants(constants: Readonly<Record<string, number>>): string {
  return Object.entries(constants)
    .map(([name, value]) => `const ${name} = ${value}u;\n`)
    .join("");
}

function upperCaseNumbers(source: object): Record<string, number> {
  const numbers = Object.entries(source).filter(([, value]) => typeof value === "number");
  return withAffixes(Object.fromEntries(numbers), { prefix: "", suffix: "", base: 0 });
}

/** Renames numbers for WGSL and adds a base: `sentBelow` becomes `PREFIX_SENT_BELOW_SUFFIX`. */
export function withAffixes(
  source: Readonly<Record<string, number>>,
  affixes: { readonly prefix: string; readonly suffix: string; readonly base: number },
): Record<string, number> {
  const { prefix, suffix, base } = affixes;
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [
      `${prefix}${upperSnake(name)}${suffix}`,
      base + value,
    ]),
  );
}

function upperSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}
