import { otherChoice } from "../../toggle/design/channel_design.ts";
import { CONTINUES } from "../../memory/port_headers.ts";
import { type ChannelLayout } from "../../toggle/layout.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { packetStrides } from "../../memory/packet_views.ts";
import { Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import { ErrorWord, KernelErrorCode } from "./kernel_error.ts";

/**
 * The words behind the locks in the device's copy of a channel: what a dispatch tells the host
 * beside the protocol. A flag is raised by storing the epoch's number. So nothing has to be cleared
 * between epochs, and thousands of waves may raise it without a read-modify-write.
 */
export const ReportWord = {
  /** Some wave waits for the host. */
  suspended: 0,
  /** Some wave found no free port. */
  starved: 1,
  /** Some wave used up its turns and could have gone on. */
  limited: 2,
  /** No flag, but 0 or the error of a wave that broke a rule: see `readKernelError`. */
  error: 3,
  /** No flag: the epoch's low half, and 65535 less the first wave that has not finished. */
  unfinished: 4,
  /** No flag, but the last step that a lane went to and that is not there, and the wave, in 16 bits each. */
  badStep: 5,
  /** One flag for each power of two: raised when a port below it was given away. */
  sentBelow: 8,
} as const;

/** Words of the report, with some to spare. */
export const REPORT_WORDS = 32;

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
 *
 * @throws {RangeError} as {@linkcode checkDefaultDesign}
 */
export function layoutConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  checkDefaultDesign(layout);
  return {
    ...upperCaseNumbers(layout),
    HEADER_WORDS,
    LANE_WORDS: layout.laneBytes / 4,
    ...upperCaseNumbers(packetStrides(layout)),
    PAYLOAD_WORD: layout.headersWord,
    CONTINUES: CONTINUES >>> 0,
    ...withAffixes(ReportWord, { prefix: "REPORT_", suffix: "_WORD", base: layout.headersWord }),
    ...withAffixes(KernelErrorCode, { prefix: "ERROR_", suffix: "", base: 0 }),
    ...withAffixes(ErrorWord, { prefix: "ERROR_", suffix: "", base: 0 }),
    ...withAffixes(Status, { prefix: "STATUS_", suffix: "", base: 0 }),
    ...withAffixes(Opcode, { prefix: "OPCODE_", suffix: "", base: 0 }),
    USER_OPCODE_FIRST,
  };
}

/** @throws {RangeError} when the channel is not of the default design, the only one that shaders know */
export function checkDefaultDesign(layout: ChannelLayout): void {
  const fault = otherChoice(layout);
  if (fault !== undefined) throw new RangeError(`Cannot use the channel on a GPU as ${fault}`);
}

/** The same as WGSL declarations, one a line. */
export function declareConstants(constants: Readonly<Record<string, number>>): string {
  return Object.entries(constants)
    .map(([name, value]) => `const ${name} = ${value}u;\n`)
    .join("");
}

function upperCaseNumbers(source: object): Record<string, number> {
  const numbers = Object.entries(source).filter(([, value]) => typeof value === "number");
  return withAffixes(Object.fromEntries(numbers), { prefix: "", suffix: "", base: 0 });
}

/** Numbers by their WGSL names: `sentBelow` becomes `PREFIX_SENT_BELOW_SUFFIX`, counted from a base. */
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
