import { assertEquals } from "@std/assert";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import { READBACK_NAMES } from "../../gpu/device/readback.ts";
import { runKernel } from "../../gpu/epochs/kernel_run_test.ts";
import { memoryApi, serveMemory } from "../../services/memory/memory_api.ts";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { ApiServer } from "../server/api_server.ts";
import { wgslStubs } from "./wgsl_stubs.ts";

const api = hostApi("host", {
  sum: fn([kind.bytes("in", lengthOf(1).times(8)), kind.u32], kind.f64),
  length: fn([kind.string], kind.u32),
  fill: fn([kind.bytes("out"), kind.u32], kind.nothing),
});

for (const readback of READBACK_NAMES) {
  onDevice(`lanes hand memory of the heap to functions of the host, ${readback}`, async (gpu) => {
    const source = `${wgslStubs(api, memoryApi)}
      @group(1) @binding(0) var<storage, read_write> results: array<u32>;
      fn kernel() {
        let doubles = memory_malloc(24u);
        for (var i = 0u; i < 3u; i++) { heap_set_f64(doubles + 8u * i, f32(lane_index + i) + 0.5); }
        let sum = host_sum(doubles, 3u);
        let at = 8u * lane_index;
        results[at] = u32(sum * 10.0);
        results[at + 1u] = host_length("four");
        host_fill(doubles + 3u, 6u, lane_index + 1u);
        results[at + 2u] = heap_u32(doubles);
        results[at + 3u] = heap_u32(doubles + 3u);
        results[at + 4u] = heap_u32(doubles + 6u);
        memory_free(doubles);
      }`;
    const shape = { portCount: 2, laneCount: 3, waveCount: 1, resultWords: 24, heapBytes: 1 << 16 };
    const { results } = await runKernel(gpu, {
      ...shape,
      source,
      readback,
      register(server, { heap }) {
        const apis = new ApiServer(server, { heap });
        serveMemory(apis, heap.allocator);
        apis.serve(api, {
          sum: (values) =>
            new Float64Array(values.slice().buffer).reduce((sum, one) => sum + one, 0),
          length: (text) => text.length,
          fill: (bytes, value) => void bytes.fill(value),
        });
      },
    });
    const ones = 0x01010101;
    const wanted = [0, 1, 2].flatMap((lane) => {
      const byte = (lane + 1) * ones;
      return [45 + 30 * lane, 4, byte << 24, byte, byte & 0xffffff, 0, 0, 0];
    });
    assertEquals([...results], wanted);
  });
}
