import { assertEquals, assertThrows } from "@std/assert";
import { KernelText } from "../kernel/kernel_text.ts";
import { Module } from "../text/module.ts";
import { putStrings } from "./put_strings.ts";

/** What becomes of statements. */
function expanded(statements: string): string {
  const text = new KernelText(new Module(`fn f() {${statements}\n}`));
  putStrings(text);
  return text.printed().text.slice(8, -2);
}

Deno.test("putStrings() turns strings into words on the same line, outside comments only", () => {
  assertEquals(
    expanded('// put("no")\nput("Hello\\n"); print();'),
    '// put("no")\nput_word(1819043144u, 4u); put_word(2671u, 2u); print();',
  );
  assertEquals(
    expanded('/* put("no") */ put( "//" ) ;'),
    '/* put("no") */ put_word(12079u, 2u) ;',
  );
});

Deno.test("putStrings() leaves strings that are not put", () => {
  const others = 'output("a"); say("b"); put(1u, "d");';
  assertEquals(expanded(others), others);
});

Deno.test("putStrings() refuses a malformed string", () => {
  assertThrows(() => expanded('put("\\q");'), TypeError, "\\q");
});
