import { assertEquals } from "@std/assert";
import {
  eitherOf,
  enumType,
  functionGiving,
  isContainer,
  isLinearType,
  lent,
  linearType,
  listOf,
  literalText,
  literalType,
  MAYBE,
  nullable,
  pairOf,
  PORT,
  solid,
  type Type,
} from "./value_type.ts";
import { child, children } from "../syntax/syntax.ts";
import { inTree } from "../testdata/marked_source.ts";

const CLIENT: Type = { kind: "client" };

Deno.test("eitherOf() is linear when one of the values is", () => {
  assertEquals(eitherOf(PORT, undefined), { ...PORT, isNullable: true });
  assertEquals(eitherOf(PORT, { ...PORT, isLoan: true }), { ...PORT, isLoan: true });
  assertEquals(eitherOf(PORT, MAYBE), undefined);
  assertEquals(eitherOf(CLIENT, CLIENT), CLIENT);
  assertEquals(eitherOf(CLIENT, { kind: "server" }), undefined);
});

Deno.test("eitherOf() has all values and all members of both", () => {
  const texts = (...all: readonly string[]): Type => ({ kind: "literals", texts: new Set(all) });
  assertEquals(eitherOf(texts("1"), texts("2")), texts("1", "2"));
  assertEquals(eitherOf(texts("1"), { kind: "literals", texts: undefined }), {
    kind: "literals",
    texts: undefined,
  });
  const objectOf = (name: string, type: Type): Type => ({
    kind: "object",
    member: (one) => one === name ? type : undefined,
  });
  const both = eitherOf(objectOf("a", CLIENT), objectOf("b", PORT));
  assertEquals(both?.kind === "object" && [both.member("a"), both.member("b")], [CLIENT, PORT]);
});

Deno.test("lent(), nullable() and solid() change linear types only", () => {
  assertEquals(lent(PORT), { ...PORT, isLoan: true });
  assertEquals(solid(nullable(PORT)), PORT);
  assertEquals([lent(CLIENT), nullable(CLIENT), solid(CLIENT)], [CLIENT, CLIENT, CLIENT]);
});

Deno.test("isLinearType() and isContainer() tell the kinds apart", () => {
  const kinds = (["port", "maybe", "either"] as const).map(linearType);
  assertEquals(kinds.map(isLinearType), [true, true, true]);
  assertEquals(kinds.map(isContainer), [false, true, true]);
  assertEquals([isLinearType(CLIENT), isLinearType(undefined), isContainer(CLIENT)], [
    false,
    false,
    false,
  ]);
});

Deno.test("pairOf(), listOf() and functionGiving() make types of types", () => {
  assertEquals([pairOf(PORT).member("0"), pairOf(PORT).member("1")], [undefined, lent(PORT)]);
  assertEquals([listOf(undefined), listOf(PORT)?.element], [undefined, PORT]);
  const type = functionGiving(() => PORT, { isNever: true });
  assertEquals([type.parameter(0), type.isNever], [undefined, true]);
});

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
