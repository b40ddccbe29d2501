import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";
/** A sweep is killed at random moments and gone on with: PORTLAB_KILLS says how often. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { parseRecords } from "../../results/load/load.ts";
import { visitId } from "../sweep/run_sweep.ts";
import { seededRandom } from "../sweep/plan_sweep.ts";

/** Fifty takes some minutes. */
const killCount = Number(Deno.env.get("PORTLAB_KILLS") ?? 2);
/** A process takes about 0.3 s to begin and 0.3 s a point; it is killed up to this late. */
const LIFE_SECONDS_MAX = 2;

const main = new URL("./main.ts", import.meta.url).pathname;
const scenario = new URL("../sweep/testdata/misbehaving.ts", import.meta.url).pathname;

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Runs the sweep, or goes on with it; kills it after some time, where one is given. */
async function sweep(
  { out, path, seed }: { readonly out: string; readonly path: string; readonly seed: number },
  lifeSeconds = Infinity,
): Promise<void> {
  const begin = [
    "--scenario",
    scenario,
    "--filter",
    "answers",
    "--rounds",
    "2",
    "--seconds",
    "0.1",
  ];
  const name = ["--out", out, "--run-id", "a", "--shard", "1/1", "--seed", `${seed}`];
  const isBegun = await readText(path) !== "";
  const args = isBegun ? ["--resume", path] : [...begin, ...name];
  if (!isBegun) await Deno.remove(path).catch(() => {});
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", main, ...args],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const ended = child.status.then(() => {});
  const timer = Number.isFinite(lifeSeconds)
    ? setTimeout(() => child.kill("SIGKILL"), lifeSeconds * 1000)
    : undefined;
  await ended;
  clearTimeout(timer);
}

Deno.test(`a sweep that is killed ${killCount} times loses no finished point, and repeats none`, async () => {
  using scratch = new ScratchFolder();
  const out = scratch.path;
  const random = seededRandom(Date.now());
  const path = join(out, "raw", "a_1of1.jsonl");
  let kept = "";
  for (let kill = 0; kill < killCount; kill++) {
    if (isDone(kept)) {
      await Deno.remove(path);
      kept = "";
    }
    await sweep({ out, path, seed: kill }, LIFE_SECONDS_MAX * random());
    const text = await readText(path);
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    assert(whole.startsWith(kept), "what was finished before is as it was");
    assertEquals(parseRecords(whole, { source: "a" }).problems, []);
    kept = whole;
  }
  await sweep({ out, path, seed: killCount });
  const text = await readText(path);
  assert(text.startsWith(kept) && isDone(text), text);
});

/** Whether every visit is there, once: two points in two rounds, and one that is skipped. */
function isDone(text: string): boolean {
  const { records, unmeasured, problems } = parseRecords(text, { source: "a" });
  const ids = [...records, ...unmeasured].map(visitId);
  assertEquals([new Set(ids).size, problems], [ids.length, []]);
  return ids.length === 5;
}
