import { assertEquals } from "@std/assert";
import { Words } from "./vocabulary.ts";

Deno.test("Words.within() gives the names and keywords that begin in a part of a text", () => {
  const text = "ab.$b + #b('d e') + b + größe";
  const words = new Words(text);
  assertEquals(words.within([0, text.length]), ["ab", "$b", "#b", "d", "e", "b", "größe"]);
  assertEquals(words.within([1, 10]), ["$b", "#b"]);
  assertEquals(new Words("").within([0, 9]), []);
  assertEquals([words.has("e"), words.has("a")], [true, false]);
});
