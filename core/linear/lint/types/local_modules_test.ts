import { assertEquals } from "@std/assert";
import { LocalModules, nameOf } from "./local_modules.ts";

Deno.test("LocalModules finds what paths, import maps and packages mean", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/kit/dist`, { recursive: true });
    const manifest = { name: "kit", exports: { ".": { types: "./dist/kit.d.ts" } } };
    await Deno.writeTextFile(`${folder}/kit/package.json`, JSON.stringify(manifest));
    await Deno.writeTextFile(`${folder}/kit/dist/kit.d.ts`, "export {};");
    const packages = new Map([["kit", `${folder}/kit`]]);
    const modules = new LocalModules({ "#/": "/src/", rpc: "/lib/rpc.ts" }, packages);
    const resolve = (one: string) => modules.resolve(one, "/src/net/main.ts");
    assertEquals(resolve("../kit.ts"), "/src/kit.ts");
    assertEquals(resolve("#/a/b.ts"), "/src/a/b.ts");
    assertEquals(resolve("rpc"), "/lib/rpc.ts");
    assertEquals(resolve("kit"), `${folder}/kit/dist/kit.d.ts`);
    assertEquals(modules.resolve("./port.ts", "/https/a.org/x/mod.ts"), "/https/a.org/x/port.ts");
    assertEquals(["jsr:@a/b", "node:fs", "absent"].map(resolve), [undefined, undefined, undefined]);
    assertEquals(modules.read(`${folder}/absent.ts`), undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("nameOf() gives every module a path", () => {
  assertEquals(nameOf("file:///a%20b.ts"), "/a b.ts");
  assertEquals(nameOf("https://a.org:8000/b/c.ts"), "/https/a.org:8000/b/c.ts");
});
