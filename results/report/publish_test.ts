import { assertEquals, assertGreater } from "@std/assert";
import { join } from "@std/path";
import { publishRun } from "./publish.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

Deno.test("publishRun() writes each chart twice, then the report, all named after the run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const paths = await publishRun(sweepRecords(), { folder });
    const names = ["round_trip", "waiting", "many_clients"].flatMap((name) => [
      `sample_${name}.svg`,
      `sample_${name}.png`,
    ]);
    assertEquals(paths, [...names, "sample.html"].map((name) => join(folder, "pictures", name)));
    for (const path of paths) assertGreater((await Deno.stat(path)).size, 1000);
    assertEquals(await publishRun([], { folder }), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
