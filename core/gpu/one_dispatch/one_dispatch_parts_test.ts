import oneDispatchPortText from "./one_dispatch_port.wgsl" with { type: "text" };
import {
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { ErrorWord, KernelError, KernelErrorCode } from "../wgsl/kernel_error.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { OneDispatch } from "./one_dispatch.ts";
import {
  makeOneDispatchParts,
  oneDispatchText,
  readOneDispatchReport,
  REPORT_BYTES,
  unrolled,
} from "./one_dispatch_parts.ts";
import { channelLayout } from "../../toggle/layout.ts";

const SERVE = /* wgsl */ `
fn serve(opcode: u32) {
  let value = packet_get(0u);
  packet_set(0u, select(value * value, value + 1u, opcode == 40000u));
}`;

onDevice("a kernel of steps that lead to each other is cut off", async (gpu) => {
  const source = "fn step_0() { go(0u); }";
  const options = { portCount: 1, laneCount: 1, clientCount: 1, spinsMax: 1000 };
  const program = await OneDispatch.create(gpu, { ...options, source, server: SERVE });
  const { cutOffCount, madeProgress } = await program.runAsync(0);
  assertEquals([cutOffCount, madeProgress], [1, false]);
  program.destroy();
});

onDevice(
  "a mistake in a kernel is shown at its place, and a function that is called otherwise",
  async (gpu) => {
    const options = { portCount: 1, laneCount: 1, clientCount: 1 };
    const source = "@service(40000) fn f(x: u32);\nfn kernel() {\n  f(1i);\n}";
    const errorOf = (source: string, server: string) =>
      assertRejects(
        () => OneDispatch.create(gpu, { ...options, source, server }),
        KernelCompileError,
      );
    const { line, column, message } = await errorOf(source, SERVE);
    assertEquals([line, column], [3, 5]);
    assertStringIncludes(message, "3 |   f(1i);");
    for (const list of ["", "opcode: f32", "opcode: u32, more: u32"]) {
      const server = `alias Op = u32;\nfn serve(${list}) {}`;
      const { message } = await errorOf(source.replace("1i", "1u"), server);
      assertStringIncludes(message, "line 2, column 4 of server is wrong: it is called otherwise");
    }
    const server = "alias Op = u32;\nfn serve(opcode: Op) {}";
    (await OneDispatch.create(gpu, { ...options, source: source.replace("1i", "1u"), server }))
      .destroy();
    const clients = "fn client_fill() {} fn client_use() {} fn client_end() {}";
    const wrong = () => OneDispatch.create(gpu, { ...options, source: clients + SERVE });
    await assertRejects(wrong, KernelCompileError, "write fn client_fill() -> bool");
  },
);

Deno.test("oneDispatchText() names a function that is missing", () => {
  const missing = (source: string, server?: string) =>
    assertThrows(() => oneDispatchText(source, server), TypeError, "has no function").message;
  assertStringIncludes(
    missing("fn kernel() {}", "// fn serve()"),
    "its server has no function serve",
  );
  const clients = "fn client_fill() -> bool { return false; } fn client_use() {} ";
  assertStringIncludes(missing(clients + SERVE), "its source has no function client_end");
  assertStringIncludes(
    missing(`${clients} fn client_end() {}`),
    "its source has no function serve",
  );
});

Deno.test("oneDispatchText() refuses a kernel that needs the host", () => {
  for (
    const call of [
      "let a = heap_u8(16u)",
      'let a = "x"',
      'put("x")',
      "print()",
      "begin(40000u)",
      'printf("%u", 1u)',
    ]
  ) {
    const source = `fn step_0() { ${call}; }`;
    assertThrows(() => oneDispatchText(source, SERVE), TypeError, "its kernel needs the host");
  }
});

onDevice("makeOneDispatchParts() puts the report behind the channel", async ({ device }) => {
  const shape = { portCount: 2, laneCount: 4 };
  const layout = channelLayout(shape);
  const source = `
    fn client_fill() -> bool { return false; }
    fn client_use() {}
    fn client_end() {}
    fn serve(opcode: u32) {}`;
  const parts = await makeOneDispatchParts(device, { ...shape, source, clientCount: 1 }, layout);
  assertEquals(parts.channel.size, layout.totalBytes + REPORT_BYTES);
  for (const memory of [parts.channel, parts.params, parts.readback]) memory.destroy();
  parts.stopwatch?.destroy();
});

Deno.test("unrolled() writes out every loop over the words of a packet, unless they are many", () => {
  const text = "for (var word = 0u; word < DATA_WORDS; word++) { sum = mix(sum, packet[word]); }";
  assertEquals(unrolled(text, 2), "sum = mix(sum, packet[0u]); sum = mix(sum, packet[1u]);");
  assertEquals(unrolled(text, 17), text);
  assertMatch(oneDispatchPortText, /word < DATA_WORDS; word/);
  assertNotMatch(unrolled(oneDispatchPortText, 15), /word < DATA_WORDS; word/);
});

Deno.test("readOneDispatchReport() says that calls were answered", () => {
  const { detail, ...report } = readOneDispatchReport(Int32Array.of(7, 0, 2, 3, 9, 0, 0, 0), 2);
  const counts = { callCount: 7, lostCount: 0, retryCount: 3, cutOffCount: 0 };
  assertEquals(report, { ...counts, madeProgress: true });
  assertEquals(detail, "7 calls were answered");
});

Deno.test("readOneDispatchReport() says that there was no progress", () => {
  const { madeProgress, detail } = readOneDispatchReport(Int32Array.of(7, 2, 1, 0, 9, 0, 0, 0), 1);
  assertEquals(madeProgress, false);
  assertEquals(detail, "No progress on this adapter: 2 calls were given up, 7 calls were answered");
});

Deno.test("readOneDispatchReport() counts waves that were cut off, and those that never ended", () => {
  const { madeProgress, cutOffCount, detail } = readOneDispatchReport(
    Int32Array.of(7, 0, 3, 0, 9, 1, 0, 0),
    5,
  );
  assertEquals([madeProgress, cutOffCount], [false, 3]);
  assertEquals(
    detail,
    "No progress on this adapter: 3 waves were cut off in the middle of a loop, 7 calls were answered",
  );
});

Deno.test("readOneDispatchReport() throws where a wave broke a rule", () => {
  const error = KernelErrorCode.noSuchStep << ErrorWord.codeShift | 1 << ErrorWord.stepShift | 3;
  assertThrows(
    () =>
      readOneDispatchReport(Int32Array.of(7, 0, 3, 0, 9, 0, error, 5 << 16 | 3), 5, [
        "after step_0",
      ]),
    KernelError,
    "Cannot finish wave 3 after step_0 as it went to step 5, which is not there: there are 1, and",
  );
});
