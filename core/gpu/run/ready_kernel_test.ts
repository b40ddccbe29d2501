import { assertEquals, assertRejects } from "@std/assert";
import { fn, hostApi, u32 } from "../../signature/mod.ts";
import { onDevice } from "../device/on_device_test.ts";
import { openGpu } from "./gpu.ts";
import { type HostLibrary, hostLibrary } from "./host_functions.ts";

onDevice("a GPUBuffer stays on the device, from run to run", async () => {
  using gpu = await openGpu();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const [one, other] = [0, 1].map(() => gpu.device.createBuffer({ size: 4, usage }));
  const source = `
    var<storage, read_write> count: atomic<u32>;
    var<storage, read_write> seen: array<u32>;
    fn kernel() { seen[0] = atomicAdd(&count, 1u); }`;
  const seen = Uint32Array.of(9);
  for (const [count, wanted] of [[one!, 0], [one!, 1], [other!, 0], [one!, 2]] as const) {
    const { buffers } = await gpu.run(source, { buffers: { count, seen }, laneCount: 1 });
    assertEquals([buffers.seen[0], buffers.count === count], [wanted, true]);
  }
});

onDevice("what a kept kernel is run with is checked in each run", async () => {
  using gpu = await openGpu();
  const source = `@service fn square(x: u32) -> u32; var<storage, read_write> squares: array<u32>;
    fn kernel() { squares[lane_index] = square(lane_index); }`;
  const functions = { square: (x: number) => x * x };
  const buffers = { squares: new Uint32Array(32) };
  await gpu.run(source, { functions, buffers });
  await assertRejects(() => gpu.run(source, { buffers }), TypeError, "square is missing");
  const floats = { functions, buffers: { squares: new Float32Array(32) } };
  await assertRejects(() => gpu.run(source, floats), TypeError, "give a Uint32Array");
});

onDevice("what a library holds is disposed of at the end of each run that calls it", async () => {
  using gpu = await openGpu();
  const words = hostApi("words", { next: fn([u32], u32) });
  const library = hostLibrary(words, { next: (x) => x + 1 });
  let disposedCount = 0;
  const noted: HostLibrary = {
    api: words,
    serve: (apis, kernel) => {
      const served = library.serve(apis, kernel);
      return { [Symbol.dispose]: () => (disposedCount++, served?.[Symbol.dispose]?.()) };
    },
  };
  for (const [source, count] of [["_ = words_next(1u);", 1], ["", 1], ["_ = words_next(1u);", 2]]) {
    await gpu.run(`fn kernel() { ${source} }`, { libraries: [noted], laneCount: 1 });
    assertEquals(disposedCount, count);
  }
});
