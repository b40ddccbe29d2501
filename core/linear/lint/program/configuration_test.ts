import { assertEquals } from "@std/assert";
import { configurationFor } from "./configuration.ts";
import { filesAt } from "./source_files.ts";

Deno.test("configurationFor() reads the nearest deno.json above", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    await Deno.mkdir(`${folder}/kits/one`, { recursive: true });
    const text = '{ "imports": { "#/": "./src/", "#/far/": "https://x.org/y/" }, // c\n' +
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
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("filesAt() takes files as named, and the sources of folders", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const names = ["src/a.ts", "src/b.d.ts", "src/c.md", "node_modules/d.ts", ".git/e.ts"];
    for (const name of [...names, "gen/f.ts"]) {
      await Deno.mkdir(`${folder}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    const excluded = [`${folder}/gen`];
    assertEquals(filesAt([folder], excluded), [`${folder}/src/a.ts`]);
    const twice = [`${folder}/gen/f.ts`, `${folder}/gen/f.ts`];
    assertEquals(filesAt(twice, excluded), [`${folder}/gen/f.ts`]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
