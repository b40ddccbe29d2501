import { assertEquals } from "@std/assert";
import { Reach } from "../program/reach.ts";
import type { PlacedFinding } from "./check_files.ts";
import { FindingCache } from "./finding_cache.ts";

const FINDING: PlacedFinding = {
  file: "main.ts",
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  rule: "double-move",
  message: "Port is consumed twice",
  hint: "Once",
};

Deno.test("FindingCache forgets a file when something changes that has a say in it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const main = `${folder}/main.ts`;
    await Deno.writeTextFile(main, "");
    const path = `${folder}/deep/cache.json`;
    const texts: Record<string, string> = {
      [main]: 'import "./kit.ts";',
      "/kit.ts": "export {};",
      "/rules.ts": "first",
    };
    const open = (place: string | undefined = path) => {
      const read = (name: string) => texts[name];
      const reach = new Reach({ read, resolve: (specifier) => specifier.slice(1) });
      return new FindingCache(place, reach, "/rules.ts");
    };
    const fill = () => {
      const cache = open();
      cache.set(main, [FINDING]);
      cache.save();
    };
    assertEquals(open().get(main), undefined);
    fill();
    assertEquals(open().get(main), [FINDING]);
    for (const name of Object.keys(texts)) {
      fill();
      texts[name] += " ";
      assertEquals(open().get(main), undefined, name);
    }
    fill();
    await Deno.writeTextFile(path, '{ "half": ');
    assertEquals(open().get(main), undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
