/** What the device refuses is no run: nothing resolves, and nothing is served, that did not happen. */
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { type GpuDevice, requestGpuDevice } from "../device/device.ts";
import { onDevice } from "../device/on_device_test.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { READBACK_NAMES, type ReadbackName } from "../device/readback.ts";
import { OneDispatch } from "../one_dispatch/one_dispatch.ts";
import { GpuServer } from "../server/gpu_server.ts";
import { Kernel } from "./kernel.ts";
import { kernelBed } from "./kernel_run_test.ts";

const SOURCE = /* wgsl */ `
@group(1) @binding(0) var<storage, read_write> words: array<u32, 100>;
@service(40000) fn square(x: u32) -> u32;
fn kernel() { words[50] = square(3u); }`;

async function prepare(gpu: GpuDevice, readback: ReadbackName, bytes = 400) {
  const buffer = createOwnBuffer(gpu, bytes);
  const shape = { portCount: 2, laneCount: 1, waveCount: 1, buffers: [{ buffer }], readback };
  const { kernel, server } = await kernelBed(gpu, { ...shape, source: SOURCE });
  const seen: number[] = [];
  server.operate(40_000, (packet) => {
    seen.push(packet.getUint32(0, 0));
    packet.setUint32(0, 0, packet.getUint32(0, 0) ** 2);
  });
  const run = () => kernel.runAsync(server);
  return { buffer, kernel, server, seen, run };
}

for (const readback of READBACK_NAMES) {
  onDevice(`a run with a buffer that is too small rejects, ${readback}`, async (gpu) => {
    const { buffer, kernel, run, seen } = await prepare(gpu, readback, 16);
    for (let time = 0; time < 3; time++) {
      const error = await assertRejects(run, DOMException, "Cannot run the kernel as the device");
      assertStringIncludes(error.message, "size 16");
      assertStringIncludes(error.message, "as large as the text declares them");
    }
    assertEquals(seen, []);
    kernel.destroy();
    buffer.destroy();
  });

  onDevice(`a run whose buffer goes rejects, whenever that is, ${readback}`, async (gpu) => {
    const { buffer, kernel, server, run, seen } = await prepare(gpu, readback);
    assertEquals((await run()).packetCount, 1);
    server.operate(40_000, () => buffer.destroy());
    await assertRejects(run, DOMException, "'own' label has been destroyed");
    await assertRejects(run, TypeError, "its last run ended with calls under way");
    assertEquals(seen, [3]);
    kernel.destroy();
  });

  onDevice(`a run of what was destroyed rejects, ${readback}`, async (gpu) => {
    const { kernel, run } = await prepare(gpu, readback);
    kernel.destroy();
    await assertRejects(run, TypeError, "Cannot run the kernel as its memory was destroyed");
  });

  onDevice(`a run rejects when it is destroyed in the middle, ${readback}`, async (gpu) => {
    const { kernel, server, run } = await prepare(gpu, readback);
    const settled = Promise.withResolvers<void>();
    server.operatePortAsync(40_000, () => settled.promise);
    setTimeout(() => {
      kernel.destroy();
      settled.resolve();
    }, 20);
    await assertRejects(run, TypeError, "Cannot run the kernel as its memory was destroyed");
  });

  onDevice(`a run whose device goes rejects, ${readback}`, async () => {
    const gpu = await requestGpuDevice();
    const { server, run } = await prepare(gpu, readback);
    server.operate(40_000, () => gpu.device.destroy());
    await assertRejects(run, DOMException, "Cannot run the kernel as the device was lost");
  });
}

onDevice("run() and advance() throw where the device has refused", async (gpu) => {
  const { buffer, kernel, server } = await prepare(gpu, "eager", 16);
  const wanted = "Cannot run the kernel as the device has not run it";
  assertThrows(() => kernel.run(server), DOMException, wanted);
  assertThrows(() => kernel.advance(server, 1), DOMException, wanted);
  kernel.destroy();
  buffer.destroy();
});

