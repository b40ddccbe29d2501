import { assertEquals, assertNotEquals } from "@std/assert";
import { jsonCodec, v8Codec } from "../../call/codec.ts";
import { objectFunction } from "./object_function.ts";

Deno.test("objectFunction() is another function for another name or codec", () => {
  const one = objectFunction("store", jsonCodec);
  assertEquals([one.name, one.text], ["object store", 'object "store" by JSON']);
  assertNotEquals(one.hash, objectFunction("stores", jsonCodec).hash);
  assertNotEquals(one.hash, objectFunction("store", v8Codec).hash);
});
