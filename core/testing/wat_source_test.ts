import { assertEquals } from "@std/assert";
import { bytesFile, bytesModule, TEXTS } from "./wat_source.ts";

for (const text of TEXTS) {
  Deno.test(`the bytes of ${text[0]} are those of its text: deno task wasm`, async () => {
    assertEquals(await Deno.readTextFile(bytesFile(text)), await bytesModule(text));
  });
}
