import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";
/** A sweep of 200 points over four nodes of Slurm, one of which dies in the middle. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { mergeRecords } from "../record/merge_records.ts";
import type { RunRecord } from "../record/record.ts";
import { Cluster, slurmIsMissing, until } from "./testdata/cluster.ts";

const NODE_COUNT = 4;
const POINT_COUNT = 200;
/** What a simulated point takes. */
const POINT_MILLISECONDS = 40;

function pathOf(name: string): string {
  return fromFileUrl(new URL(name, import.meta.url));
}

/** A sweep is simulated, unless PORTLAB_SLURM=real: then each point has its process, for a minute. */
const bench = Deno.env.get("PORTLAB_SLURM") === "real"
  ? `${Deno.execPath()} run -A --no-check ${pathOf("../cli/main.ts")} --seconds 1`
  : `${Deno.execPath()} run -A --no-check ${pathOf("testdata/simulated_sweep.ts")}`;

/** The whole lines of a file; none where there is no file yet. */
async function recordsIn(path: string): Promise<readonly RunRecord[]> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

const reason = slurmIsMissing();

Deno.test({
  name: `a node of Slurm dies, and no point is lost or there twice${
    reason === undefined ? "" : `: skipped, ${reason}`
  }`,
  ignore: reason !== undefined,
  async fn() {
    using scratch = new ScratchFolder();
    const folder = scratch.path;
    await using cluster = await Cluster.start(folder, NODE_COUNT);
    const raw = join(folder, "raw");
    const job = (await cluster.run(
      "sbatch",
      "--parsable",
      `--array=1-${NODE_COUNT}`,
      `--output=${folder}/log/task_%a.txt`,
      `--export=ALL,RUN_ID=all,OUT=${folder},BENCH=${bench}`,
      pathOf("sweep.sh"),
      ...["--scenario", pathOf("testdata/many_points.ts")],
    )).trim();
    const shardPath = (shard: number) => join(raw, `all_${shard}of${NODE_COUNT}.jsonl`);
    await until("the third shard is in the middle", async () => {
      return (await recordsIn(shardPath(3))).length >= 5;
    });
    const node = await cluster.run("squeue", "--noheader", "--jobs", `${job}_3`, "--format=%N");
    await cluster.kill(node);
    const before = await recordsIn(shardPath(3));
    await new Promise((resolve) => setTimeout(resolve, 10 * POINT_MILLISECONDS));
    assertEquals((await recordsIn(shardPath(3))).length, before.length, "nobody writes any more");
    assert(before.length < POINT_COUNT / NODE_COUNT, "it was killed before its end");
    await until("every shard is done", async () => {
      return await cluster.run("squeue", "--noheader") === "";
    });
    const shards = await Promise.all([1, 2, 3, 4].map((shard) => recordsIn(shardPath(shard))));
    assertEquals(shards[2]!.slice(0, before.length), before, "what was finished is as it was");
    const { lines, repeatedCount } = mergeRecords(shards.flat(), { duplicates: "refuse" });
    assertEquals([lines.length, repeatedCount], [POINT_COUNT, 0]);
    assertEquals(new Set(lines.map(({ point }) => point.index)).size, POINT_COUNT);
  },
});
