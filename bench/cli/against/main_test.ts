import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { loadRecords } from "../../../results/load/load.ts";

async function against(...args: readonly string[]) {
  const main = new URL("./main.ts", import.meta.url).pathname;
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", main, ...args],
  }).output();
  const [out, err] = [output.stdout, output.stderr].map((some) => new TextDecoder().decode(some));
  return { code: output.code, out: out!, err: err! };
}

/** What was downloaded without its history has no commits to compare with. */
const isRepository = await Deno.stat(new URL("../../../.git", import.meta.url))
  .then(() => true, () => false);

Deno.test({
  name: "against measures a call of both trees in turn, and one that sleeps in each",
  ignore: !isRepository,
  async fn() {
    const folder = await Deno.makeTempDir();
    const few = ["--quick", "--rounds", "1", "--shapes", "calls,idle", "--filter", "laneCount=64"];
    const all = ["--quick", "--rounds", "1", "--shapes", "idle"];
    for (const [args, names] of [[few, ["calls"]], [all, ["idle", "idle_before"]]] as const) {
      const ended = await against(...args, "--out", folder, "HEAD");
      assertEquals(ended.code, 0, ended.err);
      assertMatch(ended.out, /CPU\/s|calls portCount=4096;laneCount=64 +1 /);
      const { records, problems } = await loadRecords(ended.out.trim().split("\n").at(-1)!);
      assertEquals(problems, []);
      assertEquals([...new Set(records.map(({ scenario }) => scenario))].toSorted(), [...names]);
      for (const { scenario, references, latencySeconds, cpuSecondsPerCall } of records) {
        if (scenario !== "calls") assertEquals(cpuSecondsPerCall!.length > 0, true);
        else assertEquals(references["before"]!.latencySeconds.length, latencySeconds.length);
      }
    }
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test("against says what it cannot compare with", async () => {
  const wrong = [
    [[], "there must be one commit"],
    [["HEAD", "--shapes", "call"], isRepository ? 'the nearest is "calls"' : "git rev-parse says"],
    [
      ["no-such-commit"],
      'Cannot take the tree of the commit "no-such-commit" as git rev-parse says',
    ],
    [
      ["HEAD", "--filter", "nothing"],
      isRepository ? "and a point is such as" : "git rev-parse says",
    ],
  ] as const;
  for (const [args, message] of wrong) {
    const { code, err } = await against(...args);
    assertEquals(code, 2);
    assertStringIncludes(err, message);
  }
});
