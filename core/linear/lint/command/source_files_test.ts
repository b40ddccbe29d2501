import { assertEquals } from "@std/assert";
import { filesAt } from "./source_files.ts";

Deno.test("filesAt() takes files as named, and the sources of folders", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const one of ["src", "node_modules", ".git", "gen"]) await Deno.mkdir(`${folder}/${one}`);
    const names = [
      "src/a.ts",
      "src/b.d.ts",
      "src/c.md",
      "node_modules/d.ts",
      ".git/e.ts",
      "gen/f.ts",
    ];
    for (const one of names) await Deno.writeTextFile(`${folder}/${one}`, "");
    assertEquals(filesAt([folder], [`${folder}/gen`]), [`${folder}/src/a.ts`]);
    assertEquals(filesAt([`${folder}/gen/f.ts`], [`${folder}/gen`]), [`${folder}/gen/f.ts`]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
