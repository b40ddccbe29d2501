import { assertEquals } from "@std/assert";
import { isListenerMethod } from "./vocabulary.ts";

Deno.test("isListenerMethod() knows what is told of functions to call", () => {
  const names = ["on", "addListener", "addEventListener", "once", "onward", "listen"];
  assertEquals(names.filter(isListenerMethod), ["on", "addListener", "addEventListener"]);
});
