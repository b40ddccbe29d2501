import { assertEquals } from "@std/assert";
import { localNames, SourceWriter } from "./step_printer.ts";
import { graphOf } from "../testdata/graph_of.ts";

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

function namesOf(text: string): string[] {
  const { module, graph, entry, kernel } = graphOf(text);
  return [...localNames(module, graph)(kernel, entry).values()];
}

Deno.test("variables of one name in different blocks have different ones in steps", () => {
  assertEquals(namesOf("fn kernel() { let a = 1u; { let a = 2u; } { var a = 3u; } }"), [
    "a",
    "a_2",
    "a_3",
  ]);
});

Deno.test("a variable hides nothing that the text or the generated part mentions", () => {
  const text = `
    const outer = 1u;
    struct Part { inside: u32 }
    fn kernel() {
      let outer = 2u; let frame = 3u; let max = max(outer, frame); let inside = 4u; let go = 5u;
      let a_2 = 6u; let a = 7u; { let a = a; }
    }`;
  assertEquals(namesOf(text), [
    ...["outer_2", "frame_2", "max_2", "inside_2", "go_2"],
    ...["a_2", "a", "a_3"],
  ]);
});

Deno.test("constants of a function have names of their own in the module", () => {
  assertEquals(namesOf("fn kernel() { const n = 1u; let n_ = n; { const n = 2u; } }"), [
    "const_n_4_21",
    "n_",
    "n",
  ]);
});

Deno.test("what is kept of an expression has a name, too", () => {
  assertEquals(namesOf("fn kernel() { let a = square(1u); }"), ["a", "square_x", "square_value"]);
});
