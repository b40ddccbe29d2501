/** Kernels that call functions with texts, arrays and structs, lane by lane. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Status } from "../../memory/status.ts";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import { READBACK_NAMES } from "../../gpu/device/readback.ts";
import { runKernel } from "../../gpu/epochs/kernel_run_test.ts";
import { KernelCompileError } from "../../gpu/wgsl/kernel_compile.ts";
import { serveHost } from "../../services/serve_host.ts";
import { memoryApi, serveMemory } from "../../services/memory_api.ts";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { ApiServer } from "../server/api_server.ts";
import { demoApi, serveDemo } from "../testdata/demo_api.ts";
import { wgslStubs } from "./wgsl_stubs.ts";

const RESULTS = "@group(1) @binding(0) var<storage, read_write> results: array<u32>;";
const shape = { portCount: 2, laneCount: 3, waveCount: 1, heapBytes: 1 << 16 };

/** What the kernel says of itself: 1 where all is as it should be. */
const DEMO = `${wgslStubs(demoApi, memoryApi)} ${RESULTS}
  fn is_text(address: u32, first: u32, length: u32) -> bool {
    return heap_u8(address) == first && heap_u8(address + length - 1u) != 0u &&
      heap_u8(address + length) == 0u;
  }
  fn check(at: ptr<function, u32>, is_right: bool) {
    results[16u * lane_index + *at] = select(2u, 1u, is_right);
    *at += 1u;
  }
  fn kernel() {
    var at = 0u;
    let room = memory_malloc(128u);
    check(&at, room % 16u == 0u && room != 0u);
    for (var i = 0u; i < 3u; i++) { heap_set_f64(room + 8u * i, f32(lane_index + i) + 0.5); }
    check(&at, demo_sum(room, 3u) == f32(3u * lane_index) + 4.5);

    heap_set_u32(room + 8u, 0u);
    demo_fill(room + 3u, 6u, lane_index + 1u);
    let byte = lane_index + 1u;
    check(&at, heap_u32(room + 4u) == byte * 0x1010101u && heap_u8(room + 9u) == 0u);
    for (var i = 0u; i < 4u; i++) { heap_set_u8(room + i, i); }
    check(&at, demo_reverse(room, 4u) && heap_u32(room) == 0x00010203u && !demo_reverse(0u, 0u));

    let file = demo_open("a file", select(0u, "rw", lane_index == 1u));
    check(&at, any(file != vec2u()) && host_errno == 0);
    let name = demo_nameOf(file);
    check(&at, is_text(name, 97u, select(11u, 9u, lane_index == 1u)));
    memory_free(name);
    check(&at, demo_close(file) == 0);
    check(&at, all(demo_open("absent", 0u) == vec2u()) && host_errno == 2);

    heap_set_f64(room, 1.5); heap_set_u8(room + 8u, 1u); heap_set_i32(room + 12u, -5i);
    heap_set_f64(room + 16u, 2.0); heap_set_u8(room + 24u, 0u); heap_set_i32(room + 28u, 7i);
    demo_move(room, room + 16u, room + 32u);
    check(&at, heap_f64(room) == 3.5 && heap_i32(room + 12u) == 2i);
    check(&at, heap_f64(room + 32u) == -3.5 && heap_u8(room + 40u) == 0u);
    let there = demo_where(room);
    check(&at, is_text(there, 116u, 5u) && heap_f64(room) == 4.5 && demo_where(0u) == 0u);
    memory_free(there);

    heap_list_i32(room, 0u, -1i); heap_list_text(room, 1u, "two"); heap_list_f32(room, 2u, 0.5);
    heap_list_u64(room, 3u, vec2u(0u, 1u));
    let text = demo_format("text:", room, 4u);
    check(&at, is_text(text, 116u, 46u));
    memory_free(text);
    check(&at, demo_apply("double", 21i) == 42i);
    memory_free(room);
    check(&at, at == 13u);
  }`;

