import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { WRONG_TEXTS } from "../../compile/testdata/wrong_texts.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { KernelCompileError } from "../../wgsl/kernel_compile.ts";
import { compileLive } from "./live_compile.ts";
import { liveSource } from "./live_source.ts";
import { translate } from "./on_live_test.ts";

const LAYOUT = channelLayout({ portCount: 1, laneCount: 1 });

Deno.test("compileLive() names the author's line, as a device's compiler does", async () => {
  for (const [index, [outside, body]] of WRONG_TEXTS.entries()) {
    if (index % 6 > 0) continue; // each takes some 100 ms
    const marked = `@group(1) @binding(0) var<storage, read_write> out: array<u32>;
@service(40000) fn square(x: u32) -> u32;
${outside}
fn kernel() {
  let idx = lane_index;
  out[3] = square(idx);
${body}
  out[4] = square(idx);
}
`;
    const { line } = new WgslText(marked).positionAt(marked.indexOf("§"));
    const made = async () => {
      const source = liveSource(marked.replace("§", ""), { layout: LAYOUT });
      return await compileLive(source, translate);
    };
    const error = await assertRejects(made, KernelCompileError);
    assertEquals(error.line, line, `${marked}\n${error.message}`);
  }
});

Deno.test("compileLive() passes on what is no fault of the text", async () => {
  const source = liveSource("fn kernel() {}", { layout: LAYOUT });
  const thrown = new Error("out of memory");
  const broken = () => {
    throw thrown;
  };
  assertEquals(await assertRejects(() => compileLive(source, broken)), thrown);
  await assertRejects(() => compileLive(source, () => new Uint32Array(5)), TypeError, "SPIR-V");
});

Deno.test("liveSource() copies no more words of a reply than the steps read", () => {
  const wordsOf = (text: string) =>
    /const REPLY_WORDS = (\d+)u/.exec(liveSource(text, { layout: LAYOUT }).code)?.[1];
  assertEquals(wordsOf("fn kernel() {}"), "1");
  assertEquals(
    wordsOf("fn step_0() { call(40000u); } fn step_1() { _ = reply(2u) + reply(1); }"),
    "3",
  );
  assertEquals(wordsOf("fn step_0() { let at = 1u; _ = reply(at); _ = reply(0u); }"), "16");
  assertEquals(wordsOf("fn step_0() { _ = reply(99u); }"), "16");
});

Deno.test("liveSource() refuses workgroups of several waves, which could keep each other from running", () => {
  const error = assertThrows(
    () => liveSource("fn kernel() {}", { layout: LAYOUT, wavesPerGroup: 2 }),
    RangeError,
  );
  assert(error.message.includes("wavesPerGroup must be an integer from 1 to 1"), error.message);
});
