import { assertEquals } from "@std/assert";
import { child, children } from "../syntax/syntax.ts";
import { inTree } from "../testdata/marked_source.ts";
import { enumType, literalText, literalType } from "./literals.ts";

Deno.test("literalText() is the same wherever a literal is written", () => {
  const program = `["a", 'a', 1, -1, 1n, true, null, Mode.fast, other(), a.b.c];`;
  const texts = inTree(program, (tree) => {
    const statement = children(tree, "body")[0]!;
    return children(child(statement, "expression")!, "elements").map(literalText);
  });
  assertEquals(texts, [
    '"a"',
    '"a"',
    "1",
    "-1",
    "1n",
    "true",
    "null",
    "Mode.fast",
    undefined,
    ".c",
  ]);
});

Deno.test("literalType() and enumType() list what a value can be", () => {
  const program = `type A = "a"; type B = boolean; type C = string; enum Mode { fast, "slow" }`;
  const listed = inTree(program, (tree) =>
    children(tree, "body").map((node) => {
      const annotation = child(node, "typeAnnotation");
      const type = annotation ? literalType(annotation) : enumType(node);
      return type?.kind === "literals" ? [...type.texts ?? ["any"]] : [];
    }));
  assertEquals(listed, [['"a"'], ["true", "false"], ["any"], ["Mode.fast", "Mode.slow"]]);
});
