import { assertEquals } from "@std/assert";
import { positionAt } from "./text_position.ts";

Deno.test("positionAt() counts lines and columns from 1, in UTF-16 units", () => {
  const source = "a😀b\n\ncd";
  assertEquals(positionAt(source, 0), { line: 1, column: 1 });
  assertEquals(positionAt(source, source.indexOf("b")), { line: 1, column: 4 });
  assertEquals(positionAt(source, source.indexOf("d")), { line: 3, column: 2 });
});
