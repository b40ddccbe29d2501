import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import { laneMask } from "../../../memory/lane_mask.ts";
import type { Packet } from "../../../memory/packet.ts";
import { PACKET_LAYOUTS } from "../../../memory/packet_views.ts";
import { CONTINUES, HEADER_WORDS } from "../../../memory/port_headers.ts";
import { Status } from "../../../memory/status.ts";
import { SharedWords } from "../../../memory/words.ts";
import { Client } from "../../../toggle/client/client.ts";
import { DESIGN_AXES } from "../../../toggle/design/channel_design.ts";
import { evictServer } from "../../../toggle/evict.ts";
import { ChannelState, ControlWord } from "../../../toggle/layout.ts";
import { WAITED } from "../../../toggle/lock/port_locks.ts";
import { snapshotPort } from "../../../toggle/port_snapshot.ts";
import { reclaimClient } from "../../../toggle/reclaim.ts";
import { startServer } from "../../../worker/start_server.ts";
import { liveDesignFault } from "../design/side_text.ts";
import { requestLiveDevice } from "../device/live_device.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { LiveKernel } from "../kernel/live_kernel.ts";
import { callMany, INCREMENT, servedBy } from "./live_server_bed_test.ts";
import { LiveServer } from "./live_server.ts";

const SERVICES = new URL("../../../testing/conformance/services.ts", import.meta.url);
/** Answers when the word of a buffer is not 0. */
const WAITING = `${INCREMENT}
  @group(1) @binding(0) var<storage, read_write> gate: array<atomic<u32>>;
  @service(40001) fn later(x: u32) -> u32 {
    for (var round = 0u; round < 4000000000u; round++) { if atomicLoad(&gate[0]) != 0u { break; } }
    return x + 1u;
  }`;

function pass(milliseconds = 1): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A call that sleeps, of a client that asks for its own number plus 1. */
async function sleepingCall(client: Client, number: number): Promise<boolean> {
  let answer = 0;
  await client.callAsync(40_000, {
    fill: (packet) => packet.setUint32(0, 0, number),
    use: (packet) => answer = packet.getUint32(0, 0),
  });
  return answer === number + 1;
}

onLiveDevice("100 000 calls of a client each get their own answer of a wave", async (device) => {
  const { channel, server } = await servedBy(device, { portCount: 2, laneCount: 1 });
  const served = server.runAsync();
  await assertRejects(() => server.runAsync(), TypeError, "as they serve already");
  assertEquals(callMany(new Client(channel, { waiter: "spin" }), 100_000), 0);
  server.stop();
  assertEquals(await served, { callCount: 100_000, refusedCallCount: 0, end: "left" });
  assertEquals(snapshotPort(channel, 0).serverLock, 0);
});

for (const packetLayout of PACKET_LAYOUTS) {
  onLiveDevice(
    `${packetLayout}: each set of lanes is worked on, and no other lane`,
    async (device) => {
      for (const invocationCount of [1, 4, 6]) {
        const shape = { portCount: 2, laneCount: 6, laneBytes: 128, packetLayout };
        const { channel, server } = await servedBy(device, shape, { invocationCount });
        const served = server.runAsync();
        const client = new Client(channel, { waiter: "spin" });
        for (let lanes = 1; lanes < 64; lanes++) {
          const found: number[] = [];
          const port = client.open(40_000, { mask: { lo: lanes, hi: 0 } })
            .send(({ uint32 }) => uint32.forEach((_, word) => uint32[word] = word * 100));
          port.recv(({ uint32 }) => found.push(...uint32)).close();
          const changed = found.flatMap((value, word) => value === word * 100 ? [] : [value]);
          const expected = [0, 1, 2, 3, 4, 5].filter((lane) => lanes >> lane & 1).map((lane) =>
            (packetLayout === "lane-major" ? lane * 32 : lane) * 100 + 1
          );
          assertEquals(changed, expected, `${invocationCount} invocations, lanes ${lanes}`);
        }
        server.stop();
        assertEquals((await served).callCount, 63);
      }
    },
  );
}

onLiveDevice("lanes of both halves of a mask are worked on", async (device) => {
  for (const invocationCount of [1, 64]) {
    const shape = { portCount: 1, laneCount: 64 };
    const { channel, server } = await servedBy(device, shape, { invocationCount });
    const served = server.runAsync();
    const client = new Client(channel, { waiter: "spin" });
    const lanes: number[] = [];
    client.call(40_000, {
      fill: ({ uint32 }) => uint32.fill(7),
      use: ({ uint32 }) => uint32.forEach((value, word) => value === 8 && lanes.push(word / 16)),
    }, { mask: laneMask(0, 31, 33, 62) });
    assertEquals(lanes, [0, 31, 33, 62]);
    server.stop();
    await served;
  }
});

