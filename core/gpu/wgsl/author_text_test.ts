import { assertEquals, assertThrows } from "@std/assert";
import { expandStrings, withoutComments } from "./author_text.ts";

Deno.test("withoutComments() leaves lines and columns as they were", () => {
  assertEquals(withoutComments("a // b\n/* c\nd */ e"), "a     \n    \n     e");
});

Deno.test("expandStrings() turns strings into words on the same line, outside comments only", () => {
  assertEquals(
    expandStrings('// put("no")\nfn step_0() { put("Hello\\n"); print(); }'),
    '// put("no")\nfn step_0() { put_word(1819043144u, 4u); put_word(2671u, 2u); print(); }',
  );
});

Deno.test("expandStrings() writes strings as UTF-8", () => {
  assertEquals(expandStrings('put("\u00e9");'), "put_word(43459u, 2u);");
});

Deno.test("expandStrings() refuses a malformed string", () => {
  assertThrows(() => expandStrings('fn step_0() { put("\\q"); }'), TypeError, "\\q");
});
