import { assertEquals } from "@std/assert";
import { Lines } from "./lines.ts";

Deno.test("Lines count lines and columns from 1, in UTF-16 units", () => {
  const text = new Lines("a😀b\n\ncd");
  const { source } = text;
  assertEquals(text.lineCount, 3);
  assertEquals([1, 2, 3, 4].map((line) => text.lineOf(line)), ["a😀b", "", "cd", ""]);
  assertEquals(text.positionAt(source.indexOf("b")), { line: 1, column: 4 });
  assertEquals(text.positionAt(source.length), { line: 3, column: 3 });
  for (let index = 0; index <= source.length; index++) {
    assertEquals(text.indexAt(text.positionAt(index)), index);
  }
  assertEquals(text.indexAt({ line: 9, column: 1 }), source.length);
});
