import { assertEquals } from "@std/assert";
import { wgsl } from "./vite.ts";

function transformed(code: string, id: string): string | undefined {
  const plugin = wgsl();
  plugin.configResolved({ root: "/project" });
  return plugin.transform(code, id)?.code;
}

Deno.test("wgsl() makes a module of a text, which names its file", () => {
  const text = JSON.stringify("fn f() {\n}\n//# sourceURL=src/f.wgsl\n");
  assertEquals(transformed("fn f() {\n}\n\n", "/project/src/f.wgsl"), `export default ${text};`);
  const outside = JSON.stringify("a\n//# sourceURL=/elsewhere/a.wgsl\n");
  assertEquals(transformed("a", "/elsewhere/a.wgsl"), `export default ${outside};`);
});

Deno.test("wgsl() leaves other files, and other wishes for a file, to Vite", () => {
  for (const id of ["/project/a.ts", "/project/a.wgsl?raw", "/project/a.wgsl.ts"]) {
    assertEquals(transformed("", id), undefined);
  }
});
