import { assertEquals } from "@std/assert";
import { checkedFile } from "../testdata/marked_source.ts";
import { Names } from "../types/names.ts";

Deno.test("Binding.isFixed is true of names that keep their value", () => {
  const isFixed = (program: string) => {
    const file = checkedFile(program);
    const [binding] = new Names(file).scopeOf(file.source).bindings.values();
    return binding!.isFixed;
  };
  assertEquals(isFixed("let a = 1; function f(a) { a = 2; } f(a);"), true);
  assertEquals(isFixed("let a = 1; a = 2;"), false);
  assertEquals(isFixed("const a = 1; a = 2;"), true);
  assertEquals(isFixed("using a = x; a = y;"), true);
});
