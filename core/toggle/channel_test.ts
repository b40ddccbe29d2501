import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "./channel.ts";
import { type ChannelHandle } from "./channel_handle.ts";
import { meddledChannel } from "../testing/fixtures/meddled_words.ts";
import { Client } from "./client/client.ts";
import { DEFAULT_DESIGN } from "./design/channel_design.ts";
import { ChannelState, ControlWord, PROTOCOL_VERSION } from "./layout.ts";
import { Status } from "../memory/status.ts";

const SHAPE = { portCount: 4, laneCount: 2 };

Deno.test("Channel.attach() shares the memory of the channel whose handle it got", () => {
  const created = Channel.create(SHAPE);
  const attached = Channel.attach(structuredClone(created.handle));
  created.words.store(created.layout.packetsWord, 42);
  assertEquals(attached.words.load(attached.layout.packetsWord), 42);
  assertEquals(attached.handle.buffer.byteLength, created.layout.totalBytes);
});

Deno.test("Channel.create() uses memory that it is given, from its beginning and cleared", () => {
  const shape = { portCount: 2, laneCount: 1 };
  const { totalBytes } = Channel.create(shape).layout;
  const memory = new SharedArrayBuffer(totalBytes + 64);
  new Uint8Array(memory).fill(7);
  const channel = Channel.create(shape, memory);
  assertEquals(channel.handle.buffer, memory);
  const attached = Channel.attach(structuredClone(channel.handle));
  assertEquals([attached.state, attached.takeOwnerId()], [ChannelState.running, 1]);
  assertEquals(attached.words.load(attached.layout.clientLockWord), 0);
  assertThrows(
    () => Channel.create(shape, new SharedArrayBuffer(totalBytes - 4)),
    RangeError,
    `its buffer must have at least ${totalBytes} bytes, in whole words: current value is ${
      totalBytes - 4
    }`,
  );
  assertThrows(
    () => Channel.attach({ ...channel.handle, buffer: new SharedArrayBuffer(totalBytes + 2) }),
    RangeError,
    "Cannot attach to a channel as its buffer must have at least",
  );
});

Deno.test("Channel.attach() refuses what is not a handle of its version", () => {
  const { handle } = Channel.create(SHAPE);
  const wrong: [unknown, new () => Error, string][] = [
    [undefined, TypeError, "handle"],
    [{ ...handle, kind: "other" }, TypeError, "other"],
    [{ ...handle, version: 99 }, TypeError, "version 99"],
    [{ ...handle, buffer: new ArrayBuffer(handle.buffer.byteLength) }, TypeError, "handle"],
    [{ ...handle, buffer: new SharedArrayBuffer(64) }, RangeError, "64"],
    [{ ...handle, portCount: 5000 }, RangeError, "bytes"],
    [{ ...handle, laneCount: 0 }, RangeError, "laneCount"],
    [{ ...handle, laneBytes: 1 }, RangeError, "laneBytes"],
    [{ ...handle, laneBytes: 128 }, RangeError, "bytes"],
    [{ ...handle, packetLayout: "none" }, TypeError, "packetLayout"],
    [{ ...handle, packetLayout: "word-major" }, TypeError, "not laid out"],
    [
      { ...handle, buffer: new SharedArrayBuffer(handle.buffer.byteLength) },
      TypeError,
      "not laid out",
    ],
  ];
  for (const [bad, errorClass, text] of wrong) {
    assertThrows(() => Channel.attach(bad as ChannelHandle), errorClass, text);
  }
});

Deno.test("Channel.attach() takes over how packets are laid out", () => {
  const { handle } = Channel.create({ ...SHAPE, laneBytes: 128, packetLayout: "word-major" });
  const { laneBytes, packetLayout } = Channel.attach(structuredClone(handle)).layout;
  assertEquals([laneBytes, packetLayout], [128, "word-major"]);
  const other = { ...handle, portCount: 8, laneBytes: 64 };
  assertThrows(() => Channel.attach(other), Error);
});

Deno.test("Channel.attach() refuses a buffer that was laid out for other counts of one size", () => {
  const { handle } = Channel.create({ portCount: 2, laneCount: 3 });
  const { words, layout } = Channel.attach(handle);
  words.store(layout.controlWord + ControlWord.laneCount, 4);
  assertThrows(() => Channel.attach(handle), TypeError, "not laid out");
});

Deno.test("Channel: a design travels in the handle and in the memory, and the two have to agree", () => {
  const design = { portLock: "cas", mailboxUpdate: "fetch-xor", start: "rotating" } as const;
  const { handle } = Channel.create({ ...SHAPE, ...design });
  const { layout } = Channel.attach(structuredClone(handle));
  for (const [axis, value] of Object.entries({ ...DEFAULT_DESIGN, ...design })) {
    assertEquals(layout[axis as keyof typeof layout], value);
  }
  const other = { ...handle, mailboxUpdate: "exchange" } as const;
  assertThrows(() => Channel.attach(other), TypeError, "not laid out");
  const unknown = { ...handle, portLock: "wish" } as unknown as ChannelHandle;
  assertThrows(
    () => Channel.attach(unknown),
    RangeError,
    "portLock must be one of owner, fetch-or",
  );
});

