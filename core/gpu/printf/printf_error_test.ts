import { assertEquals, assertThrows } from "@std/assert";
import { PrintfError, refuseAt } from "./printf_error.ts";

Deno.test("a PrintfError shows the line, and says where in it", () => {
  const source = "one\ntwo three\nfour";
  const error = assertThrows(() => refuseAt(source, source.indexOf("three"), "it is so"));
  assertEquals(error instanceof PrintfError, true);
  const { line, column, message } = error as PrintfError;
  assertEquals([line, column], [2, 5]);
  assertEquals(message, "Cannot print as line 2, column 5 is wrong: it is so\n2 | two three");
});
