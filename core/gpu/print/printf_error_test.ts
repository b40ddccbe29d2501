import { assertEquals } from "@std/assert";
import { TextFault } from "../text/lines.ts";
import { WrittenText } from "./printf_error.ts";

Deno.test("a PrintfError shows the line, and says where in it", () => {
  const { line, column, offset, message, reason } = new WrittenText("one\ntwo three\nfour")
    .errorOf(new TextFault(8, "it is so"));
  assertEquals([line, column, offset, reason], [2, 5, 8, "it is so"]);
  assertEquals(message, "Cannot print as line 2, column 5 is wrong: it is so\n2 | two three");
});

Deno.test("WrittenText counts the breaks that the author wrote, and a mark at the beginning", () => {
  for (const mark of ["", "\ufeff"]) {
    for (const end of ["\n", "\r\n", "\r", "\u2028"]) {
      const written = `${mark}one${end}two${end}${end}four`;
      const text = new WrittenText(written);
      const at = "one\ntwo\n\nfo".length;
      assertEquals(text.writtenIndex(at), written.indexOf("ur"));
      assertEquals(text.indexAt(text.positionAt(at)), written.indexOf("ur"));
      assertEquals([text.lineOf(2), text.lineOf(4)], ["two", "four"]);
    }
  }
});
