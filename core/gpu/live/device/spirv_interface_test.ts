import { assertEquals, assertThrows } from "@std/assert";
import { shaderOf } from "./on_live_device_test.ts";
import { readInterface } from "./spirv_interface.ts";

const HEADER = [0x07230203, 0x00010300, 0, 10, 0];

/** A module of instructions, each its number and its operands. */
function moduleOf(...instructions: readonly (readonly number[])[]): Uint32Array {
  const words = instructions.flatMap(([what, ...operands]) => [
    (operands.length + 1) << 16 | what!,
    ...operands,
  ]);
  return Uint32Array.of(...HEADER, ...words);
}

Deno.test("readInterface() finds entry points for compute, and buffers that are mentioned", () => {
  const code = moduleOf(
    [15, 5, 1, 0x6e69616d, 0], // "main" for compute
    [15, 0, 2, 0x00786574], // "tex", which is not
    [15, 5, 3, 0x00000061], // "a"
    [71, 4, 34, 1], // 4 in group 1
    [71, 4, 33, 2], // at binding 2
    [71, 5, 33, 3], // 5 at binding 3 of group 0
    [71, 6, 33, 4], // 6, which nobody mentions
    [71, 7, 6, 4], // 7 with a stride
    [54, 8, 1, 0, 9],
    [61, 8, 10, 4],
    [61, 8, 11, 5],
    [61, 8, 12, 7],
  );
  assertEquals(readInterface(code), {
    entryPoints: ["main", "a"],
    bindings: [{ group: 1, binding: 2 }, { group: 0, binding: 3 }],
  });
});

Deno.test("readInterface() reads what a translator writes", () => {
  const code = shaderOf(`
    @group(2) @binding(1) var<storage, read_write> more: array<u32>;
    @compute @workgroup_size(1) fn first() { atomicStore(&words[0], 1u); more[0] = 2u; }
    @compute @workgroup_size(1) fn second() {}`);
  const { entryPoints, bindings } = readInterface(code);
  assertEquals(entryPoints, ["first", "second"]);
  assertEquals(
    bindings.map(({ group, binding }) => `${group}.${binding}`).sort(),
    ["0.0", "2.1"],
  );
});

Deno.test("readInterface() refuses what is no module", () => {
  const code = Uint32Array.from([...HEADER, 0]);
  assertThrows(
    () => readInterface(code),
    TypeError,
    "Cannot make a pipeline as instruction 0 of its SPIR-V, at word 5",
  );
});
