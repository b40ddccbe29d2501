import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { PACKET_LAYOUTS } from "../../memory/packet_views.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { CallError } from "../../call/call_error.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { type GpuDevice, requestGpuDevice } from "../device/device.ts";
import { READBACK_NAMES } from "../device/readback.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { GpuServer, type GpuServerOptions } from "./gpu_server.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { onDevice } from "../device/on_device_test.ts";

const ARITHMETIC = `fn operate(opcode: u32) {
  switch opcode {
    case 40000u: { packet_set(0u, packet_get(0u) + packet_get(1u)); }
    case 40001u: { packet_set(0u, packet_get(0u) * packet_get(1u)); }
    default: { packet_set(0u, lane_index); }
  }
}`;

/** A server on a channel of its own, and a client of this thread. */
async function serverBed(
  gpu: GpuDevice,
  { source = ARITHMETIC, buffers, readback, ...shape }:
    & ChannelShape
    & Partial<Pick<GpuServerOptions, "source" | "buffers" | "readback">>,
) {
  const channel = Channel.create(shape);
  const options = { channel, source, ...buffers && { buffers }, ...readback && { readback } };
  const server = await GpuServer.create(gpu, options);
  return { server, client: new Client(channel), [Symbol.dispose]: () => server.destroy() };
}

for (const packetLayout of PACKET_LAYOUTS) {
  onDevice(`${packetLayout}: a host client calls a function on the GPU`, async (gpu) => {
    const shape = { portCount: 4, laneCount: 8, laneBytes: 128, packetLayout };
    using bed = await serverBed(gpu, shape);
    const waiting = bed.client.callAsync(40_001, {
      fill: (packet) => {
        packet.forEachLane((lane) => {
          packet.setUint32(lane, 0, lane);
          packet.setUint32(lane, 1, 7);
        });
      },
      use: (packet) => {
        packet.forEachLane((lane) => assertEquals(packet.getUint32(lane, 0), lane * 7));
      },
    });
    while (await bed.server.runBatchAsync() === 0);
    await waiting;
  });
}

onDevice("functions with bodies serve their opcodes, and no other", async (gpu) => {
  const channel = Channel.create({ portCount: 4, laneCount: 2 });
  const source = `
    const FIRST = 40000; @service(FIRST) fn product(x: u32, y: u32, z: u32) -> u32 { return x * y * z; }
    struct Point { x: i32, y: i32 }
    @service( 40001u )
    fn turned(point: Point) -> Point { return Point(-point.y, point.x); }
    @service(40003) fn note(by: vec2<bool>) { packet_set(0u, 50u + u32(by.x)); }`;
  const server = await GpuServer.create(gpu, { channel, source });
  const client = new Client(channel);
  const results: number[] = [];
  const call = (opcode: number) =>
    client.callAsync(opcode, {
      fill: (packet) =>
        packet.forEachLane((lane) => {
          [6 + lane, 7, 1].forEach((value, at) => packet.setUint32(lane, at, value));
        }),
      use: (packet) => packet.forEachLane((lane) => results.push(packet.getUint32(lane, 0))),
    });
  const calls = Promise.allSettled([40_000, 40_001, 40_003, 40_002].map(call));
  let servedCount = 0;
  while (servedCount < 3) servedCount += await server.runBatchAsync();
  const [product, , , unknown] = await calls;
  assertEquals(product!.status, "fulfilled");
  assertEquals(results, [42, 49, 2 ** 32 - 7, 2 ** 32 - 7, 51, 51]);
  assert(unknown!.status === "rejected");
  assertStringIncludes(String(unknown!.reason), "40002");
  assertEquals(servedCount, 3);
  server.destroy();
});

for (const readback of [undefined, "awaited"] as const) {
  onDevice(`one dispatch serves all that is pending, ${readback ?? "as probed"}`, async (gpu) => {
    using bed = await serverBed(gpu, { portCount: 32, laneCount: 40, ...readback && { readback } });
    const { server, client } = bed;
    const mask = laneMask(1, 35);
    const sent = Array.from(
      { length: 20 },
      (_, call) =>
        client.tryOpen(40_000, { mask })!.send((packet) => {
          packet.forEachLane((lane) => {
            packet.setUint32(lane, 0, call);
            packet.setUint32(lane, 1, lane);
          });
        }),
    );
    assertEquals(await server.runBatchAsync(), 20);
    sent.forEach((port, call) =>
      port.recv((packet) =>
        packet.forEachLane((lane) => assertEquals(packet.getUint32(lane, 0), call + lane))
      ).close()
    );
    assertEquals(await server.runBatchAsync(), 0);
  });
}

onDevice("lanes outside the mask are left as they were", async (gpu) => {
  using bed = await serverBed(gpu, { portCount: 1, laneCount: 2 });
  const port = bed.client.tryOpen(50_000, { mask: laneMask(1) })!
    .send((packet) => packet.uint32.fill(9));
  await bed.server.runBatchAsync();
  port.recv((packet) => assertEquals([packet.uint32[0], packet.uint32[16]], [9, 1])).close();
});

