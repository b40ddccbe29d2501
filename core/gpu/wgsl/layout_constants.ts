import { CONTINUES } from "../../memory/port_headers.ts";
import { type ChannelLayout } from "../../toggle/layout.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { LANE_BYTES, LANE_WORDS } from "../../memory/packet.ts";
import { Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";

/**
 * The words behind the mailboxes in the device's copy of a channel: what a dispatch tells the host
 * beside the protocol. A flag is raised by storing the epoch's number, so that nothing has to be
 * cleared between epochs, and so that thousands of waves may raise it without a read-modify-write.
 */
export const ReportWord = {
  /** Some wave waits for the host. */
  suspended: 0,
  /** Some wave found no free port. */
  starved: 1,
  /** Some wave used up its turns and could have gone on. */
  limited: 2,
  /** Some wave broke a rule; `faultCode` and `faultWave` are from one of them. */
  faulty: 3,
  faultCode: 4,
  faultWave: 5,
  /** One flag for each power of two: raised when a port below it was given away. */
  sentBelow: 8,
} as const;
/** What a live dispatch counts, in words behind the channel. */
export const LiveWord = {
  /** Sessions that went well on the client's side. */
  calls: 0,
  /** Sessions that a side gave up. */
  lost: 1,
  /** Client workgroups that have ended. */
  finished: 2,
  /** Packets that were read again because their check was not right yet. */
  retries: 3,
  /** Workgroups that have begun. */
  started: 4,
} as const;

/** Words that a live dispatch counts in, with some to spare. */
export const LIVE_WORDS = 8;

/** Words of the report. */
export const REPORT_WORDS = 32;

/** What a wave can do wrong; numbers are written by the device. */
export const WaveFault = {
  none: 0,
  /** The lanes of an open port asked for different things. */
  divergedInPort: 1,
  /** `begin` or a call while the lane's wave had a port open. */
  portAlreadyOpen: 2,
  /** `send`, `recv` or `close` without an open port. */
  noPortOpen: 3,
  /** A lane put more bytes into its stream than it holds. */
  streamFull: 4,
} as const;
export type WaveFault = typeof WaveFault[keyof typeof WaveFault];

/**
 * Every number of a channel's layout that a shader may need, by its WGSL name. Words count from
 * the start of the channel; `PAYLOAD_WORD` is where the shader's second binding begins.
 *
 * @example
 * ```ts
 * import { channelLayout } from "../../toggle/layout.ts";
 * import { layoutConstants } from "./layout_constants.ts";
 * const layout = channelLayout({ portCount: 4, laneCount: 2 });
 * const constants = layoutConstants(layout);
 * if (constants.CLIENT_OUTBOX_WORD !== layout.clientOutboxWord) throw new Error("same word");
 * ```
 */
export function layoutConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  return {
    ...upperCaseNumbers(layout),
    HEADER_WORDS,
    LANE_BYTES,
    LANE_WORDS,
    PAYLOAD_WORD: layout.headersWord,
    CONTINUES: CONTINUES >>> 0,
    ...withAffixes(ReportWord, { prefix: "REPORT_", suffix: "_WORD", base: layout.headersWord }),
    ...withAffixes(LiveWord, { prefix: "LIVE_", suffix: "_WORD", base: layout.totalBytes / 4 }),
    ...withAffixes(WaveFault, { prefix: "FAULT_", suffix: "", base: 0 }),
    ...withAffixes(Status, { prefix: "STATUS_", suffix: "", base: 0 }),
    ...withAffixes(Opcode, { prefix: "OPCODE_", suffix: "", base: 0 }),
    USER_OPCODE_FIRST,
  };
}

/** The same as WGSL declarations, one a line. */
export function declareConstants(constants: Readonly<Record<string, number>>): string {
  return Object.entries(constants)
    .map(([name, value]) => `const ${name} = ${value}u;\n`)
    .join("");
}

function upperCaseNumbers(source: object): Record<string, number> {
  return withAffixes(source as Record<string, number>, { prefix: "", suffix: "", base: 0 });
}

function withAffixes(
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
