import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { FollowedDevice } from "../testdata/followed_device.ts";
import type { PrintedLine } from "./printed_lines.ts";

const HI = `@compute @workgroup_size(2) fn main() { printf("hi\\n"); }`;

onDevice("what write() throws is told once, and other lines are written", async () => {
  const texts: string[] = [];
  const write = ({ text, place }: PrintedLine) => {
    if (texts.length === 0) texts.push("thrown");
    else return texts.push(`${text} ${JSON.stringify(place)}`);
    throw new Error("once");
  };
  await using bench = await FollowedDevice.open({ write });
  bench.dispatch(HI);
  await assertRejects(() => bench.printing.settled(), Error, "once");
  bench.dispatch(HI);
  await bench.printing.settled();
  assertEquals(texts.length, 4);
  assertEquals(bench.warnings.splice(0), [
    "printf: 1 line was not written, as write() threw: Error: once",
  ]);
});

onDevice("warn() may throw, too", async () => {
  const lines: string[] = [];
  const warn = () => {
    throw new Error("no warning");
  };
  await using bench = await FollowedDevice.open({
    warn,
    linesMax: 1,
    write: ({ text }) => lines.push(text),
  });
  for (const wanted of [1, 2]) {
    bench.dispatch(HI);
    await assertRejects(() => bench.printing.settled(), Error, "no warning");
    assertEquals(lines.length, wanted);
  }
});

onDevice("a device may be destroyed while lines are on their way", async () => {
  for (const whenRead of [false, true]) {
    await using bench = await FollowedDevice.open();
    const { device } = bench;
    bench.dispatch(HI);
    if (whenRead) {
      // The author's own result, which is there when the lines are.
      const own = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | 8 });
      await own.mapAsync(GPUMapMode.READ);
    }
    device.destroy();
    const said = await bench.said();
    assertEquals(said, whenRead ? ["shader1:1 [pass 0:0] hi", "shader1:1 [pass 0:1] hi"] : []);
  }
});

onDevice("as many lines are written as linesMax and bytesMax allow", async () => {
  let count = 0;
  const MANY = 1 << 18;
  await using bench = await FollowedDevice.open({
    write: () => count++,
    linesMax: 1e6,
    bytes: 16 << 20,
    bytesMax: 64 << 20,
  });
  const code = `@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    printf("%u\\n", id.x); }`;
  bench.dispatch(code, MANY / 64);
  await bench.printing.settled();
  assertEquals(count, MANY);
  bench.dispatch(code);
  await bench.printing.settled();
  assertEquals(count, MANY + 64);
});

onDevice("lines of one submit come in the order of its dispatches, whatever prints", async () => {
  await using bench = await FollowedDevice.open();
  const pipelines = ["a", "b"].map((label) => bench.computing(HI.replace("hi", label), label));
  bench.compute((pass) => {
    for (const at of [0, 1, 1, 0]) {
      pass.setPipeline(pipelines[at]!);
      pass.dispatchWorkgroups(1);
    }
  });
  const said = await bench.said();
  assertEquals(said.map((line) => line.at(-1)).join(""), "aabbbbaa");
  assertStringIncludes(said.at(-1)!, "a:1 [pass #4 0:1] a");
});
