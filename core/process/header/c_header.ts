import { fullMask } from "../../memory/lane_mask.ts";
import { designWord, otherChoice } from "../../toggle/design/channel_design.ts";
import {
  type ChannelLayout,
  channelLayout,
  type ChannelShape,
  ControlWord,
} from "../../toggle/layout.ts";
import {
  OWNERS_MAX,
  OWNERS_WORD,
  PARTICIPANTS_MAX,
  ROSTER_BYTES,
  SLOT_WORDS,
  SLOTS_WORD,
} from "../../toggle/wire/participant.ts";
import { FILE_MAGIC, FILE_VERSION, fileBytes } from "../shared/roster.ts";
import calls from "./calls.h" with { type: "text" };

/** Sizes of a layout that go into a header as they are, distances in words. */
const COUNTS = [
  "portCount",
  "laneCount",
  "laneBytes",
  "packetWords",
  "mailboxStride",
  "headerStride",
  "packetStride",
  "hintWordCount",
  "hintShift",
] as const satisfies readonly (keyof ChannelLayout)[];

/**
 * A C header of a channel's layout, for programs in other languages that share its memory: where
 * everything is, in bytes, and for the default design, wherever its mailboxes are, the steps of a call, too,
 * by which C and C++ take part as clients and servers of one packet a call. Of another design, or of LLVM's
 * wire, which has a header of its own, it has the places alone.
 *
 * A file of a `SharedFile` has its channel at byte `PORTLAB_CHANNEL_BYTE`.
 *
 * @throws {RangeError} as `Channel.create`
 *
 * @example
 * ```ts
 * import { cHeader } from "./c_header.ts";
 * const text = cHeader({ portCount: 4, laneCount: 32 });
 * if (!text.includes("#define PORTLAB_PORT_COUNT 4u\n")) throw new Error("its counts");
 * ```
 */
export function cHeader(shape: ChannelShape): string {
  const layout = channelLayout(shape);
  const { lo, hi } = fullMask(layout.laneCount);
  const isOwn = layout.wire === "portlab";
  const places = Object.entries(layout).filter(([name]) => name.endsWith("Word"));
  const defines: [string, string][] = [
    ...COUNTS.map((name): [string, string] => [name, `${layout[name]}u`]),
    ...places.map(([name, word]): [string, string] => [
      name.replace(/Word$/, "Byte"),
      `${Number(word) * 4 - layout.wireByte}`,
    ]),
    ["allLanes", `0x${((BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0)).toString(16)}ull`],
    ["totalBytes", `${layout.totalBytes - layout.wireByte}u`],
  ];
  if (isOwn) defines.push(...ofFile(layout));
  const known = isOwn
    ? defines
    : defines.filter(([name]) => !name.endsWith("Byte") || WIRE_PLACES.includes(name));
  const lines = known.map(([name, value]) => `#define PORTLAB_${constantCase(name)} ${value}`);
  const width = layout.mailboxWidth === "padded" ? "word" : layout.mailboxWidth;
  const hasCalls = isOwn && otherChoice({ ...layout, mailboxWidth: width }) === undefined &&
    layout.packetLayout === "lane-major";
  const what = `${layout.portCount} ports, ${layout.laneCount} lanes, wire ${layout.wire}`;
  return `/* A channel of portlab: ${what}. Made by: deno task c-header */
#pragma once

${lines.join("\n")}
${hasCalls ? calls : ""}`;
}

/** What of LLVM's memory both sides share. */
const WIRE_PLACES = ["clientOutboxByte", "serverOutboxByte", "headersByte", "packetsByte"];

function ofFile(layout: ChannelLayout): [string, string][] {
  const control = (word: number) => `${(layout.controlWord + word) * 4}`;
  const { totalBytes, portCount, laneCount, laneBytes } = layout;
  const design = designWord(layout);
  const isWordMajor = Number(layout.packetLayout === "word-major");
  const head = [
    FILE_MAGIC,
    FILE_VERSION,
    totalBytes,
    portCount,
    laneCount,
    design,
    laneBytes,
    isWordMajor,
  ];
  return [
    ["stateByte", control(ControlWord.state)],
    ["nextOwnerIdByte", control(ControlWord.nextOwnerId)],
    ["sleepersByte", control(ControlWord.sleepers)],
    ["bellByte", control(ControlWord.bell)],
    ["freeBellByte", control(ControlWord.freeBell)],
    ["channelByte", `${ROSTER_BYTES}`],
    ["fileBytes", `${fileBytes(layout)}u`],
    ["head", `{ ${head.map((word) => `${word}u`).join(", ")} }`],
    ["participantsMax", `${PARTICIPANTS_MAX}u`],
    ["slotsWord", `${SLOTS_WORD}u`],
    ["slotWords", `${SLOT_WORDS}u`],
    ["ownersWord", `${OWNERS_WORD}u`],
    ["ownersMax", `${OWNERS_MAX}u`],
  ];
}

function constantCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
