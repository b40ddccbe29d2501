import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import { placeTexts, refuseHeap, usesHeap } from "./heap_texts.ts";

Deno.test("placeTexts() puts addresses in place of texts, and keeps lines and columns", () => {
  const source = `fn kernel() { // no "text"
  let file = fopen("/tmp/a", "r"); /* "none" */ puts("r"); puts(other("\\u0072"), 1);
}`;
  const placed = placeTexts(new WgslText(source));
  assertEquals(
    new WgslText(source).edited(placed.edits),
    `fn kernel() { // no "text"
  let file = fopen(18u     , 16u); /* "none" */ puts(16u); puts(other(16u     ), 1);
}`,
  );
  const decoded = placed.texts.map((
    { address, bytes },
  ) => [address, new TextDecoder().decode(bytes)]);
  assertEquals(decoded, [[16, "r\0"], [18, "/tmp/a\0"]]);
  assertEquals(placed.endByte, 25);
});

Deno.test("placeTexts() leaves printf and put their own strings", () => {
  const kept = `printf("%s %u", "text", length(array("x")[0]));  put ( "text" ); put((1u));`;
  const read = new WgslText(kept);
  assertEquals(read.edited(placeTexts(read).edits), kept.replace('"x"', "16u"));
  assertEquals(placeTexts(new WgslText(`printf("%u", puts("a\\n€"))`)).texts[0]!.bytes.length, 6);
  assertEquals(placeTexts(new WgslText("fn kernel() {}")), { edits: [], texts: [], endByte: 16 });
  assertEquals(
    placeTexts(new WgslText(`puts("")`)).texts[0]!.bytes.length,
    1,
    "an empty text has an address",
  );
});

Deno.test("usesHeap() sees texts and functions, and takes nothing else for them", () => {
  for (const source of [`f("a")`, "let a = heap_u32(16u);"]) {
    assertEquals(usesHeap(new WgslText(source)), true);
  }
  assertEquals(
    usesHeap(new WgslText(`printf("heap_u8(%u)", my_heap_u8(1u)); // heap_u8 "a"`)),
    false,
  );
});

Deno.test("a text that cannot be is refused at its place", () => {
  const cases = [
    [`\n puts("a\\q")`, "a string must be written like one in JSON"],
    [`\n puts("open)`, "a string must be written like one in JSON"],
    [`\n puts("a\\u0000b")`, "a text ends with its first NUL"],
    [`\n puts("a\\ud83d")`, "a text must hold no half of a surrogate pair"],
  ] as const;
  for (const [source, reason] of cases) {
    const error = assertThrows(() => placeTexts(new WgslText(source)), KernelCompileError, reason);
    assertEquals([error.line, error.column], [2, 7]);
  }
  assertThrows(
    () => refuseHeap(new WgslText(`puts("a")`)),
    KernelCompileError,
    "give the kernel heapBytes",
  );
  const { message, column } = assertThrows(
    () => refuseHeap(new WgslText("fn kernel() { _ = heap_u8 (16u); }")),
    KernelCompileError,
  );
  assertEquals(column, 19);
  assertStringIncludes(message, "heap_u8() is of the heap: give the kernel heapBytes");
  refuseHeap(
    new WgslText(
      `printf("a"); put("b"); let heap_u8 = 1u; fn heap_u32(a: u32) {} heap_u32(heap_u8);`,
    ),
  );
});
