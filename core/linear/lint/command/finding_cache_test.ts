import { assertEquals } from "@std/assert";
import { Reach } from "../program/reach.ts";
import type { PlacedFinding } from "./check_files.ts";
import { FindingCache, keptReport } from "./finding_cache.ts";

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

const SEEN = { findings: [FINDING], partly: [] };
const REPORT = { ...SEEN, unfollowed: [], fileCount: 1, portFileCount: 1 };

Deno.test("FindingCache forgets a file, and a run, when something changes that has a say in it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const main = `${folder}/main.ts`;
    await Deno.writeTextFile(main, "");
    const [path, absent] = [`${folder}/deep/cache.json`, `${folder}/deno.lock`];
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
      cache.set(main, SEEN);
      cache.save({ paths: [main], inputs: [main, absent], report: REPORT });
    };
    assertEquals([open().get(main), keptReport(path, [main])], [undefined, undefined]);
    fill();
    assertEquals(open().get(main)?.findings, [FINDING]);
    assertEquals(keptReport(path, [main, absent]), undefined);
    for (const changed of [main, absent]) {
      fill();
      assertEquals(keptReport(path, [main]), REPORT);
      await Deno.writeTextFile(changed, "const a = 1;");
      assertEquals(keptReport(path, [main]), undefined);
    }
    for (const name of Object.keys(texts)) {
      fill();
      texts[name] += " ";
      assertEquals(open().get(main), undefined, name);
    }
    fill();
    await Deno.writeTextFile(path, '{ "half": ');
    assertEquals([open().get(main), keptReport(path, [main])], [undefined, undefined]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
