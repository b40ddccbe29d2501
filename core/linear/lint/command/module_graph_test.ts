import { assertEquals } from "@std/assert";
import { GraphModules, inputsOf } from "./module_graph.ts";

Deno.test("GraphModules resolves as deno info says", async () => {
  const copy = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(copy, "export const kit = 1;");
    const modules = new GraphModules({
      modules: [
        {
          specifier: "file:///main.ts",
          dependencies: [
            { specifier: "jsr:@a/kit@^1", code: { specifier: "jsr:@a/kit@^1" } },
            { specifier: "lib", code: { specifier: "https://b.org/lib.js" } },
          ],
        },
        { specifier: "https://c.org/@a/kit/1.0.0/mod.ts", local: copy },
        {
          specifier: "https://b.org/lib.js",
          typesDependency: {
            dependency: { specifier: "./lib.d.ts", code: { specifier: "https://b.org/lib.d.ts" } },
          },
        },
      ],
      redirects: { "jsr:@a/kit@^1": "https://c.org/@a/kit/1.0.0/mod.ts" },
    });
    const kit = modules.resolve("jsr:@a/kit@^1", "/main.ts")!;
    assertEquals(kit, "/https/c.org/@a/kit/1.0.0/mod.ts");
    assertEquals(modules.read(kit), "export const kit = 1;");
    assertEquals(modules.resolve("lib", "/main.ts"), "/https/b.org/lib.d.ts");
  } finally {
    await Deno.remove(copy);
  }
});

Deno.test("inputsOf() names the files of a program, and what says what their imports mean", async () => {
  const modules = ["/a/b/main.ts", "/a/kit.ts"].map((local) => ({ specifier: "", local }));
  const inputs = inputsOf({ modules }, undefined)!;
  assertEquals(inputs.filter((one) => /\.ts$|lock$/.test(one)), [
    "/a/b/main.ts",
    "/a/kit.ts",
    "/a/b/deno.lock",
    "/a/deno.lock",
    "/deno.lock",
  ]);
  const config = await Deno.makeTempFile();
  await Deno.writeTextFile(config, '{ "importMap": "map.json" }');
  assertEquals(inputsOf({ modules }, config), undefined);
  await Deno.remove(config);
});
