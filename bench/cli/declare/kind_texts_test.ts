import { assertEquals, assertThrows } from "@std/assert";
import { KindTexts, UnsaidError } from "./kind_texts.ts";
import { type CType, readHeader } from "./read_header.ts";

Deno.test("KindTexts says what a type is where it is a value, or why nothing says it", () => {
  const header = readHeader(
    `typedef struct { int x; double y[2]; } point; struct deep { point at; char *name; };
union both { int i; double d; }; struct holder { union both u; }; struct bits { int a : 3; };
typedef struct box *box_t; int f(point a, struct holder b, struct bits c, long double d, box_t e, struct deep f);`,
    () => true,
  );
  const kinds = new KindTexts(header);
  const { parameters } = header.functions[0]!.type;
  const type = (index: number): CType => {
    const { type } = parameters[index]!;
    return type.kind === "base" ? header.typedefs.get(type.name) ?? type : type;
  };
  assertEquals(kinds.value(type(0)), "struct({ x: i32, y: array(f64, 2) })");
  assertEquals(kinds.handleOf({ kind: "struct", tag: "box" }), "box");
  const refused = [[1, "has a union"], [2, "has fields"], [3, "the type long double"], [
    4,
    "a pointer",
  ], [5, "has fields"]] as const;
  for (const [index, text] of refused) {
    assertThrows(() => kinds.value(type(index)), UnsaidError, text);
  }
});
