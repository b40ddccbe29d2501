/**
 * The numbers that two versions of the code have to agree on. Whoever changes one of them changes
 * `PROTOCOL_VERSION`, and this page, too.
 */
import { assertEquals } from "@std/assert";
import { MESSAGE_HEAD_BYTES } from "../../call/message.ts";
import { ERROR_LIMIT_BYTES } from "../../call/whole_error.ts";
import { LANE_COUNT_MAX } from "../../memory/lane_mask.ts";
import { Opcode, OPCODE_MAX, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { LANE_BYTES, LANE_WORDS } from "../../memory/packet.ts";
import {
  CONTINUES,
  Form,
  formOf,
  HEADER_WORDS,
  NO_REPLY,
  OPCODE_FLAGS,
  PortHeaders,
  WHOLE_ERRORS,
} from "../../memory/port_headers.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../../toggle/channel.ts";
import { DEFAULT_DESIGN } from "../../toggle/design/channel_design.ts";
import * as layouts from "../../toggle/layout.ts";
import { LEAVE_SLOTS } from "../../toggle/leave_requests.ts";
import { Mailboxes } from "../../toggle/mailbox.ts";

Deno.test("wire format: statuses, opcodes and flags", () => {
  assertEquals(Object.values(Status), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assertEquals(Opcode, { noop: 0, writeStdout: 1, rpcInvoke: 2, printf: 3, findFunction: 4 });
  assertEquals([USER_OPCODE_FIRST, OPCODE_MAX], [0x8000, 0xffff]);
  const flags = [CONTINUES, NO_REPLY, WHOLE_ERRORS, OPCODE_FLAGS].map((flag) => flag >>> 0);
  assertEquals(Form, { any: 0, message: 1, stream: 2, value: 3 });
  assertEquals([formOf(0x0800_0000), formOf(-1)], [Form.message, Form.value]);
  assertEquals(flags, [0x8000_0000, 0x4000_0000, 0x2000_0000, 0xf800_0000]);
});

Deno.test("wire format: control words, states and sizes", () => {
  assertEquals(layouts.ControlWord, {
    magic: 0,
    version: 1,
    portCount: 2,
    laneCount: 3,
    design: 4,
    laneBytes: 8,
    packetLayout: 9,
    wire: 10,
    state: 32,
    nextOwnerId: 33,
    liveServers: 34,
    clientCount: 35,
    serverCount: 36,
    sleepers: 64,
    bell: 65,
    freeBell: 66,
  });
  assertEquals(layouts.ChannelState, { running: 0, stopping: 1, stopped: 3 });
  assertEquals([layouts.CHANNEL_MAGIC, layouts.PROTOCOL_VERSION], [0x504f5254, 9]);
  assertEquals([LANE_BYTES, LANE_WORDS, LANE_COUNT_MAX, HEADER_WORDS], [64, 16, 64, 4]);
  assertEquals([LEAVE_SLOTS, MESSAGE_HEAD_BYTES, ERROR_LIMIT_BYTES], [32, 8, 65_536]);
});

Deno.test("wire format: where the regions are", () => {
  assertEquals(layouts.channelLayout({ portCount: 40, laneCount: 3 }), {
    portCount: 40,
    laneCount: 3,
    ...DEFAULT_DESIGN,
    laneBytes: 64,
    packetLayout: "lane-major",
    wire: "portlab",
    wireByte: 0,
    controlWord: 0,
    clientOutboxWord: 96,
    clientParkedWord: 160,
    serverOutboxWord: 224,
    serverParkedWord: 288,
    clientTurnWord: 352,
    serverTurnWord: 416,
    clientLockWord: 480,
    serverLockWord: 544,
    clientMarksWord: 608,
    serverMarksWord: 608,
    clientPartsWord: 608,
    serverPartsWord: 672,
    serverLateWord: 736,
    leaveWord: 800,
    hintWord: 832,
    hintWordCount: 2,
    hintShift: 0,
    headersWord: 864,
    packetsWord: 1024,
    packetWords: 48,
    mailboxStride: 1,
    headerStride: 4,
    packetStride: 48,
    totalBytes: 11_776,
  });
  const beside = layouts.channelLayout({ portCount: 40, laneCount: 3, mailboxWidth: "beside" });
  const { clientOutboxWord, serverOutboxWord, headersWord, packetsWord, totalBytes } = beside;
  const { mailboxStride, headerStride, packetStride, clientParkedWord } = beside;
  assertEquals([clientParkedWord, clientOutboxWord, serverOutboxWord], [96, 736, 737]);
  assertEquals([headersWord, packetsWord, totalBytes], [738, 742, (736 + 40 * 64) * 4]);
  assertEquals([mailboxStride, headerStride, packetStride], [64, 64, 64]);
  const largest = layouts.channelLayout({ portCount: 16_384, laneCount: 1 });
  assertEquals([largest.hintWordCount, largest.hintShift], [16, 5]);
});

Deno.test("wire format: the first words of a channel, and those of a header", () => {
  const { words, layout } = Channel.create({ portCount: 2, laneCount: 5 });
  assertEquals([...words.plain.subarray(0, 4)], [0x504f5254, 9, 2, 5]);
  assertEquals([...words.plain.subarray(8, 10)], [64, 0]);
  const other = Channel.create({
    portCount: 1,
    laneCount: 1,
    laneBytes: 192,
    packetLayout: "word-major",
  });
  assertEquals([...other.words.plain.subarray(8, 10)], [192, 1]);
  assertEquals([words.load(32), words.load(33), words.load(34)], [0, 1, 0]);
  const headers = new PortHeaders(words.plain, layout);
  headers.begin(1, 40_000, { lo: 3, hi: 4 });
  headers.setStatus(1, Status.clientLate);
  const header = words.plain.subarray(layout.headersWord + 4, layout.headersWord + 8);
  assertEquals([...header], [3, 4, 40_000, 7]);
});

Deno.test("wire format: what a lock, a parked word and a request to leave hold", () => {
  const { words, layout, leaveRequests } = Channel.create({ portCount: 2, laneCount: 1 });
  const client = new Mailboxes(words, { layout, side: "client", ownerId: 5 });
  const server = new Mailboxes(words, { layout, side: "server", ownerId: 6 });
  client.locks.tryLock(1);
  client.watchUntilFree(1);
  server.locks.watchPeer(1);
  assertEquals(words.load(layout.clientLockWord + 1), 5 | (1 << 30) | (1 << 29));
  client.toggle(0);
  client.watchUntilFree(0);
  assertEquals(words.load(layout.clientParkedWord), 2);
  const slot = leaveRequests.ask(5);
  leaveRequests.answer(5);
  assertEquals(words.load(layout.leaveWord + slot), 5 | (1 << 30));
  const other = leaveRequests.ask(6);
  leaveRequests.giveUp(other, 6);
  assertEquals(words.load(layout.leaveWord + other), 6 | (1 << 29));
});
