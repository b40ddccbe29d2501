import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { loadRecords } from "../../../results/load/load.ts";
import { endedModule } from "../../machine/ended.ts";
import { ScratchFolder } from "../../../core/testing/fixtures/scratch_folder.ts";

const MINE = new URL("../testdata/two_forms.ts", import.meta.url).href;

function bench(...args: readonly string[]) {
  return endedModule(new URL("../main.ts", import.meta.url), ...args);
}

/** What was downloaded without its history has no commits to compare with. */
const isRepository = await Deno.stat(new URL("../../../.git", import.meta.url))
  .then(() => true, () => false);

Deno.test("bench --against measures two modules in turn, and judges itself first", async () => {
  using scratch = new ScratchFolder();
  const out = scratch.path;
  // One round decides nothing; that it is asked for makes it fit.
  const given = ["--rounds", "1", "--budget", "60s", "--out", out, "--run-id", "two"];
  const ended = await bench("--scenario", `${MINE}?steps=200`, "--against", MINE, ...given);
  assertEquals(ended.code, 3, ended.error);
  assertMatch(ended.error, /^4 visits a round: 1 point,/m);
  assertMatch(ended.error, /^Next: too few rounds/m);
  assertMatch(ended.out, /^two_forms +1 .* undecided: not judged, as 5 % of work put in were not/m);
  const seconds: Record<string, number> = {};
  for (const arm of ["before", "now", "again", "slowed"]) {
    const { records, problems } = await loadRecords(`${out}/raw/two_${arm}.jsonl`);
    assertEquals([problems, records.length], [[], 1]);
    seconds[arm] = Math.min(...records[0]!.latencySeconds);
  }
  assertEquals(seconds["now"]! > 1.5 * seconds["before"]!, true); // twice as many steps
});

Deno.test({
  name: "bench --against measures a commit",
  ignore: !isRepository,
  async fn() {
    using scratch = new ScratchFolder();
    const out = scratch.path;
    const given = ["--rounds", "1", "--budget", "60s", "--out", out, "--run-id", "c"];
    const ended = await bench("--scenario", "ping_pong", "--against", "HEAD", ...given);
    assertEquals(ended.code, 3, ended.error);
    const { records: [record] } = await loadRecords(`${out}/raw/c_before.jsonl`);
    assertMatch(record!.machine.commit, /^[0-9a-f]{40}$/);
    assertEquals(record!.machine.hasLocalChanges, false);
  },
});

Deno.test("bench --against says what it cannot compare with, and what does not fit", async () => {
  const wrong = [
    [["--against", "no-such-commit"], isRepository ? 'commit "no-such-commit" as git' : "git"],
    [["--against", MINE, "--scenario", MINE, "--budget", "1s"], /use --budget \d+s/],
    [["--against", "HEAD", "--full"], "Cannot use --full beside --against"],
    [["--put-in", "5%"], "Cannot use --put-in without --against"],
  ] as const;
  for (const [args, message] of wrong) {
    const { code, error } = await bench(...args);
    assertEquals(code, 2, error);
    if (message instanceof RegExp) assertMatch(error, message);
    else assertStringIncludes(error, message);
  }
});
