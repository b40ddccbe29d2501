import { assertEquals, assertThrows } from "@std/assert";
import { codeOf, expandStrings } from "./author_text.ts";

Deno.test("codeOf() leaves lines and columns as they were", () => {
  assertEquals(codeOf("a // b\n/* c\nd */ e"), "a     \n    \n     e");
});

Deno.test("codeOf() takes nothing in a string for a comment or for code", () => {
  assertEquals(codeOf('put("http://x"); go(1u);'), "put(          ); go(1u);");
  assertEquals(codeOf('put("/*"); a; put("*/");'), "put(    ); a; put(    );");
  assertEquals(codeOf('put("\\"// fn"); b;'), "put(         ); b;");
});

Deno.test("codeOf() ends a nested comment where the outer one ends", () => {
  assertEquals(codeOf("/* a /* b */ c */ d"), "                  d");
  assertEquals(codeOf("a /* b"), "a     ");
});

Deno.test("expandStrings() turns strings into words on the same line, outside comments only", () => {
  assertEquals(
    expandStrings('// put("no")\nfn step_0() { put("Hello\\n"); print(); }'),
    '// put("no")\nfn step_0() { put_word(1819043144u, 4u); put_word(2671u, 2u); print(); }',
  );
  assertEquals(
    expandStrings('/* put("no") */ put( "//" ) ;'),
    '/* put("no") */ put_word(12079u, 2u) ;',
  );
});

Deno.test("expandStrings() writes strings as UTF-8", () => {
  assertEquals(expandStrings('put("\u00e9");'), "put_word(43459u, 2u);");
});

Deno.test("expandStrings() leaves strings that are not put", () => {
  assertEquals(expandStrings('output("a"); say("b")'), 'output("a"); say("b")');
});

Deno.test("expandStrings() refuses a malformed string", () => {
  assertThrows(() => expandStrings('fn step_0() { put("\\q"); }'), TypeError, "\\q");
  assertThrows(() => expandStrings('put("a\n)'), TypeError, '"a');
});

Deno.test("expandStrings() puts a longer string in a loop, one call in the text", () => {
  assertEquals(
    expandStrings('put("0123456789");'),
    "{ var text = array<u32, 3>(858927408u, 926299444u, 14648u); " +
      "for (var i = 0u; i < 3u; i++) { put_word(text[i], min(4u, 10u - 4u * i)); } };",
  );
});
