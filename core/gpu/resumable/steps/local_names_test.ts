import { assertEquals } from "@std/assert";
import { graphOf } from "../testdata/graph_of.ts";
import { LocalNames } from "./local_names.ts";

function namesOf(text: string): string[] {
  const { module, graph, entry, kernel } = graphOf(text);
  return [...new LocalNames(module, graph).of(kernel, entry).values()];
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
