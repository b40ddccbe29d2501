import { assertEquals } from "@std/assert";
import { configurationFor } from "./configuration.ts";

Deno.test("configurationFor() reads the nearest deno.json above", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    const text =
      '{ "imports": { "#/": "./src/", "x": "https://x.org/y" }, "lint": { "exclude": ["gen", /* c */] } } // c';
    await Deno.writeTextFile(`${folder}/deno.jsonc`, text);
    await Deno.writeTextFile(`${folder}/deno.lock`, '{ "specifiers": { "jsr:@a/x@1": "1.0.0" } }');
    assertEquals(configurationFor(`${folder}/a/b`), {
      path: `${folder}/deno.jsonc`,
      versions: { "jsr:@a/x@1": "1.0.0" },
      imports: { "#/": `${folder}/src/`, x: "https://x.org/y" },
      excluded: [`${folder}/gen`],
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
