import { assertEquals } from "@std/assert";
import { denoFolder } from "./deno_folder.ts";
import { LocalModules, nameOf } from "./local_modules.ts";

Deno.test("LocalModules finds what paths, import maps and packages mean", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/kit/dist`, { recursive: true });
    const manifest = { name: "kit", exports: { ".": { types: "./dist/kit.d.ts" } } };
    await Deno.writeTextFile(`${folder}/kit/package.json`, JSON.stringify(manifest));
    await Deno.writeTextFile(`${folder}/kit/dist/kit.d.ts`, "export {};");
    const packages = new Map([["kit", `${folder}/kit`]]);
    const modules = new LocalModules(
      { imports: { "#/": "/src/", rpc: "/lib/rpc.ts", "lab": "npm:kit@1.0.0" } },
      packages,
    );
    const resolve = (one: string) => modules.resolve(one, "/src/net/main.ts");
    assertEquals(resolve("../kit.ts"), "/src/kit.ts");
    assertEquals(resolve("#/a/b.ts"), "/src/a/b.ts");
    assertEquals(resolve("rpc"), "/lib/rpc.ts");
    assertEquals(resolve("kit"), `${folder}/kit/dist/kit.d.ts`);
    assertEquals(
      ["npm:kit@1.0.0", "npm:/kit@1.0.0", "lab"].map(resolve),
      Array(3).fill(resolve("kit")),
    );
    assertEquals(modules.resolve("./port.ts", "/https/a.org/x/mod.ts"), "/https/a.org/x/port.ts");
    assertEquals(["jsr:@a/b", "node:fs", "absent"].map(resolve), [undefined, undefined, undefined]);
    assertEquals(modules.read(`${folder}/absent.ts`), undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("LocalModules finds what Deno keeps of a registry's package, by the lock file", async () => {
  const [folder, before] = [await Deno.makeTempDir(), denoFolder()];
  Deno.env.set("DENO_DIR", folder);
  try {
    const path = "/@lab/kit/1.0.2_meta.json";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(path));
    await Deno.mkdir(`${folder}/remote/https/a.org`, { recursive: true });
    await Deno.writeTextFile(
      `${folder}/remote/https/a.org/${new Uint8Array(digest).toHex()}`,
      '{ "exports": { ".": "./mod.ts", "./rpc": "./src/rpc.ts" } }\n// denoCacheMetadata={}',
    );
    const modules = new LocalModules({
      imports: { kit: "jsr:@lab/kit@^1.0.0" },
      versions: { "jsr:@lab/kit@^1.0.0": "1.0.2" },
    });
    const resolve = (one: string) => modules.resolve(one, "/main.ts");
    assertEquals(resolve("jsr:@lab/kit@^1.0.0"), "/https/a.org/@lab/kit/1.0.2/mod.ts");
    assertEquals(resolve("kit/rpc"), "/https/a.org/@lab/kit/1.0.2/src/rpc.ts");
    assertEquals([resolve("kit/none"), resolve("jsr:@lab/other@^1.0.0")], [undefined, undefined]);
  } finally {
    Deno.env.set("DENO_DIR", before);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("nameOf() gives every module a path", () => {
  assertEquals(nameOf("file:///a%20b.ts"), "/a b.ts");
  assertEquals(nameOf("https://a.org:8000/b/c.ts"), "/https/a.org:8000/b/c.ts");
});
