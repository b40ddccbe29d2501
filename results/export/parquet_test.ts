import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import { join } from "@std/path";
import type { RunRecord, UnmeasuredPoint } from "../../bench/record/record.ts";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { recordLine } from "../../bench/record/writer.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

/** 140 MB that nothing else needs: no import of the tree, and in no lock file. */
const DUCKDB: string = "npm:@duckdb/node-api@1.5.5-r.5";
const { DuckDBInstance } = await import(DUCKDB);

/** Runs a query in DuckDB, in memory. */
async function query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    try {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJS();
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

const page = await Deno.readTextFile(new URL("../../docs/records.md", import.meta.url));
const [medians, conversion] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql!);

const noise = { otherShare: 0.25, stealShare: 0, wallStepSeconds: 0, collectedBytes: 0 };
const lines: readonly (RunRecord | UnmeasuredPoint)[] = [
  { ...sampleRecord, noise },
  { ...sampleRecord, round: 1 },
  {
    ...sampleRecord,
    pointId: "fast",
    latencySeconds: sampleRecord.latencySeconds.map((seconds) => seconds / 4),
  },
  sampleUnmeasured,
  { ...sampleRecord, recordVersion: 1, scenario: "older" },
];

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await Deno.mkdir(join(folder, "results", "raw"), { recursive: true });
  for (const [at, some] of [lines.slice(0, 2), lines.slice(2)].entries()) {
    const path = join(folder, "results", "raw", `it's ${at}.jsonl`);
    await Deno.writeTextFile(path, some.map(recordLine).join(""));
  }
  await work(folder);
}

/** The page's statement with its relative paths in a folder. */
function within(folder: string, sql: string): string {
  return sql.replace("'results/raw/", `'${folder}/results/raw/`)
    .replace("'results.parquet'", `'${folder}/results.parquet'`);
}

Deno.test("the query of docs/records.md gives the median of each point in its floor", async () => {
  await inFolder(async (folder) => {
    const [fast, ...others] = await query(within(folder, medians!));
    assertEquals([fast!.pointId, Number(fast!.rounds)], ["fast", 1]);
    assertAlmostEquals(fast!.timesFloor as number, 0.5, 1e-3);
    const rounds = others.map((row) => [row.scenario, Number(row.rounds), row.otherPrograms]);
    assertEquals(rounds.toSorted(), [["older", 1, null], ["round_trip", 2, 0.25]]);
  });
});

Deno.test("the statement of docs/records.md writes a Parquet file, samples and all", async () => {
  await inFolder(async (folder) => {
    await query(within(folder, conversion!));
    const [row] = await query(
      `select count(*) as lines, sum(len(latencySeconds)) as samples,
        any_value(reason) as reason, any_value(point.portCount) as ports
      from '${join(folder, "results.parquet")}'`,
    );
    const samples = lines.reduce(
      (sum, one) => sum + ("outcome" in one ? 0 : one.latencySeconds.length),
      0,
    );
    assertEquals(
      [Number(row!.lines), Number(row!.samples), row!.reason, Number(row!.ports)],
      [lines.length, samples, sampleUnmeasured.reason, 1],
    );
  });
});

Deno.test("the Parquet file takes the records that are kept, in less space", async () => {
  await inFolder(async (folder) => {
    const source = new URL("../raw/calls.jsonl", import.meta.url).pathname;
    const target = join(folder, "results.parquet");
    await query(within(folder, conversion!).replace(/'[^']*[*]\.jsonl'/, `'${source}'`));
    const text = await Deno.readTextFile(source);
    const [row] = await query(`select count(*) as lines from '${target}'`);
    assertEquals(Number(row!.lines), text.trimEnd().split("\n").length);
    assertLess((await Deno.stat(target)).size, text.length);
  });
});
