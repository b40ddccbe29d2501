import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import { startServer } from "../../worker/start_server.ts";
import { TimeLimit } from "../../system/child.ts";
import type { WireName } from "../../toggle/wire/llvm_regions.ts";
import { llvmRegions } from "../../toggle/wire/llvm_regions.ts";
import { compiled, onCompiler } from "./on_compiler_test.ts";
import { LlvmFile } from "./llvm_file.ts";
import { onLinux } from "../../testing/fixtures/on_linux.ts";

const services = [new URL("../testdata/llvm_services.ts", import.meta.url)];
const WAIT = { timeoutSeconds: 30 };
type LlvmWire = Exclude<WireName, "portlab">;

function newPath(): string {
  return `/dev/shm/portlab-test-${crypto.randomUUID()}`;
}

/** Runs a program of C++; returns its exit status. */
async function run(program: string, ...args: readonly unknown[]): Promise<number> {
  const child = new Deno.Command(program, { args: args.map(String) }).spawn();
  using _limit = new TimeLimit(child, 60);
  return (await child.status).code;
}

onCompiler(
  "LlvmFile serves a C++ client: both forms, 1 to 64 lanes, masks, streams, four threads",
  async (folder) => {
    const client = await compiled(folder, "llvm_client");
    for (
      const [wire, portCount, laneCount] of [
        ["llvm", 1, 1],
        ["llvm-2025", 3, 5],
        ["llvm-2025", 2, 64],
        ["llvm", 300, 1],
      ] as const
    ) {
      const path = newPath();
      using file = new LlvmFile(path, { portCount, laneCount, wire });
      await using _server = await startServer(file.channel, { services, keepsAlive: false });
      const code = await run(client, path, wire, portCount, laneCount, 20, 4, portCount);
      assertEquals(code, 0, `${wire} ${portCount} ${laneCount}`);
    }
  },
);

onCompiler(
  "LlvmFile calls a C++ server: both forms, lanes, masks, streams, steps in any order",
  async (folder) => {
    const server = await compiled(folder, "llvm_server");
    for (
      const [wire, portCount, laneCount] of [
        ["llvm", 2, 1],
        ["llvm-2025", 16, 64],
      ] as const
    ) await callServer(server, { wire, portCount, laneCount });
  },
);

async function callServer(
  program: string,
  shape: {
    readonly wire: LlvmWire;
    readonly portCount: number;
    readonly laneCount: number;
  },
): Promise<void> {
  const { wire, portCount, laneCount } = shape;
  const path = newPath();
  using file = new LlvmFile(path, shape);
  const child = new Deno.Command(program, {
    args: [path, wire, portCount, laneCount].map(String),
    stdout: "null",
  }).spawn();
  try {
    const client = new Client(file.channel);
    const some = laneCount === 1 ? laneMask(0) : { lo: 0x80000001, hi: 0x80000000 };
    for (const mask of [undefined, some]) {
      const options = { ...WAIT, ...(mask && { mask }) };
      const answers: number[] = [];
      client.call(40_000, {
        fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, lane + 7)),
        use: (packet) =>
          packet.forEachLane((lane) => answers.push(packet.getUint32(lane, 0) - lane)),
      }, options);
      assertEquals(new Set(answers), new Set([8]));
      assertEquals(answers.length, mask ? (laneCount === 1 ? 1 : 3) : laneCount);
    }
    const payloads = Array.from(
      { length: laneCount },
      (_, lane) => crypto.getRandomValues(new Uint8Array(lane * 17 % 311)),
    );
    assertEquals(client.callStream(40_001, payloads, WAIT), payloads);
    let count = 0;
    const put = (packet: { setUint32(lane: number, word: number, value: number): void }) =>
      packet.setUint32(0, 0, count);
    const take = (packet: { getUint32(lane: number, word: number): number }) =>
      void (count = packet.getUint32(0, 0));
    using port = client.open(40_002, { ...WAIT, mask: laneMask(0) });
    const counted = port.send((packet) => packet.setUint32(0, 0, 0)).send(put).recv(take);
    count++;
    counted.send(put).recv(take);
    count++;
    counted.send(put);
    count++;
    counted.send(put).recv(take).recv(take);
    count++;
    counted.recv(take);
    assertEquals(count, 8);
    client.call(Opcode.noop, { fill: () => {}, use: () => {} }, WAIT);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
}