for (const readback of READBACK_NAMES) {
  onDevice(`every kind of argument lies where its address says, ${readback}`, async (gpu) => {
    let blockCount = -1;
    const { results } = await runKernel(gpu, {
      ...shape,
      // More than comes along with the packets.
      ...{ heapBytes: readback === "eager" ? 1 << 16 : 1 << 19, resultWords: 48 },
      source: DEMO,
      readback,
      register(server, { heap }) {
        serveDemo(server, { heap });
        serveMemory(
          new ApiServer(server),
          {
            malloc: (bytes: number) => heap.malloc(bytes),
            free(address: number) {
              heap.allocator.free(address);
              ({ blockCount } = heap.allocator);
            },
          } as typeof heap.allocator,
        );
      },
    });
    const wanted = [...new Array(14).fill(1), 0, 0];
    assertEquals([...results], [...wanted, ...wanted, ...wanted]);
    assertEquals(blockCount, 0);
  });
}

const late = hostApi("late", {
  // As `read` of C: an array, how many bytes of it, and how many there were.
  fill: fn([kind.bytes("inout", lengthOf(1).times(3)), kind.u32, kind.u32], kind.u32),
  next: fn([kind.string], kind.string),
});

for (const readback of READBACK_NAMES) {
  onDevice(`what a function writes later loses no byte of others, ${readback}`, async (gpu) => {
    // Three bytes for each lane of each wave, side by side, with one of the lane's own behind them.
    const source = `${wgslStubs(late)}
      fn kernel() {
        let place = 4u * (wave_index * 5u + lane_index) + 1025u;
        heap_set_u8(place, lane_index);
        for (var round = 1u; round <= 2u; round++) {
          let count = late_fill(place, 1u, 10u * wave_index + round);
          heap_set_u8(place + 3u, heap_u8(place + 3u) + heap_u8(place) + count);
        }
      }`;
    const waves = { portCount: 6, laneCount: 5, waveCount: 6, heapBytes: 1 << 12 };
    const { heap, faults } = await runKernel(gpu, {
      ...waves,
      source,
      readback,
      register(server, { heap }) {
        new ApiServer(server, { heap }).serveAsync(late, {
          async fill(bytes, count, value) {
            // Waves end in another order than they began, lanes of one after each other.
            await new Promise((resolve) => setTimeout(resolve, (7 * value) % 5));
            bytes.fill(bytes[0]! + value);
            return count;
          },
          next: (text) => text,
        });
      },
    });
    const wanted = new Uint8Array(heap.length);
    for (let wave = 0; wave < 6; wave++) {
      for (let lane = 0; lane < 5; lane++) {
        const first = lane + 10 * wave + 1;
        const second = first + 10 * wave + 2;
        const bytes = [second, second, second, first + second + 2];
        wanted.set(bytes, 4 * (wave * 5 + lane) + 1025 - 16);
      }
    }
    assertEquals([heap, faults], [wanted, []]);
  });
}

onDevice("lanes of a wave share texts, and see what lanes before them were given", async (gpu) => {
  const source = `${wgslStubs(late, memoryApi)} ${RESULTS}
    fn kernel() {
      printf("text %u\\n", lane_index);
      let own = late_next(select("one", "other", lane_index == 2u));
      _ = late_fill(16u, 1u, 1u);
      results[4u * lane_index] = "one";
      results[4u * lane_index + 1u] = "o\\u006ee";
      results[4u * lane_index + 2u] = heap_u32(own);
      memory_free(own);
    }`;
  const { results } = await runKernel(gpu, {
    ...shape,
    resultWords: 12,
    source,
    register(server, { heap }) {
      const apis = new ApiServer(server, { heap });
      serveMemory(apis, heap.allocator);
      apis.serve(late, {
        fill: (bytes) => bytes.fill(bytes[0]! + 1) && 0,
        next: (text) => text.toUpperCase(),
      });
      serveHost(server, { writeStdout: (bytes) => bytes.length });
    },
  });
  assertEquals([0, 1, 4].map((word) => results[word]), [16, 16, 16], "equal texts share a place");
  const [one, other] = [0x454e4f, 0x4548544f];
  assertEquals([2, 6, 10].map((word) => results[word]), [one, one, other]);
});

