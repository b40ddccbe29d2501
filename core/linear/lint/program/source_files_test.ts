import { assertEquals } from "@std/assert";
import { filesAt } from "./source_files.ts";

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
