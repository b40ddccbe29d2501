import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { KernelError } from "../wgsl/kernel_error.ts";
import { openGpu } from "./gpu.ts";

const SOURCE = `
  @service(40000) fn increment(x: u32) -> u32;
  @service(40001) fn turned(x: vec2f) -> vec2f;
  var<storage, read_write> sums: array<f32>;
  fn kernel() {
    var sum = 0.0;
    for (var count = 0u; count <= lane_index; count++) {
      if count % 2u == 0u { sum += f32(increment(count)); } else { sum -= turned(vec2f(1.5, sum)).y; }
    }
    sums[wave_index * LANE_COUNT + lane_index] = sum;
  }`;
const SERVER = `
  @service(40000) fn increment(x: u32) -> u32 { return x + 1u; }
  @service(40001) fn turned(x: vec2f) -> vec2f { return vec2f(-x.y, x.x); }`;
const functions = {
  increment: (x: number) => x + 1,
  turned: ([x, y]: readonly [number, number]) => [-y, x],
};
const shape = { laneCount: 4, waveCount: 3 };

/** SwiftShader runs two workgroups at once on a machine of two processors; others may not. */
async function ifProgress<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if ((error as Error).name !== "NotSupportedError") throw error;
    assertStringIncludes((error as Error).message, "No progress on this adapter");
    return undefined;
  }
}

onDevice("a kernel that the device serves does what it does with the host", async () => {
  using gpu = await openGpu();
  const buffers = () => ({ sums: new Float32Array(12) });
  const byHost = await gpu.run(SOURCE, { ...shape, buffers: buffers(), functions });
  for (const server of [SERVER, SERVER]) {
    const report = await ifProgress(() =>
      gpu.run(SOURCE, { ...shape, buffers: buffers(), server })
    );
    if (!report) return;
    assertEquals([...report.buffers.sums], [...byHost.buffers.sums]);
    assertEquals([report.epochCount, report.refusedCallCount], [1, 0]);
  }
});

onDevice("serve() in place of functions has the words of a packet", async () => {
  using gpu = await openGpu();
  const server = "fn serve(opcode: u32) { packet_set(0u, packet_get(0u) * (opcode - 39990u)); }";
  const source = `@service(40000) fn times_ten(x: u32) -> u32;
    var<storage, read_write> out: array<u32>;
    fn kernel() { out[lane_index] = times_ten(lane_index); }`;
  const options = { laneCount: 2, buffers: { out: new Uint32Array(2) }, server };
  const report = await ifProgress(() => gpu.run(source, options));
  if (report) assertEquals([...report.buffers.out], [0, 10]);
});

onDevice("a run that the device serves says what it cannot have, and what is missing", async () => {
  using gpu = await openGpu();
  const buffers = { sums: new Float32Array(12) };
  const run = (options: object, source = SOURCE) => () =>
    gpu.run(source, { ...shape, buffers, server: SERVER, ...options } as object);
  await assertRejects(run({ functions }), TypeError, "no option functions here: the server's text");
  await assertRejects(run({ signal: AbortSignal.timeout(1) }), TypeError, "no option signal here");
  const half = SERVER.replace(/@service\(40001\)[^]*/, "");
  const missing = "has no function of opcode 40001, which turned is: write @service(40001)";
  await assertRejects(run({ server: half }), TypeError, missing);
  const wrong = await assertRejects(
    run({ server: SERVER.replace("x + 1u", "nothing") }),
    KernelCompileError,
    "of server is wrong",
  );
  assertEquals(wrong.line, 2);
  await assertRejects(run({ server: 5 }), TypeError, "server must be of type string");
  const prints = `fn kernel() { printf("x"); sums[0] = 1.0; }`;
  const source = `var<storage, read_write> sums: array<f32>; ${prints}`;
  await assertRejects(run({}, source), TypeError, "its kernel needs the host: it uses printf()");
});

onDevice("a rule that is broken in one dispatch is told as in other runs", async () => {
  using gpu = await openGpu();
  const source = "fn kernel() { packet_set(15u, 1u); call(40000u); }";
  const run = () => gpu.run(source, { laneCount: 1, server: SERVER });
  await assertRejects(run, KernelError, "Cannot finish wave 0 from line 1 on as a lane set a word");
});
