import { assertEquals } from "@std/assert";
import { wordsIn } from "./vocabulary.ts";

Deno.test("wordsIn() gives the names and keywords of a text", () => {
  const words = wordsIn("ab.$b + #b('d e') + b + größe");
  assertEquals([...words], ["ab", "$b", "#b", "d", "e", "b", "größe"]);
  assertEquals(wordsIn("").size, 0);
});
