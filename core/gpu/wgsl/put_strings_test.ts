import { assertEquals, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { putEdits } from "./put_strings.ts";

function expanded(source: string): string {
  const text = new WgslText(source);
  return text.edited(putEdits(text));
}

Deno.test("putEdits() turns strings into words on the same line, outside comments only", () => {
  assertEquals(
    expanded('// put("no")\nfn step_0() { put("Hello\\n"); print(); }'),
    '// put("no")\nfn step_0() { put_word(1819043144u, 4u); put_word(2671u, 2u); print(); }',
  );
  assertEquals(
    expanded('/* put("no") */ put( "//" ) ;'),
    '/* put("no") */ put_word(12079u, 2u) ;',
  );
});

Deno.test("putEdits() writes strings as UTF-8", () => {
  assertEquals(expanded('put("\u00e9");'), "put_word(43459u, 2u);");
});

Deno.test("putEdits() leaves strings that are not put", () => {
  const others = 'output("a"); say("b"); put["c"]; put(1u, "d")';
  assertEquals(expanded(others), others);
});

Deno.test("putEdits() refuses a malformed string", () => {
  assertThrows(() => expanded('fn step_0() { put("\\q"); }'), TypeError, "\\q");
  assertThrows(() => expanded('put("a\n)'), TypeError, '"a');
});

Deno.test("putEdits() puts a longer string in a loop, one call in the text", () => {
  assertEquals(
    expanded('put("0123456789");'),
    "{ var text = array<u32, 3>(858927408u, 926299444u, 14648u); " +
      "for (var i = 0u; i < 3u; i++) { put_word(text[i], min(4u, 10u - 4u * i)); } };",
  );
});