onLiveDevice(
  "waves and servers in Workers share ports, and clients that sleep are woken",
  async (device) => {
    const shape = { portCount: 40, laneCount: 1 };
    const { channel, server } = await servedBy(device, shape, { waveCount: 2 });
    const beside = await startServer(channel, { services: [SERVICES], waiter: "park" });
    const served = server.runAsync();
    const client = new Client(channel);
    // More calls than ports: some sleep until a port is free.
    const calls = Array.from({ length: 400 }, (_, number) => sleepingCall(client, number));
    assertEquals((await Promise.all(calls)).includes(false), false);
    assertEquals((await beside.terminate()).hasLeft, true);
    assertEquals(await sleepingCall(client, 5), true);
    server.stop();
    const { callCount } = await served;
    assert(callCount >= 1 && callCount <= 401, `${callCount}`);
  },
);

onLiveDevice("waves end and begin again under calls that wait for them", async (device) => {
  const { channel, server } = await servedBy(device, { portCount: 8, laneCount: 1 });
  const client = new Client(channel);
  let callCount = 0;
  for (let time = 0; time < 4; time++) {
    const calls = Array.from({ length: 20 }, (_, number) => sleepingCall(client, number));
    for (const pause of [0, 2]) {
      const served = server.runAsync();
      await pass(pause);
      server.stop();
      callCount += (await served).callCount;
    }
    const rest = server.runAsync();
    assertEquals((await Promise.all(calls)).includes(false), false);
    server.stop();
    callCount += (await rest).callCount;
  }
  assertEquals(callCount, 80);
});

onLiveDevice(
  "waves leave when they are asked to, and the last ones take the channel along",
  async (device) => {
    const { channel, server } = await servedBy(device, { portCount: 1, laneCount: 1 });
    // Stands for another server.
    channel.enterServing();
    for (const state of [ChannelState.running, ChannelState.stopped]) {
      const served = server.runAsync();
      assertEquals((await evictServer(channel, server.serverId)).hasLeft, true);
      assertEquals([(await served).end, channel.state], ["left", state]);
      if (state === ChannelState.running) channel.leaveServing();
    }
  },
);

onLiveDevice(
  "what is wrong with a call is said by its status, and the next is served",
  async (device) => {
    const { channel, server } = await servedBy(device, { portCount: 1, laneCount: 2 });
    const { words: { plain }, layout: { headersWord } } = channel;
    const served = server.runAsync();
    const client = new Client(channel, { waiter: "spin" });
    const asked = (opcode: number, header: Readonly<Record<number, number>> = {}) => {
      const port = client.open(opcode).send((packet) => {
        packet.uint32.fill(9);
        for (const [word, value] of Object.entries(header)) plain[headersWord + +word] = value;
      });
      try {
        port.recv(({ uint32 }) => assertEquals([...uint32.subarray(0, 2)], [9, 9])).close();
        return Status.ok;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        return error.status;
      } finally {
        if (port.isOpen) port.close();
      }
    };
    assertEquals(HEADER_WORDS, 4);
    assertEquals(asked(0), Status.ok, "a call of nothing");
    assertEquals(asked(40_999), Status.unhandledOpcode);
    assertEquals(asked(1), Status.unhandledOpcode, "an opcode of the library's");
    assertEquals(asked(40_000, { 2: 40_000 + 0x10000 }), Status.unhandledOpcode, "no opcode");
    assertEquals(asked(40_000, { 0: 0 }), Status.badMask, "no lane");
    assertEquals(asked(40_000, { 0: 4 }), Status.badMask, "a lane that is not there");
    assertEquals(asked(40_000, { 1: 1 }), Status.badMask, "a lane of the upper half");
    assertEquals(asked(40_000, { 2: 40_000 | CONTINUES }), Status.outOfStep);
    channel.words.store(channel.layout.serverLateWord, 1);
    assertEquals(asked(40_000, { 2: 40_000 | CONTINUES }), Status.clientLate);
    assertEquals(asked(40_000, { 2: 40_000 | CONTINUES }), Status.outOfStep, "it was told once");
    const message = () => client.callMessage(40_000, new Uint8Array(8));
    assertThrows(message, CallError, "Cannot serve messages, streams, values: use call()");
    assertEquals(callMany(client, 5), 0);
    server.stop();
    const { callCount, refusedCallCount } = await served;
    assertEquals([callCount, refusedCallCount], [16, 10]);
  },
);

