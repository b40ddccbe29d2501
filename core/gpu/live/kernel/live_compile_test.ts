import { translate as naga } from "naga-wasm";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { kernelOf, WRONG_TEXTS } from "../../text/testdata/wrong_texts.ts";
import { Lines } from "../../text/lines.ts";
import { KernelCompileError } from "../../wgsl/kernel_compile.ts";
import { checkTranslator, compileLive } from "./live_compile.ts";
import { liveSource } from "./live_source.ts";
import { translate } from "./live_bed_test.ts";

const LAYOUT = channelLayout({ portCount: 1, laneCount: 1 });

Deno.test("compileLive() names the author's line, as a device's compiler does", async () => {
  for (const [index, [outside, body]] of WRONG_TEXTS.entries()) {
    if (index % 6 > 0) continue; // each takes some 100 ms
    const marked = kernelOf(outside, body);
    const { line } = new Lines(marked).positionAt(marked.indexOf("§"));
    const made = async () => {
      const source = liveSource(marked.replace("§", ""), { layout: LAYOUT });
      return await compileLive(source, translate);
    };
    const error = await assertRejects(made, KernelCompileError);
    assertEquals(error.line, line, `${marked}\n${error.message}`);
  }
});

Deno.test("checkTranslator() says what to hand in", () => {
  for (const wrong of [undefined, null, {}, "naga"]) {
    assertThrows(() => checkTranslator(wrong), TypeError, "naga-wasm");
  }
  checkTranslator(translate);
});

Deno.test("compileLive() says what to hand in where a translator is another function", async () => {
  const source = liveSource("fn kernel() {}", { layout: LAYOUT });
  const thrown = new Error("out of memory");
  const broken = () => {
    throw thrown;
  };
  const error = await assertRejects(() => compileLive(source, broken), TypeError, "naga-wasm");
  assertEquals(error.cause, thrown);
  // As its package has it, which wants an object.
  const whole = naga as unknown as typeof translate;
  for (const wrong of [whole, () => "SPIR-V" as unknown as Uint32Array]) {
    await assertRejects(() => compileLive(source, wrong), TypeError, '{ from: "wgsl"');
  }
  await assertRejects(() => compileLive(source, () => new Uint32Array(5)), TypeError, "SPIR-V");
});
