import { assertEquals } from "@std/assert";
import { globalOf, memoryOf, readOf } from "./built_in.ts";
import { packApi, unpackApi } from "./packed_api.ts";
import { i32, nullable, string, struct } from "./kind.ts";
import { hostApi } from "./signature.ts";

Deno.test("what is built in is told to the other side as any function, and to a library's process", () => {
  const api = hostApi("c", {
    ...memoryOf("Memory"),
    read: readOf("A|B", struct({ x: i32 })),
    name: globalOf(nullable(string)),
  });
  const texts = Object.values(api.functions).map(({ text }) => text);
  assertEquals(texts, [
    "c.alloc(usize) -> Handle<Memory>",
    "c.put(Handle<Memory>, usize, in bytes) -> void",
    "c.get(Handle<Memory>, usize, out bytes) -> void",
    "c.point(Handle<Memory>, usize, Handle<Memory>, usize) -> void",
    "c.free(ends Handle<Memory>) -> void",
    "c.read(Handle<A|B>) -> { x: i32 }",
    "c.name() -> string or null",
  ]);
  const own = hostApi("c", memoryOf("Memory", "memory_"));
  assertEquals(own.functions.memory_free.signature.builtIn, "free");
  const { functions } = unpackApi(structuredClone(packApi(api)));
  const names = Object.values(functions).map(({ signature }) => signature.builtIn);
  assertEquals(names, ["alloc", "put", "get", "point", "free", "read", "global"]);
});