onLiveDevice("a text for GpuServer serves here as it is, with its buffers", async (device) => {
  const sums = device.createBuffer(8, "host");
  new Uint32Array(sums.words!).fill(0);
  const source = `
    @group(1) @binding(0) var<storage, read_write> sums: array<atomic<u32>>;
    fn operate(opcode: u32) {
      switch opcode {
        case 40000u: { atomicAdd(&sums[lane_index], packet_get(0u)); }
        case 40001u: { packet_set(15u + lane_index, 9u); }
        default: { packet_set(0u, packet_get(0xffffffffu)); }
      }
    }`;
  const { channel, server } = await servedBy(device, { portCount: 2, laneCount: 2 }, {
    source,
    buffers: [sums],
    opcodes: [40_000, 40_001, 40_002],
  });
  const served = server.runAsync();
  const client = new Client(channel, { waiter: "spin" });
  const call = (opcode: number) =>
    client.call(opcode, { fill: ({ uint32 }) => uint32.fill(21), use: () => {} });
  call(40_000);
  call(40_000);
  assertEquals([...new Uint32Array(sums.words!)], [42, 42]);
  const reason = "Cannot use word 16 or more: enlarge laneBytes";
  for (const opcode of [40_001, 40_002]) assertThrows(() => call(opcode), CallError, reason);
  assertThrows(() => call(40_003), CallError, "no handler");
  server.stop();
  assertEquals((await served).refusedCallCount, 3);
});

onLiveDevice(
  "a late answer ends a call, and a wave told to leave answers first",
  async (device) => {
    const gate = device.createBuffer(4, "host");
    const open = new SharedWords(gate.words as SharedArrayBuffer);
    open.store(0, 0);
    const shape = { portCount: 2, laneCount: 1 };
    const { channel, server } = await servedBy(device, shape, { source: WAITING, buffers: [gate] });
    const served = server.runAsync();
    const client = new Client(channel, { waiter: "spin" });
    const work = {
      fill: (packet: Packet) => packet.setUint32(0, 0, 6),
      use: (packet: Packet) => assertEquals(packet.getUint32(0, 0), 7),
    };
    const late = () => client.call(40_001, work, { timeoutSeconds: 0.01 });
    assertThrows(late, DOMException, "within");
    open.store(0, 1);
    assertEquals(callMany(client, 3), 0);
    open.store(0, 0);
    const held = client.open(40_001).send(work.fill);
    const { words, layout } = channel;
    const lockWord = layout.serverLockWord + held.index;
    while (words.load(lockWord) === 0);
    // A server that sleeps until the port is free has marked it.
    words.or(lockWord, WAITED);
    const bellWord = layout.controlWord + ControlWord.bell;
    const bell = words.load(bellWord);
    server.stop();
    await pass(5);
    assertEquals(held.tryRecv(() => {}), undefined, "it is still at work");
    open.store(0, 1);
    assertEquals((await served).end, "left");
    assertEquals(words.load(bellWord) > bell, true, "who had marked the port was woken");
    held.recv(work.use).close();
    assertEquals(words.load(lockWord), 0);
  },
);

onLiveDevice("a shutdown lets waves serve what was sent, a stop does not", async (device) => {
  for (const way of ["shutDown", "stop"] as const) {
    const { channel, server } = await servedBy(device, { portCount: 40, laneCount: 1 });
    const client = new Client(channel);
    const ports = Array.from({ length: 40 }, () => client.open(40_000));
    const sent = ports.map((port, number) => port.send((packet) => packet.setUint32(0, 0, number)));
    // Stands for a server that takes longer to leave.
    channel.enterServing();
    channel[way]();
    const { end, callCount } = await server.runAsync();
    assertEquals([end, callCount], ["stopped", way === "stop" ? 0 : 40]);
    if (way === "stop") continue;
    assertEquals(channel.state, ChannelState.stopping);
    channel.leaveServing();
    assertEquals(channel.state, ChannelState.stopped);
    sent.forEach((port, number) =>
      port.recv((packet) => assertEquals(packet.getUint32(0, 0), number + 1)).close()
    );
  }
});

onLiveDevice("waves leave when they have found nothing for long enough", async (device) => {
  const { server } = await servedBy(device, { portCount: 1, laneCount: 1 });
  assertEquals((await server.runAsync({ looksMax: 10_000 })).end, "idle");
  await assertRejects(() => server.runAsync({ looksMax: 0 }), RangeError, "looksMax");
});