onLinux("LlvmFile has the memory of shared/rpc.h from byte 0 on, and nothing else", () => {
  const path = newPath();
  for (const wire of ["llvm", "llvm-2025"] as const) {
    const shape = { portCount: 3, laneCount: 2, wire };
    const regions = llvmRegions(shape);
    using file = new LlvmFile(path, shape);
    assertEquals(Deno.statSync(path).size, regions.totalBytes);
    const client = new Client(file.channel);
    using port = client.open(40_000, { mask: laneMask(1) });
    port.send((packet) => packet.setUint32(1, 15, 0xabcd));
    const view = new DataView(Deno.readFileSync(path).buffer);
    const expected = new DataView(new ArrayBuffer(regions.totalBytes));
    expected.setUint32(regions.secondaryByte + 4 * port.index, 1, true);
    expected.setUint32(regions.headersByte + 16 * port.index, 2, true);
    expected.setUint32(regions.headersByte + 16 * port.index + 8, 40_000, true);
    expected.setUint32(regions.bufferByte + (2 * port.index + 1) * 64 + 60, 0xabcd, true);
    assertEquals(new Uint8Array(view.buffer), new Uint8Array(expected.buffer));
  }
});

onLinux("LlvmFile takes memory as it stands, fills an empty file, and refuses a short one", () => {
  const path = newPath();
  const shape = { portCount: 1, laneCount: 1 };
  Deno.writeFileSync(path, new Uint8Array());
  try {
    for (const value of [5, 9]) {
      // Each has its locks and turns anew, and goes on where the last one ended.
      using serving = new LlvmFile(path, shape);
      using calling = new LlvmFile(path, shape);
      assertEquals([serving.isNew, Deno.statSync(path).size], [false, 152]);
      const server = new Server(serving.channel);
      server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
      using port = new Client(calling.channel).open(40_000);
      const sent = port.send((packet) => packet.setUint32(0, 0, value));
      server.runOnce();
      assertEquals(sent.query(), true);
      sent.recv((packet) => assertEquals(packet.getUint32(0, 0), value + 1));
    }
    assertThrows(
      () => new LlvmFile(path, { portCount: 2, laneCount: 1 }),
      RangeError,
      "of 2 ports of 1 lanes takes 240 bytes: current value is 152",
    );
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("A channel in LLVM's memory hands a packet back as it was where nobody serves it, or may", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 2, wire: "llvm-2025" });
  const faults: number[] = [];
  const server = new Server(channel, { onFault: ({ opcode }) => faults.push(opcode) });
  server.operate(40_000, () => {
    throw new Error("told to the host alone");
  });
  const { plain } = channel.words;
  const { headersWord, clientOutboxWord, serverOutboxWord, packetsWord } = channel.layout;
  const hostile: readonly (readonly [lo: number, hi: number, opcode: number])[] = [
    [1, 0, 40_000],
    [1, 0, 51_234],
    [1, 0, 0x63000009],
    [1, 0, 0x12345678],
    [1, 0, -1],
    [0, 0, 40_000], // no lane
    [4, 0, 40_000], // lanes that there are not
    [-1, -1, 40_000],
  ];
  for (const [lo, hi, opcode] of hostile) {
    plain.set([lo, hi, opcode, 77], headersWord);
    plain.fill(0x1234567, packetsWord, packetsWord + 32);
    plain[clientOutboxWord]! ^= 1;
    assertEquals(server.runOnce(), true);
    assertEquals(plain[serverOutboxWord], plain[clientOutboxWord]);
    assertEquals([...plain.subarray(headersWord, headersWord + 4)], [lo, hi, opcode, 77]);
    assertEquals(new Set(plain.subarray(packetsWord, packetsWord + 32)), new Set([0x1234567]));
  }
  assertEquals(faults.length, hostile.length);
  plain[clientOutboxWord] = 5; // no mailbox of anybody
  assertEquals(server.runOnce(), false);
});
