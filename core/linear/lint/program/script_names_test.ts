import { assertEquals } from "@std/assert";
import "./script_names.ts";

Deno.test("a script that is bundled finds a name of its file", () => {
  const path = new URL("./script_names.ts", import.meta.url).pathname;
  assertEquals(Object.getOwnPropertyDescriptor(globalThis, "__filename")?.value, path);
});