onLiveDevice("the ports of a client that died are free again", async (device) => {
  const { channel, server } = await servedBy(device, { portCount: 1, laneCount: 1 });
  const lost = new Client(channel);
  lost.open(40_000).send(() => {});
  assertEquals(reclaimClient(channel, lost.id), 1);
  const served = server.runAsync();
  assertEquals(callMany(new Client(channel, { waiter: "spin" }), 3), 0);
  server.stop();
  assertEquals((await served).callCount, 4);
});

onLiveDevice("waves of another dispatch are served by waves", async (device) => {
  const { channel, server } = await servedBy(device, { portCount: 2, laneCount: 2 });
  using other = requestLiveDevice({ index: device.info.index });
  const results = other.createBuffer(8, "host");
  using kernel = await LiveKernel.create(other, {
    channel,
    memory: other.importBuffer(channel.handle.buffer),
    waveCount: 1,
    buffers: [results],
    translate,
    source: `
      @group(1) @binding(0) var<storage, read_write> sums: array<u32>;
      @service(40000) fn increment(x: u32) -> u32;
      fn kernel() {
        var x = lane_index;
        for (var time = 0u; time < 500u; time++) { x = increment(x); }
        sums[lane_index] = x;
      }`,
  });
  const served = server.runAsync();
  assertEquals((await kernel.runAsync()).packetCount, 500);
  assertEquals([...new Uint32Array(results.words!)], [500, 501]);
  server.stop();
  assertEquals((await served).callCount, 500);
});

for (const locks of ["channel", "device"] as const) {
  onLiveDevice(
    `waves serve channels of each design, with locks of the ${locks}`,
    async (device) => {
      const { portLock, mailboxUpdate } = DESIGN_AXES;
      const designs = [
        ...portLock.map((name) => ({ portLock: name, discovery: "scan" as const })),
        ...mailboxUpdate.map((name) => ({ mailboxUpdate: name })),
        { mailboxWidth: "padded" as const, discovery: "scan" as const },
      ].filter((design) => liveDesignFault(design) === undefined);
      assertEquals(designs.length, 11);
      for (const design of locks === "channel" ? designs : designs.slice(0, 1)) {
        const shape = { portCount: 3, laneCount: 1, ...design };
        const { channel, server } = await servedBy(device, shape, { waveCount: 2, locks });
        for (let time = 0; time < 2; time++) {
          const served = server.runAsync();
          assertEquals(callMany(new Client(channel, { waiter: "spin" }), 200), 0);
          const calls = Array.from({ length: 6 }, (_, at) => sleepingCall(new Client(channel), at));
          assertEquals((await Promise.all(calls)).includes(false), false, JSON.stringify(design));
          server.stop();
          assertEquals((await served).callCount, 206);
        }
      }
    },
  );
}

onLiveDevice("LiveServer.create() says what does not fit", async (device) => {
  const shape = { portCount: 1, laneCount: 2 };
  const create = (options: Parameters<typeof servedBy>[2], design = {}) =>
    servedBy(device, { ...shape, ...design }, options);
  await assertRejects(() => create({ source: "" }), TypeError, "write fn operate(opcode: u32)");
  await assertRejects(() => create({ invocationCount: 3 }), RangeError, "from 1 to 2");
  for (const opcode of [-1, 1.5, 65536]) {
    await assertRejects(() => create({ opcodes: [opcode] }), RangeError, `value is ${opcode}`);
  }
  await assertRejects(
    () => create({ locks: "host" as "device" }),
    TypeError,
    "locks must be one of",
  );
  await assertRejects(
    () => create({ memory: device.createBuffer(64, "host") }),
    TypeError,
    "imported",
  );
  const wide = { mailboxWidth: "bit", mailboxUpdate: "fetch-xor" };
  await assertRejects(() => create({}, wide), RangeError, "mailboxWidth must be word or padded");
  const source = `${INCREMENT}\nfn wrong() { nothing(); }`;
  await assertRejects(() => create({ source }), Error, "line 2");
  using behindBus = requestLiveDevice({ index: device.info.index, hostAtomics: [] });
  const { channel } = await create({});
  const memory = behindBus.importBuffer(channel.handle.buffer);
  const options = { channel, memory, source: INCREMENT, translate };
  await assertRejects(
    () => LiveServer.create(behindBus, options),
    DOMException,
    'needs compareExchange, exchange on the host\'s memory, and there is no read-modify-write: choose locks: "device"',
  );
  (await LiveServer.create(behindBus, { ...options, locks: "device" }))[Symbol.dispose]();
});
