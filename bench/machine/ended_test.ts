import { assertEquals } from "@std/assert";
import { ended, endedModule } from "./ended.ts";

Deno.test("ended() has the exit code of a program, and both of its outputs", async () => {
  const line = 'echo "$A"; echo b >&2; exit 3';
  const told = await ended("sh", ["-c", line], { env: { A: "a" } });
  assertEquals(told, { code: 3, out: "a\n", error: "b\n" });
});

Deno.test("endedModule() runs a module with arguments", async () => {
  const module = "data:text/javascript,console.log(Deno.args.join())";
  assertEquals((await endedModule(module, "1", "2")).out, "1,2\n");
});
