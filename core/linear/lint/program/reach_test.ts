import { assertEquals } from "@std/assert";
import { Reach } from "./reach.ts";

Deno.test("Reach finds what imports the library's ports, at any distance", () => {
  const texts: Readonly<Record<string, string>> = {
    "/main.ts": 'export * as kit from "./kit.ts"; import type { A } from "jsr:@lab/kit"; a.open();',
    "/kit.ts": 'const kit = await import("./port.ts");',
    "/port.ts": "export interface OwnedPort<P> {} ",
    "/other.ts": 'import "./loop.ts"; import "jsr:@std/path"; Deno.open("a");',
    "/loop.ts": 'import "./other.ts";',
  };
  const reach = new Reach({
    read: (name) => texts[name],
    resolve: (specifier) => specifier.startsWith(".") ? specifier.slice(1) : undefined,
  });
  const names = Object.keys(texts);
  assertEquals(names.filter((one) => reach.hasPorts(one)), ["/main.ts", "/kit.ts", "/port.ts"]);
  assertEquals(names.map((one) => reach.unknownFrom(one).length), [1, 0, 0, 0, 0]);
});
