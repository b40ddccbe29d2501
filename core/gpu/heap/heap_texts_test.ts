import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KernelText } from "../kernel/kernel_text.ts";
import { TextFault } from "../text/lines.ts";
import { Module, tryModule } from "../text/module.ts";
import { placeTexts, refuseHeap, usesHeap } from "./heap_texts.ts";

/** The text with addresses in place of its texts, and those. */
function placed(source: string) {
  const text = new KernelText(new Module(source));
  const { texts, endByte } = placeTexts(text);
  return {
    code: text.printed().text,
    texts: texts.map(({ address, bytes }) => [address, new TextDecoder().decode(bytes)]),
    endByte,
  };
}

Deno.test("placeTexts() puts addresses in place of texts, and keeps lines", () => {
  const source = `fn kernel() { // no "text"
  let file = fopen("/tmp/a", "r"); /* "none" */ puts("r"); puts(other("\\u0072"), 1);
}`;
  assertEquals(placed(source), {
    code: `fn kernel() { // no "text"
  let file = fopen(16u, 23u); /* "none" */ puts(23u); puts(other(23u), 1);
}`,
    texts: [[16, "/tmp/a\0"], [23, "r\0"]],
    endByte: 25,
  });
});

Deno.test("placeTexts() leaves printf and put their own strings", () => {
  const kept = `fn f() {
    printf("%s %u", "text", length(array("x")[0]));  put ( "text" ); put((1u)); }`;
  assertEquals(placed(kept).code, kept.replace('"x"', "16u"));
  const texts = (body: string) => placed(`fn f() { ${body} }`).texts;
  assertEquals(texts(`printf("%u", puts("a\\n€"));`), [[16, "a\n€\0"]]);
  assertEquals(texts(`puts("");`), [[16, "\0"]], "an empty text has an address");
  const nothing = "fn kernel() {}";
  assertEquals(placed(nothing), { code: nothing, texts: [], endByte: 16 });
});

Deno.test("usesHeap() sees texts and functions, and takes nothing else for them", () => {
  const uses = (body: string) => usesHeap(new Module(`fn f() { ${body} }`));
  assertEquals([uses(`f("a");`), uses("let a = heap_u32(16u);")], [true, true]);
  assertEquals(uses(`printf("heap_u8(%u)", my_heap_u8(1u)); // heap_u8 "a"\n`), false);
});

Deno.test("a text that cannot be is refused at its place", () => {
  const cases = [
    [`fn f() { puts("a\\q"); }`, "a string must be written like one in JSON"],
    [`fn f() { puts("a\\u0000b"); }`, "a text ends with its first NUL"],
    [`fn f() { puts("a\\ud83d"); }`, "a text must hold no half of a surrogate pair"],
  ] as const;
  for (const [source, reason] of cases) {
    const fault = assertThrows(() => placed(source), TextFault, reason);
    assertEquals(fault.start, source.indexOf('"'));
  }
  const open = tryModule(`fn f() { puts("open); }`);
  assertStringIncludes((open as TextFault).message, "this string is not closed on its line");
  refuseHeap(
    new Module(
      `fn f() { printf("a"); put("b"); let heap_u8 = 1u; heap_u32(heap_u8); } fn heap_u32(a: u32) {}`,
    ),
  );
});
