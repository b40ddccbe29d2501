import { assertEquals } from "@std/assert";
import { configurationFor } from "./configuration.ts";

Deno.test("configurationFor() reads the nearest deno.json above, and the import map that it names", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    await Deno.mkdir(`${folder}/kits/one`, { recursive: true });
    const imports = '{ "imports": { "#/": "./src/", "#/far/": "https://x.org/y/" } }';
    await Deno.writeTextFile(`${folder}/import_map.json`, imports);
    const text = '{ "importMap": "./import_map.json", // c\n' +
      '"links": ["./kits/*"], "exclude": ["gen"], "lint": { "exclude": ["old", /* c */] } }';
    await Deno.writeTextFile(`${folder}/deno.jsonc`, text);
    await Deno.writeTextFile(`${folder}/deno.lock`, '{ "specifiers": { "jsr:@a/x@1": "1.0.0" } }');
    await Deno.writeTextFile(`${folder}/kits/one/deno.json`, '{ "name": "@lab/one" }');
    assertEquals(configurationFor(`${folder}/a/b`), {
      path: `${folder}/deno.jsonc`,
      imports: [["#/far/", "https://x.org/y/"], ["#/", `${folder}/src/`]],
      versions: { "jsr:@a/x@1": "1.0.0" },
      linked: { "@lab/one": `${folder}/kits/one` },
      excluded: [`${folder}/gen`, `${folder}/old`],
    });
    await Deno.writeTextFile(`${folder}/a/deno.json`, '{ "importMap": "./b/map.json" }');
    const map = { "kit": "npm:kit@1.0.0", "parts/": "npm:/parts@2.0.0/", "own": "./own.ts" };
    await Deno.writeTextFile(`${folder}/a/b/map.json`, JSON.stringify({ imports: map }));
    assertEquals(configurationFor(`${folder}/a`)?.imports, [
      ["parts", "npm:parts@2.0.0"],
      ["kit", "npm:kit@1.0.0"],
      ["own", `${folder}/a/b/own.ts`],
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
