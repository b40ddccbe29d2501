import { assert, assertEquals } from "@std/assert";
import { bareError, define, defineHidden } from "./bare_error.ts";
import { ERROR_CLASSES } from "./tags.ts";

class Known extends TypeError {
  constructor(needed: { readonly text: string }) {
    super(needed.text);
  }
}

Deno.test("bareError() makes errors of any class, with no field and without its constructor", () => {
  for (const Class of [...ERROR_CLASSES, Known]) {
    const error = bareError(Class);
    assert(error instanceof Class);
    assertEquals(Object.getOwnPropertyNames(error), []);
    assertEquals(Object.prototype.toString.call(error), "[object Error]");
  }
});

Deno.test("define() sets a field of any name", () => {
  const target: Record<string, unknown> = {};
  define(target, "__proto__", 7);
  defineHidden(target, "hidden", 8);
  assertEquals([Object.keys(target), target.hidden], [["__proto__"], 8]);
  assertEquals(Object.getPrototypeOf(target), Object.prototype);
});
