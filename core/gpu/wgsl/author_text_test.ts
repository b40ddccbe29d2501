import { assertEquals, assertThrows } from "@std/assert";
import { codeOf, expandStrings, withPlainLines } from "./author_text.ts";

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

Deno.test("withPlainLines() ends lines by line feeds, but in strings", () => {
  const ends = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];
  for (const end of ends) {
    assertEquals(withPlainLines(`a // b${end}/* ${end} */${end}c`), "a // b\n/* \n */\nc");
  }
  assertEquals(withPlainLines('\ufeffput("a\u2028b");\r\n'), 'put("a\u2028b");\n');
});

Deno.test("a comment ends with its line, whatever ends that", () => {
  for (const end of ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
    const source = `// put("no")${end}put("Hi");`;
    assertEquals(expandStrings(source), `// put("no")${end}put_word(26952u, 2u);`);
    assertEquals(codeOf(source).trim(), "put(    );");
  }
});