Deno.test("Channel.shutDown() stops at once when nobody serves, and for good", () => {
  const channel = Channel.create(SHAPE);
  const client = new Client(channel);
  const port = client.open(40_000).send(() => {});
  assertEquals(channel.state, ChannelState.running);
  channel.shutDown();
  assertEquals(channel.state, ChannelState.stopped);
  const error = assertThrows(() => port.recv(() => {}), CallError);
  assertEquals(error.status, Status.serverGone);
  assertThrows(() => client.tryOpen(40_000), CallError);
  port.close();
});

Deno.test("Channel.shutDown() leaves the stop to the last server that serves", () => {
  const channel = Channel.create(SHAPE);
  channel.enterServing();
  channel.enterServing();
  channel.shutDown();
  assertEquals(channel.state, ChannelState.stopping);
  channel.leaveServing();
  assertEquals(channel.state, ChannelState.stopping);
  channel.leaveServing();
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("Channel.raiseAttention() changes the state word, not the state", () => {
  const channel = Channel.create(SHAPE);
  const before = channel.stateWord;
  channel.raiseAttention();
  assert(channel.stateWord !== before);
  assertEquals([channel.state, channel.looksRunning], [ChannelState.running, true]);
});

Deno.test("Channel: the last server takes a stopping channel with it, and a dead one any channel", () => {
  const running = Channel.create(SHAPE);
  running.enterServing();
  running.leaveServing();
  assertEquals(running.state, ChannelState.running, "it may serve again");
  running.enterServing();
  running.enterServing();
  running.abandonServing();
  assertEquals(running.state, ChannelState.running);
  running.abandonServing();
  assertEquals(running.state, ChannelState.stopped);
  const empty = Channel.create(SHAPE);
  empty.abandonServing();
  assertEquals(empty.state, ChannelState.stopped, "it died before it was counted");
});

Deno.test("Channel.shutDown() has sleeping servers look, and leaves the rest to them", () => {
  const { channel, words, layout } = meddledChannel();
  const bellWord = layout.controlWord + ControlWord.bell;
  channel.enterServing();
  const before = words.load(bellWord);
  channel.shutDown();
  assertEquals(words.notified, [bellWord]);
  assert(words.load(bellWord) !== before);
  words.notified.length = 0;
  channel.raiseAttention();
  assertEquals([words.notified, channel.state], [[bellWord], ChannelState.stopping]);
});

Deno.test("Channel gives each owner another id, from 1, and hands out no memory that is not shared", () => {
  const { channel } = meddledChannel();
  assertEquals([channel.takeOwnerId(), channel.takeOwnerId()], [1, 2]);
  assertThrows(() => channel.handle, TypeError, "not a SharedArrayBuffer");
  const created = Channel.create(SHAPE);
  assertEquals([created.takeOwnerId(), created.handle.version], [1, PROTOCOL_VERSION]);
});

Deno.test("Channel.create() says what a page without shared memory needs", () => {
  const { SharedArrayBuffer } = globalThis;
  Object.assign(globalThis, { SharedArrayBuffer: undefined });
  try {
    assertThrows(() => Channel.create(SHAPE), TypeError, "Cross-Origin-Opener-Policy");
  } finally {
    Object.assign(globalThis, { SharedArrayBuffer });
  }
});

Deno.test("Channel.checkOwnerId() takes the ids that were given, and says which those are", () => {
  const channel = Channel.create(SHAPE);
  assertThrows(() => channel.checkOwnerId(1), RangeError, "from 1 to 0: current value is 1");
  for (let id = 1; id <= 3; id++) channel.takeOwnerId();
  for (const id of [1, 2, 3]) channel.checkOwnerId(id);
  for (const id of [0, 4, -1, 1.5, NaN]) {
    const text = `from 1 to 3: current value is ${id}`;
    assertThrows(() => channel.checkOwnerId(id), RangeError, text);
  }
});

Deno.test("Channel keeps its state while attention is raised, and its count of that while it ends", () => {
  const channel = Channel.create(SHAPE);
  channel.enterServing();
  const steps = [
    () => channel.raiseAttention(),
    () => channel.announceLeaving(),
    () => channel.shutDown(),
    () => channel.raiseAttention(),
    () => channel.stop(),
    () => channel.announceLeaving(),
  ];
  const words = steps.map((step) => (step(), channel.stateWord));
  const { stopping, stopped } = ChannelState;
  assertEquals(words, [4, 8, 8 | stopping, 12 | stopping, 12 | stopped, 16 | stopped]);
  assertEquals([channel.state, channel.stateGlance, channel.looksRunning], [stopped, 19, false]);
});
