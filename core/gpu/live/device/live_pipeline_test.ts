import { assertEquals, assertThrows } from "@std/assert";
import { onLiveDevice, shaderOf } from "./on_live_device_test.ts";

const COUNT = shaderOf(`
  @group(1) @binding(0) var<storage, read_write> one: array<u32>;
  @group(1) @binding(1) var<storage, read_write> other: array<u32>;
  @compute @workgroup_size(2) fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) count: vec3u,
    @builtin(local_invocation_index) lane: u32,
  ) {
    atomicAdd(&words[0], 1u);
    if lane == 1u { one[group.x] = count.y; other[group.x] = count.z + 10u; }
  }
  @compute @workgroup_size(1) fn second() { atomicAdd(&words[1], 1u); }`);

onLiveDevice(
  "a pipeline runs its workgroups in three dimensions, on buffers of two groups",
  (device) => {
    const [main, one, other] = [64, 32, 32].map((bytes) => device.createBuffer(bytes, "host"));
    const views = [main!, one!, other!].map(({ words }) => new Uint32Array(words!).fill(0));
    const groups = [[main!], [one!, other!]];
    using pipeline = device.createPipeline({ code: COUNT, groups });
    assertEquals(pipeline.dispatch({ groupCount: [4, 3, 2] }).wait(5), true);
    assertEquals(views[0]![0], 2 * 4 * 3 * 2);
    assertEquals([...views[1]!.subarray(0, 5)], [3, 3, 3, 3, 0]);
    assertEquals([...views[2]!.subarray(0, 5)], [12, 12, 12, 12, 0]);
    using second = device.createPipeline({ code: COUNT, groups, entryPoint: "second" });
    assertEquals(second.dispatch({ groupCount: [5], turnCount: 3 }).wait(5), true);
    assertEquals(views[0]![1], 15);
    const never = () => second.dispatch({ groupCount: [1], turnCount: 0 });
    assertThrows(never, RangeError, "turnCount must be an integer from 1 to 65535");
  },
);

onLiveDevice("a kernel without a buffer runs", (device) => {
  const code = shaderOf("@compute @workgroup_size(1) fn main() {}");
  using pipeline = device.createPipeline({ code, groups: [] });
  assertEquals(pipeline.dispatch({ groupCount: [1] }).wait(5), true);
});

onLiveDevice(
  "a pipeline that does not fit its code is refused before the driver sees it",
  (device) => {
    const buffer = device.createBuffer(64, "host");
    const whole = [[buffer], [buffer, buffer]];
    for (
      const [options, text] of [
        [{ groups: whole, entryPoint: "third" }, "no entry point third: there are main, second"],
        [
          { groups: [[buffer], [buffer]] },
          "a buffer in group 1 at binding 1, which it was not given",
        ],
        [{ groups: [] }, "which it was not given"],
        [{ groups: whole, code: new Uint32Array(9) }, "SPIR-V must begin with"],
      ] as const
    ) {
      const make = () => device.createPipeline({ code: COUNT, ...options });
      assertThrows(make, TypeError, text);
    }
    using pipeline = device.createPipeline({ code: COUNT, groups: whole });
    for (const groupCount of [[0], [65_536], [1, 0], [1, 1, 1.5]] as const) {
      const run = () => pipeline.dispatch({ groupCount });
      assertThrows(run, RangeError, "must be an integer from 1 to 65535: current value is");
    }
    pipeline[Symbol.dispose]();
    assertThrows(() => pipeline.dispatch({ groupCount: [1] }), TypeError, "as it was disposed of");
  },
);