onDevice("a run that waits in vain says for what", async (gpu) => {
  const source = `@service(40007) fn square(x: u32) -> u32;
    fn kernel() { _ = square(2u); }`;
  const shape = { portCount: 2, laneCount: 1 };
  using bed = await kernelBed(gpu, { ...shape, waveCount: 1, source });
  const { kernel } = bed;
  const elsewhere = new Server(Channel.create(shape));
  await assertRejects(
    () => kernel.runAsync(elsewhere, { epochsMax: 3 }),
    DOMException,
    "suspended after 1 packets; square in line 2 has no answer",
  );
});

onDevice("what the device has no room for is told where it is used", async (gpu) => {
  const buffer = createOwnBuffer(gpu, gpu.device.limits.maxStorageBufferBindingSize);
  const isRefused = await readOwnBuffer(gpu, buffer, { bytes: 4 }).then(() => false, () => true);
  if (!isRefused) return; // a machine with more room
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const options = { channel, waveCount: 1, source: SOURCE };
  const create = (more: object) => Kernel.create(gpu, { ...options, ...more });
  for (const use of [() => create({ buffers: [{ buffer }] }), () => readOwnBuffer(gpu, buffer)]) {
    await assertRejects(use, RangeError, "Cannot make a buffer as the device refused it");
  }
  await assertRejects(
    () => create({ heapBytes: gpu.device.limits.maxStorageBufferBindingSize }),
    RangeError,
    "Cannot allocate the memory of 1 waves as the device refused it: not enough memory",
  );
  const { clientLockWord } = channel.layout;
  assertEquals(channel.words.load(clientLockWord), 0, "the channel is free again");
});

onDevice("readOwnBuffer() rejects where the device refuses the copy", async (gpu) => {
  const buffer = createOwnBuffer(gpu, 16);
  buffer.destroy();
  await assertRejects(() => readOwnBuffer(gpu, buffer), DOMException, "Cannot read the buffer as");
});

onDevice("what uses a device that is lost says so, be it a moment ago", async () => {
  const gpu = await requestGpuDevice();
  const buffer = createOwnBuffer(gpu, 16);
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const source = "fn operate(opcode: u32) {} fn kernel() {}";
  const { run } = await prepare(gpu, "awaited");
  gpu.device.destroy();
  const shape = { portCount: 1, laneCount: 1, clientCount: 1 };
  const program = { ...shape, source, server: "fn serve(o: u32) {}" };
  for (
    const [what, use] of [
      ["run the kernel", run],
      ["make a kernel", () => Kernel.create(gpu, { channel, waveCount: 1, source })],
      ["make a one-dispatch program", () => OneDispatch.create(gpu, program)],
      ["make a server", () => GpuServer.create(gpu, { channel, source })],
      ["read a buffer", () => readOwnBuffer(gpu, buffer)],
    ] as const
  ) {
    await assertRejects(
      async () => void await use(),
      DOMException,
      `Cannot ${what} as the device was lost`,
    );
  }
});

onDevice("what nobody can use is refused at the door", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const options = { channel, waveCount: 1, source: "fn kernel() {}" };
  const buffers = [createOwnBuffer(gpu, 16)] as never;
  const made = () => Kernel.create(gpu, { ...options, buffers });
  await assertRejects(made, TypeError, "each must be { buffer } with a GPUBuffer");
  const read = () => Kernel.create(gpu, { ...options, readback: "fast" as never });
  await assertRejects(read, TypeError, "readback must be one of eager, awaited");
  const server = () => GpuServer.create(gpu, { channel, source: "fn kernel() {}" });
  await assertRejects(server, TypeError, "its source has no function operate");
  const shape = { portCount: 1, laneCount: 1, clientCount: 1 };
  const program = await OneDispatch.create(gpu, {
    ...shape,
    source: "fn kernel() {}",
    server: "fn serve(o: u32) {}",
  });
  for (const wrong of [-1, NaN, 0.5, 2 ** 32]) {
    await assertRejects(
      () => program.runAsync(wrong),
      RangeError,
      "callsPerWave must be an integer",
    );
  }
  program.destroy();
});
