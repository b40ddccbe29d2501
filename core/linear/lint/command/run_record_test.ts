import { assertEquals } from "@std/assert";
import { keepReport, keptReport } from "./run_record.ts";

Deno.test("keptReport() is gone when an input changes, also one that was not there", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [cache, input, absent] = ["deep/cache.json", "main.ts", "deno.lock"].map((one) =>
      `${folder}/${one}`
    ) as [string, string, string];
    const report = { findings: [], unfollowed: [], fileCount: 1, portFileCount: 1 };
    const keep = () => keepReport(cache, { paths: [input], inputs: [input, absent], report });
    assertEquals(keptReport(cache, [input]), undefined);
    for (const changed of [input, absent]) {
      keep();
      assertEquals(keptReport(cache, [input]), report);
      assertEquals(keptReport(cache, [input, absent]), undefined);
      await Deno.writeTextFile(changed, "const a = 1;");
      assertEquals(keptReport(cache, [input]), undefined);
    }
    await Deno.writeTextFile(`${folder}/deep/cache.run.json`, "{ half");
    assertEquals(keptReport(cache, [input]), undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