onDevice(
  "GpuServer.create() refuses a text that does not compile",
  async (gpu) => {
    const shape = { portCount: 2, laneCount: 1 };
    const create = (options: { source?: string }) => serverBed(gpu, { ...shape, ...options });
    const error = await assertRejects(
      () => create({ source: "\nfn operate(opcode: u32) { nothing(); }" }),
      KernelCompileError,
    );
    assertEquals(error.line, 2);
    await assertRejects(
      () => create({ source: "// a\nfn operate() {}" }),
      KernelCompileError,
      "line 2, column 4 is wrong: it is called otherwise: write fn operate(opcode: u32)",
    );
    using awaited = await serverBed(gpu, { ...shape, readback: "awaited" });
    assertThrows(() => awaited.server.runBatch(), TypeError, "use the method that awaits");
  },
);

onDevice("operate() uses buffers of the author, which are read back", async (gpu) => {
  const shape = { portCount: 2, laneCount: 2 };
  const [factors, sums] = [createOwnBuffer(gpu, Uint32Array.of(3, 5)), createOwnBuffer(gpu, 8)];
  const source = `
    @group(1) @binding(0) var<storage, read_write> sums: array<atomic<u32>>;
    @group(1) @binding(1) var<storage, read> factors: array<u32>;
    fn operate(opcode: u32) { atomicAdd(&sums[lane_index], factors[lane_index] * packet_get(0u)); }`;
  const buffers = [{ buffer: sums }, { buffer: factors, type: "read-only-storage" }] as const;
  using bed = await serverBed(gpu, { ...shape, source, buffers });
  const { server, client } = bed;
  for (const value of [1, 10]) {
    client.cast(40_000, (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, value)));
  }
  assertEquals(await server.runBatchAsync(), 2);
  assertEquals([...new Uint32Array(await readOwnBuffer(gpu, sums))], [33, 55]);
  for (const memory of [factors, sums]) memory.destroy();
  const without = () => serverBed(gpu, { ...shape, source });
  await assertRejects(without, TypeError, "the i-th of the option buffers");
});

for (const readback of READBACK_NAMES) {
  onDevice(`a batch that the device refuses fails its calls, ${readback}`, async (gpu) => {
    const factor = createOwnBuffer(gpu, Uint32Array.of(3));
    const source = `@group(1) @binding(0) var<storage, read_write> factor: u32;
      fn operate(opcode: u32) { packet_set(0u, packet_get(0u) * factor); }`;
    const buffers = [{ buffer: factor }];
    using bed = await serverBed(gpu, { portCount: 2, laneCount: 1, source, buffers, readback });
    const { server, client } = bed;
    const send = (value: number) =>
      client.tryOpen(40_000)!.send((packet) => packet.setUint32(0, 0, value));
    const first = send(5);
    assertEquals(await server.runBatchAsync(), 1);
    first.recv((packet) => assertEquals(packet.getUint32(0, 0), 15)).close();
    factor.destroy();
    const second = send(7);
    await assertRejects(
      () => server.runBatchAsync(),
      DOMException,
      "'own' label has been destroyed",
    );
    const recv = () => second.recv(() => {});
    assertThrows(recv, CallError, "its handler threw: Cannot serve the batch as the device");
  });
}

onDevice(
  "a call that uses a word beyond its packet fails, and the others are answered",
  async (gpu) => {
    const source = `fn operate(opcode: u32) {
    switch opcode {
      case 40001u: { packet_set(15u + lane_index, 9u); }
      case 40002u: { packet_set(0u, packet_get(0xffffffffu)); }
      default: { packet_set(15u, 3u); }
    }
  }`;
    using bed = await serverBed(gpu, { portCount: 4, laneCount: 2, source });
    const { server, client } = bed;
    const sent = [40_000, 40_001, 40_002, 40_000].map((opcode) =>
      client.tryOpen(opcode)!.send((packet) => packet.uint32.fill(0))
    );
    assertEquals(await server.runBatchAsync(), 4);
    for (const at of [0, 3]) sent[at]!.recv((packet) => assertEquals(packet.getUint32(1, 15), 3));
    for (const [at, word] of [[1, 16], [2, 0xffffffff]] as const) {
      const reason = `Cannot use word ${word} of 16: give the channel`;
      assertThrows(() => sent[at]!.recv(() => {}), CallError, reason);
    }
    for (const port of sent) if (port.isOpen) port.close();
  },
);

for (const readback of READBACK_NAMES) {
  onDevice(`a client learns that the device was lost, ${readback}`, async () => {
    const gpu = await requestGpuDevice();
    const { server, client } = await serverBed(gpu, { portCount: 1, laneCount: 1, readback });
    const sent = client.tryOpen(40_000)!.send(() => {});
    gpu.device.destroy();
    await assertRejects(() => server.runBatchAsync(), DOMException, "the device was lost");
    assertThrows(() => sent.recv(() => {}), CallError, "the device was lost");
  });
}