/** Statements, and why their run ends. */
const REFUSALS = [
  ["memory_free(17u)", "not given by malloc"],
  ["let twice = memory_malloc(8u); memory_free(twice); memory_free(twice)", "is free already"],
  ["_ = host_length(0u)", "at address 0 do not lie in it"],
  ["_ = host_length(65535u)", "no NUL ends it"],
  ["host_fill(65536u - 8u, 0x20000001u)", "4294967304 bytes at address 65528"],
  ["host_fill(16u, 0xffffffffu)", "bytes at address 16 do not lie in it"],
  ["host_fill(0u, 1u)", "8 bytes at address 0"],
  ["host_read(0xfffffff0u, 32u)", "32 bytes at address 4294967280"],
  ["host_read(16u, 4096u)", "beyond the limit of 1000 bytes"],
  ["heap_set_u8(16u, 0xffu); _ = host_length(16u)", "is not UTF-8"],
] as const;

onDevice("a call whose address or length is wrong is refused, and harms nobody", async (gpu) => {
  const host = hostApi("host", {
    length: fn([kind.string], kind.u32),
    fill: fn([kind.bytes("out", lengthOf(1).times(8)), kind.u32], kind.nothing),
    read: fn([kind.bytes("in")], kind.nothing),
  });
  const cases = REFUSALS.map(([statement], index) => `case ${index}u: { ${statement}; }`);
  // Each wave makes one mistake, and all go on: the run tells the first, `faults` each.
  const source = `${wgslStubs(host, memoryApi)} ${RESULTS}
    fn kernel() {
      heap_set_u8(65535u, 1u);
      switch wave_index { ${cases.join("\n")} default: {} }
      results[wave_index] = reply_status();
    }`;
  const waveCount = REFUSALS.length;
  const { faults, results, heap } = await runKernel(gpu, {
    ...shape,
    ...{ portCount: 16, laneCount: 1, waveCount, resultWords: waveCount },
    source,
    refusals: "count",
    register(server, { heap }) {
      const apis = new ApiServer(server, { heap, limitBytes: 1000 });
      serveMemory(apis, heap.allocator);
      apis.serve(host, { length: (text) => text.length, fill: () => {}, read: () => {} });
    },
  });
  assertEquals(faults.length, waveCount);
  for (const [, reason] of REFUSALS) {
    const found = faults.some(({ cause }) => `${cause}`.includes(reason));
    assertEquals([reason, found], [reason, true]);
  }
  assertEquals(results.every((status) => status === Status.handlerFailed), true);
  assertEquals([heap[0], heap.at(-1)], [255, 1]);
  assertEquals(heap.slice(1, -1).some((byte) => byte !== 0), false);
});

onDevice("functions of many arguments need lanes that have room", async (gpu) => {
  const wide = hostApi("wide", { sum: fn(new Array(12).fill(kind.u32), kind.u32) });
  const numbers = Array.from({ length: 12 }, (_, index) => `${index}u + lane_index`);
  const source = `${wgslStubs(wide)} ${RESULTS}
    fn kernel() { results[lane_index] = wide_sum(${numbers.join(", ")}); }`;
  const runWith = (laneBytes: number) =>
    runKernel(gpu, {
      ...shape,
      ...{ laneBytes, resultWords: 3, source },
      register(server, { heap }) {
        new ApiServer(server, { heap }).serve(wide, {
          sum: (...values: number[]) => values.reduce((sum, value) => sum + value, 0),
        });
      },
    });
  assertEquals([...(await runWith(128)).results], [66, 78, 90]);
  const refused = await assertRejects(() => runWith(64), KernelCompileError);
  assertStringIncludes(refused.message, "takes 26 words, and a packet has 16");
  assertStringIncludes(refused.message, "give the channel laneBytes of 128");
});
