import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { Futures } from "./later_calls.ts";
import { runText } from "./run_text.ts";

Deno.test("a call may be waited for before the cast that begins it is served", async () => {
  const source = "@service fn f(); @service fn g(); fn kernel() { begin_f(); begin_g(); }";
  const { later: [f, g] } = runText(source, { apis: [], laneWords: 16 });
  const futures = new Futures();
  const waiting = [1, 2, 3].map((number) => futures.end(f!.service)(7, number, 3));
  assertThrows(() => futures.end(f!.service)(7, 2, 3), RangeError, "is taken");
  futures.begin(f!.service, () => "b")(7, 2);
  futures.begin(f!.service, () => Promise.resolve("a"))(7, 1);
  futures.begin(g!.service, () => "c")(7, 3);
  assertEquals(await Promise.all(waiting.slice(0, 2)), ["a", "b"]);
  await assertRejects(() => waiting[2] as Promise<unknown>, RangeError, "this is a call of g");
  assertThrows(() => futures.end(f!.service)(7, 1, 3), RangeError, "is taken");
  assertEquals(await futures.left(), []);
});

Deno.test("laterCalls() declares what a text calls, unless it has its own", () => {
  const textOf = (source: string, laneWords = 16) => runText(source, { apis: [], laneWords });
  const { later, services } = textOf(
    "@service(65534) fn f(x: vec3f); @service fn g() -> u32; fn kernel() { _ = begin_g(); end_f(1u); }",
  );
  assertEquals(services.map(({ name }) => name), ["f", "g"]);
  assertEquals(
    later.map(({ begin, end }) => [begin.opcodeNumber, begin.isCast, end.opcodeNumber, end.result]),
    [[65_533, true, 65_532, undefined], [65_531, true, 65_530, { name: "u32", args: [] }]],
  );
  const own = "@service fn g(); fn begin_g() {} fn kernel() { begin_g(); }";
  assertEquals(textOf(own).later, []);
  const faults = [
    ["@service @cast fn g();\nfn kernel() { begin_g(); }", 2, "call g"],
    [
      "var<private>\nlane_index: u32; @service fn g(); fn kernel() { begin_g(); }",
      2,
      "later calls",
    ],
    ["@service\nfn g(a: array<u32, 15>); fn kernel() { begin_g(); }", 2, "begin_g takes 17 words"],
  ] as const;
  for (const [source, line, reason] of faults) {
    const error = assertThrows(() => textOf(source), KernelCompileError, reason);
    assertEquals(error.line, line);
  }
});
