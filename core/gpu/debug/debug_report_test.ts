import { assertEquals } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { DebugCollector, failureText } from "./debug_report.ts";
import { instrumentFunctions } from "./rewrite/instrument_functions.ts";

const text = new WgslText(`fn f(x: u32) { assert(x < 2u); }
@fragment fn fs() { f(3u); }`);
const made = instrumentFunctions(text, { isStopping: true });
const place = { stage: "fragment", x: 3, y: 4 } as const;

Deno.test("DebugCollector takes records, and leaves what the author prints", () => {
  const reader = { ...made, positionAt: (index: number) => text.positionAt(index) };
  const collector = new DebugCollector(reader);
  assertEquals(collector.take({ text: "hello", place }), false);
  assertEquals(collector.take({ text: "\ue0019 0\ue002", place }), false);
  assertEquals(collector.take({ text: "\ue0010 0\ue002x is 3\n", place }), true);
  const [failure] = collector.failures;
  assertEquals(
    failureText(failure!),
    `assertion failed: x < 2u: x is 3 [pixel 3, 4]
    at f (shader:1:23)
    at fs (shader:2:21)
`,
  );
});
