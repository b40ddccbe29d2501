import { assertEquals } from "@std/assert";
import { SourceWriter } from "./source_writer.ts";

Deno.test("SourceWriter knows where in the author's text each part comes from", () => {
  const writer = new SourceWriter().write("fn a() {\n", 10).write("  ").write("x", 20).write(" = ")
    .write("y\n+ z", 24).write(";\n");
  assertEquals(writer.text, "fn a() {\n  x = y\n+ z;\n");
  const at = (line: number, column: number) => writer.authorIndex({ line, column });
  assertEquals([at(1, 1), at(1, 8), at(2, 1), at(2, 3), at(2, 5)], [10, 10, 10, 20, 20]);
  assertEquals([at(2, 7), at(3, 1), at(3, 4)], [24, 24, 24]);
  assertEquals([at(4, 1), at(5, 1)], [undefined, undefined]);
  assertEquals(new SourceWriter().write("a").authorIndex({ line: 1, column: 1 }), undefined);
});
