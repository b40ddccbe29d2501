import { assertEquals } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { debugging } from "../testdata/debugging.ts";

onDevice("what is watched is recorded where it is made, with its operands", async ({ device }) => {
  const source = `@group(0) @binding(0) var<storage, read_write> sums: array<u32>;
@compute @workgroup_size(6) fn main(@builtin(local_invocation_index) lane: u32) {
  let zero = f32(sums[0]); let none = i32(sums[0]);
  var x = 1.0; var v = vec2f(1, 2);
  if lane == 0u { x = sqrt(zero - 4.0); x += 1.0; x = pow(x, 2); }
  if lane == 1u { x /= zero; x = x - x; }
  if lane == 2u { v = v * 1e38 * 2e38; }
  if lane == 3u { sums[1] = u32(7 % none); }
  if lane == 4u { v = mat2x2f(1, 2, 3, 4) * v; x = dot(v, v) + 3.0 / 2.0; x = mix(x, 2, 0.5); }
  if lane == 5u { x = exp(zero + 800.0); }
  sums[2] = u32(x + v.x);
}`;
  const words = [0, 0, 0];
  const all = { words, watch: ["nan", "inf", "division"] } as const;
  const { failures } = await debugging(device, source, all);
  assertEquals(failures.map(({ kind, message, position }) => [kind, message, position.line]), [
    ["nan", "sqrt(zero - 4.0): sqrt(-4)", 5],
    ["division", "x /= zero: 1 / 0", 6],
    ["nan", "x - x: inf - inf", 6],
    ["inf", "v * 1e38 * 2e38: (1e+38, 2e+38) * 2e+38", 7],
    ["division", "7 % none: 7 % 0", 8],
    ["inf", "exp(zero + 800.0): exp(800)", 10],
  ]);
  const some = await debugging(device, source, { words, watch: ["inf"] });
  assertEquals(some.failures.map(({ position }) => position.line), [6, 7, 10]);
});
