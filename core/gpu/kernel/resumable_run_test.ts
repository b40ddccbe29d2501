import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { serveHost } from "../../services/serve_host.ts";
import { Channel } from "../../toggle/channel.ts";
import { onDevice } from "../device/on_device_test.ts";
import { KernelError } from "../wgsl/kernel_error.ts";
import { Kernel } from "../epochs/kernel.ts";
import { runKernel } from "../epochs/kernel_run_test.ts";

const SQUARE = 40_100;

/** What is printed, and how often each lane asked for a square. */
function hostOf() {
  const state = { text: "", squares: 0 };
  const writeStdout = (bytes: Uint8Array) => {
    state.text += new TextDecoder().decode(bytes);
    return bytes.length;
  };
  const serve = (server: Parameters<typeof serveHost>[0]) => {
    serveHost(server, { writeStdout });
    server.operate(SQUARE, (packet) =>
      packet.forEachLane((lane) => {
        state.squares++;
        packet.setUint32(lane, 0, packet.getUint32(lane, 0) ** 2);
      }));
  };
  return { state, serve };
}

onDevice("a kernel calls in a loop, and prints from branches", async (gpu) => {
  const { state, serve } = hostOf();
  await runKernel(gpu, {
    portCount: 4,
    laneCount: 4,
    waveCount: 1,
    register: serve,
    source: `
      @service(${SQUARE}) fn square(x: u32) -> u32;
      fn kernel() {
        var total = 0u;
        for (var i = 0u; i < lane_index; i++) {
          if i % 2u == 0u { total += square(i); } else { printf("skip %u\\n", i); }
        }
        printf("lane %u: %u %v %s\\n", lane_index, total, vec2f(0.5, f32(total)), "done");
      }`,
  });
  const lines = state.text.trim().split("\n").toSorted();
  const last = [0, 0, 0, 4].map((total, lane) => `lane ${lane}: ${total} (0.5, ${total}) done`);
  assertEquals(lines, [...last, "skip 1", "skip 1"]);
  assertEquals(state.squares, 1 + 1 + 2);
});

onDevice("lanes of many waves go on each for itself, whatever their number", async (gpu) => {
  const source = `
    @service(40000) fn increment(x: u32) -> u32;
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn kernel() {
      let me = wave_index * LANE_COUNT + lane_index;
      for (var i = 0u; i < 1u + me % 5u; i++) { results[me] += increment(me * 100u + i); }
    }`;
  for (const laneCount of [1, 33]) {
    const resultWords = 6 * laneCount;
    const shape = { portCount: 3, laneCount, waveCount: 6, resultWords };
    const { results } = await runKernel(gpu, { ...shape, source });
    const wanted = Array.from({ length: resultWords }, (_, me) => {
      const calls = Array.from({ length: 1 + me % 5 }, (_, i) => me * 100 + i + 1);
      return calls.reduce((sum, value) => sum + value);
    });
    assertEquals([...results], wanted);
  }
});

onDevice("a stream is as long as the longest printf needs", async (gpu) => {
  const { state, serve } = hostOf();
  const long = "0123456789".repeat(40);
  const source = `fn kernel() { printf("${long}%u\\n", 5u); }`;
  await runKernel(gpu, { portCount: 1, laneCount: 1, waveCount: 1, register: serve, source });
  assertEquals(state.text, `${long}5\n`);
});

onDevice("a cast does not hold up the kernel", async (gpu) => {
  const seen: number[] = [];
  const { report } = await runKernel(gpu, {
    portCount: 8,
    laneCount: 1,
    waveCount: 1,
    searchAttempts: 8,
    source: `@service(50000) @cast fn tell(x: u32);
      fn kernel() { for (var i = 0u; i < 5u; i++) { tell(i); } }`,
    register: (server) =>
      server.operatePort(
        50_000,
        (port) => port.recv((packet) => seen.push(packet.getUint32(0, 0))),
      ),
  });
  assertEquals([seen.toSorted(), report.epochCount], [[0, 1, 2, 3, 4], 1]);
});

onDevice("requests of the steps' own kind stand anywhere in a kernel", async (gpu) => {
  const { results } = await runKernel(gpu, {
    portCount: 2,
    laneCount: 2,
    waveCount: 1,
    resultWords: 2,
    source: `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
      fn kernel() {
        for (var i = 0u; i < 3u; i++) {
          packet_set(0u, i + lane_index);
          call(40000u);
          results[lane_index] = results[lane_index] * 10u + reply(0u);
        }
      }`,
  });
  assertEquals([...results], [123, 234]);
});

onDevice("steps by name lead to each other by name, and keep var<private>", async (gpu) => {
  const { results } = await runKernel(gpu, {
    portCount: 2,
    laneCount: 2,
    waveCount: 1,
    resultWords: 2,
    source: `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
      var<private> sum: u32 = 100u;
      struct Frame { count: u32 }
      fn step_ask() { packet_set(0u, frame.count + lane_index); call(40000u); }
      fn step_add() { sum += reply(0u); frame.count++; if frame.count < 3u { go(STEP_ASK); } }
      fn step_end() { results[lane_index] = sum; }`,
  });
  assertEquals([...results], [106, 109]);
});

onDevice("a kernel that breaks a rule is told of at its line", async (gpu) => {
  const source = "fn kernel() {\n  call(40000u);\n  packet_set(16u, 1u);\n  call(40000u);\n}";
  const shape = { portCount: 1, laneCount: 1, waveCount: 1 };
  const error = await assertRejects(() => runKernel(gpu, { ...shape, source }), KernelError);
  assertStringIncludes(error.message, "Cannot finish wave 0 from line 2 on as a lane set a word");
});

onDevice("Kernel.frameBytes is what a lane keeps", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const bytesOf = async (source: string) => {
    const kernel = await Kernel.create(gpu, { channel, waveCount: 1, source });
    kernel.destroy();
    return kernel.frameBytes;
  };
  assertEquals(await bytesOf("fn kernel() { let a = 1u; let b = 2u; print(); _ = a + b; }"), 8);
  assertEquals(await bytesOf("struct Frame { a: vec3f, b: u32 } fn step_0() {}"), 16);
  assert(await bytesOf("fn kernel() {}") <= 4);
});
