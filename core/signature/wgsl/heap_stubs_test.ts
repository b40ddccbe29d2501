/** Kernels that call functions with texts, arrays and structs, lane by lane. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import { READBACK_NAMES } from "../../gpu/device/readback.ts";
import { runKernel } from "../../gpu/epochs/kernel_run_test.ts";
import { KernelCompileError } from "../../gpu/wgsl/kernel_compile.ts";
import { memoryApi, serveMemory } from "../../services/memory/memory_api.ts";
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
      resultWords: 48,
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
