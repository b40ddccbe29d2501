import { assertEquals } from "@std/assert";
import { gpu as device, onDevice } from "../../device/on_device_test.ts";
import { openGpu } from "../../run/gpu.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { namedType } from "../../syntax/value_type.ts";
import { ModuleText } from "../text/kernel_module.ts";
import { savedLayout, SavedTypes } from "./saved_types.ts";

Deno.test("SavedTypes saves bools as words, and leaves the rest", () => {
  const module = new ModuleText(
    new WgslText("struct S { on: bool, x: f32 } struct T { x: f32 } alias A = array<S, 2>;"),
  );
  const types = new SavedTypes(module);
  const array = namedType(module, module.declarations.aliases.get("A")!);
  assertEquals(types.hasBool({ name: "T", args: [] }), false);
  assertEquals(types.save({ name: "T", args: [] }, "v"), "v");
  assertEquals(types.save(array, "v"), "saved_0_of(v)");
  assertEquals(types.savedText(array), "array<saved_1, 2>");
  assertEquals(types.text.split("\n")[0], "struct saved_1 { on: u32, x: f32 }");
  assertEquals(savedLayout(module, module, array).sizeBytes, 16);
});

onDevice("bools in structs and results of WGSL are kept over calls", async () => {
  assertEquals(device === undefined, false);
  using gpu = await openGpu();
  const source = `
struct In { on: bool, v: vec2<bool>, x: f32, list: array<bool, 3> }
struct Out { parts: array<In, 2>, m: mat2x2f, last: bool }
var<private> seen: array<bool, 20>;
var<private> state: Out;
var<storage, read_write> sums: array<atomic<u32>, 4>;
@service fn twice(x: u32) -> u32;
fn bit(on: bool) -> u32 { return select(0u, 1u, on); }
fn make(x: u32) -> Out {
  let y = twice(x);
  var o: Out;
  o.parts[1].on = y > 2u; o.parts[1].list[2] = y == 4u; o.parts[0].v = vec2(true, false);
  o.last = true; o.parts[0].x = f32(y);
  return o;
}
fn kernel() {
  let out = make(lane_index + 1u);
  seen[3] = true; state.last = true;
  let m = modf(2.5 + f32(lane_index)); let fr = frexp(vec2f(8.0, 3.0));
  let ex = atomicCompareExchangeWeak(&sums[lane_index], 0u, 7u);
  var flags = array(true, false); flags[1] = twice(1u) == 2u;
  let again = twice(2u);
  let kept = flags[0] && flags[1] && seen[3] && !seen[2] && state.last;
  let one = out.parts[1]; let other = out.parts[0];
  printf("%u%u%u%u%u%u %g|", bit(one.on), bit(one.list[2]), bit(other.v.x), bit(other.v.y), bit(out.last), bit(kept), other.x);
  printf("%g %g %v %v %u %u;", m.fract, m.whole, fr.fract, fr.exp, ex.old_value, bit(ex.exchanged));
}`;
  let text = "";
  const { buffers } = await gpu.run(source, {
    functions: { twice: (x: number) => x * 2 },
    buffers: { sums: new Uint32Array(4) },
    laneCount: 2,
    print: (part) => text += part,
  });
  assertEquals(
    text,
    "001011 2|0.5 2 (0.5, 0.75) (4, 2) 0 1;111011 4|0.5 3 (0.5, 0.75) (4, 2) 0 1;",
  );
  assertEquals([...buffers.sums], [7, 7, 0, 0]);
});
