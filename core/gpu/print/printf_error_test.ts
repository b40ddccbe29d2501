import { assertEquals, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { PrintfError, refuseAt } from "./printf_error.ts";

Deno.test("a PrintfError shows the line, and says where in it", () => {
  const text = new WgslText("one\ntwo three\nfour");
  const error = assertThrows(() => refuseAt(text, text.tokens[2]!, "it is so"));
  assertEquals(error instanceof PrintfError, true);
  const { line, column, message, reason } = error as PrintfError;
  assertEquals([line, column, reason], [2, 5, "it is so"]);
  assertEquals(message, "Cannot print as line 2, column 5 is wrong: it is so\n2 | two three");
});
