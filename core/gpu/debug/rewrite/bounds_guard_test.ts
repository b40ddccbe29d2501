import { assertEquals } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { debugging } from "../testdata/debugging.ts";

onDevice(
  "an access out of bounds is recorded once a lane, with index and length",
  async ({ device }) => {
    const source = `struct Rest { count: u32, items: array<u32> }
@group(0) @binding(0) var<storage, read_write> rest: Rest;
const LENGTH = 3;
fn pick(list: ptr<function, array<u32, LENGTH>>, at: i32) -> u32 { return (*list)[at]; }
@compute @workgroup_size(5) fn main(@builtin(local_invocation_index) lane: u32) {
  var list = array<u32, LENGTH>(1, 2, 3);
  var v = vec2f(1, 2); var m = mat3x2f();
  if lane == 0u { rest.items[rest.count + 3u] = 1u; }
  if lane == 1u { _ = pick(&list, i32(lane) - 3); }
  if lane == 2u { v[lane] = 1.0; _ = m[lane + 9u]; }
  if lane == 3u { list[1] = 2u; v[1] = m[2][1]; rest.items[0] = list[lane - 1u]; }
  if lane == 4u { _ = m[lane - 2u][lane]; }
}`;
    const { failures } = await debugging(device, source, { words: [0, 7, 8, 9], bounds: true });
    assertEquals(failures.map(({ kind, message, position }) => [kind, message, position.line]), [
      ["bounds", "rest.items[rest.count + 3u]: index 3 of 3 elements", 8],
      ["bounds", "(*list)[at]: index -2 of 3 elements", 4],
      ["bounds", "v[lane]: index 2 of 2 elements", 10],
      ["bounds", "m[lane - 2u][lane]: index 4 of 2 elements", 12],
    ]);
  },
);
