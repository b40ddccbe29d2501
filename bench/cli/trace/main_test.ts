import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { onDevice } from "../../../core/gpu/device/on_device_test.ts";
import { traceOf } from "./main.ts";
import { endedModule } from "../../machine/ended.ts";

const FOLD = new URL("../../../core/gpu/debug/testdata/fold.wgsl", import.meta.url).pathname;

function run(...args: string[]) {
  return endedModule(new URL("./main.ts", import.meta.url), ...args);
}

onDevice("trace shows the lines of one lane", async () => {
  const { code, out, error } = await run(FOLD, "--lane", "2");
  assertEquals(code, 0, error);
  assertStringIncludes(error, "Next: ");
  assertEquals(
    out,
    `   8 | main()
   8 | id = (2, 0, 0)
   9 | var sum = 0
  10 | var i = 0
   3 |   square()
   3 |   x = 0
   4 |   return 0
  11 | sum = 0
  10 | var i = 1
   3 |   square()
   3 |   x = 1
   4 |   return 1
  11 | sum = 1
  13 | sums[id.x] = 1
`,
  );
});

onDevice("traceOf() says what it cannot run", async () => {
  const target = { laneIndex: 0, workgroupIndex: 0 };
  await assertRejects(() => traceOf("fn f() { }", target), TypeError, "no @compute stage");
  const texture = `@group(0) @binding(0) var t: texture_2d<f32>;
    @compute @workgroup_size(1) fn main() { _ = textureLoad(t, vec2u(), 0); }`;
  await assertRejects(() => traceOf(texture, target), TypeError, "t is no buffer");
});

Deno.test("trace says what is wrong with its command line", async () => {
  const { code, error } = await run(FOLD, "--lane", "x");
  assertEquals(code, 2);
  assertStringIncludes(error, `--lane as it must be a number of at least 0: current value is "x"`);
});
