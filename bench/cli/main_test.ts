import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { loadRecords } from "../../results/load/load.ts";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { recordLine } from "../record/writer.ts";
import { type Ended, endedModule } from "../machine/ended.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

const own = new URL("../sweep/testdata/misbehaving.ts", import.meta.url).pathname;

function bench(...args: readonly string[]): Promise<Ended> {
  return endedModule(new URL("./main.ts", import.meta.url), ...args);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await work(folder);
}

Deno.test("main.ts sweeps to records, a table, charts and a report", async () => {
  await inFolder(async (out) => {
    const ended = await bench("--quick", "--out", out, "--run-id", "look", "--seed", "3");
    assertEquals(ended.code, 0, ended.error);
    assertMatch(ended.out, /^What does one synchronous call cost/m);
    assert(ended.out.split("\n").every((line) => line.length <= 80 || line.includes(out)));
    assert(!/wanted at/.test(ended.out), "targets are told when they are asked for");
    const { records, problems } = await loadRecords(join(out, "raw"));
    assertEquals(problems, []);
    assertEquals(records.length, 4);
    assert(records.every(({ runId, seed }) => runId === "look" && seed === 3));
    for (const name of ["look_round_trip.png", "look_round_trip_ratio.png", "look.html"]) {
      assert((await Deno.stat(join(out, "pictures", name))).size > 1000, name);
      assert(ended.out.includes(join(out, "pictures", name)), name);
    }
    await Deno.remove(join(out, "pictures"), { recursive: true });
    const detail = ["--detail", "--targets", "--from", join(out, "raw", "look.jsonl")];
    const detailed = await bench(...detail);
    assertMatch(detailed.out, /^round_trip: What does one synchronous call cost/m);
    for (const told of [/seed 3/, /wanted at least/, /^sampling ended: /m]) {
      assertMatch(detailed.out, told);
    }
    const shown = await bench("--from", join(out, "raw", "look.jsonl"));
    assertEquals([shown.code, shown.out.includes("look.html")], [0, false], shown.error);
    const again = await bench("--from", join(out, "raw", "look.jsonl"), "--out", out);
    assertEquals(again.code, 0, again.error);
    assert((await Deno.stat(join(out, "pictures", "look.html"))).size > 1000);
  });
});

Deno.test("main.ts goes on after a point that fails, and ends with a failure", async () => {
  await inFolder(async (out) => {
    const points = ["--scenario", "round_trip", "--axis", "portCount=0,1", "--axis", "laneCount=1"];
    const ended = await bench("--quick", "--out", out, ...points);
    assertEquals(ended.code, 1);
    assertMatch(
      ended.error,
      /portCount=0;\S+ failed: Cannot lay out a channel as portCount must be/,
    );
    assertEquals((await loadRecords(join(out, "raw"))).records.length, 1);
  });
});

Deno.test("main.ts converts what deno bench printed", async () => {
  await inFolder(async (out) => {
    const file = join(out, "bench.json");
    const ok = { n: 20, avg: 100_000, min: 90_000 };
    const benches = [{ name: "ping_pong  x1000", results: [{ ok }] }];
    await Deno.writeTextFile(file, JSON.stringify({ benches }));
    const ended = await bench("--json-in", file, "--out", out, "--detail");
    assertEquals(ended.code, 0, ended.error);
    const { records: [record] } = await loadRecords(join(out, "raw"));
    assertEquals(record!.latencySeconds, [1e-7]);
    assertMatch(ended.out, /keeps no samples/);
  });
});

Deno.test("main.ts explains itself, and what it cannot read", async () => {
  assertMatch((await bench("--help")).out, /--axis NAME=V1,V2/);
  assertMatch((await bench("--list")).out, /^many_clients: /m);
  const wrong = await bench("--secnds", "5");
  assertEquals(wrong.code, 2);
  assertMatch(wrong.error, /no option --secnds: options are/);
  assert(!wrong.error.includes("    at "), "a message, no stack");
});

Deno.test("main.ts measures a module that it has never seen, and lists what that skips", async () => {
  await inFolder(async (out) => {
    const args = ["--scenario", own, "--filter", "answers", "--seconds", "0.1", "--out", out];
    const ended = await bench(...args, "--format", "csv,table");
    assertEquals(ended.code, 0, ended.error);
    assertMatch(ended.out, /^misbehaving,way=answers;size=\d,\d+,1,/m);
    assertMatch(ended.out, /misbehaving: Does the sweep go on\?/);
    for (const more of [[], ["--detail"]]) {
      const { out: text } = await bench("--from", join(out, "raw"), ...more);
      assertMatch(text, /skipped: misbehaving, three is a crowd\n {2}way=answers;size=3/);
      assertEquals(/sampling ended: /.test(text), more.length > 0);
    }
    const { records, unmeasured } = await loadRecords(join(out, "raw"));
    assertEquals([records.length, unmeasured.length], [2, 1]);
    assertEquals(records[0]!.commandLine, [...args, "--format", "csv,table"]);
  });
});

Deno.test("main.ts says where the records are before pictures that cannot be written", async () => {
  await inFolder(async (out) => {
    const path = join(out, "a.jsonl");
    await Deno.writeTextFile(path, recordLine(sampleRecord));
    await Deno.writeTextFile(join(out, "pictures"), "no folder");
    const ended = await bench("--from", path, "--out", out);
    assertEquals([ended.code, ended.out.trimEnd().endsWith(path)], [1, true]);
    assertMatch(ended.error, /^Cannot write .*sample_round_trip.png as the system says "/);
  });
});

Deno.test("main.ts shows what a sweep would do, and does not do it", async () => {
  await inFolder(async (out) => {
    const ended = await bench("--scenario", own, "--dry-run", "--out", out, "--shard", "1/2");
    assertEquals(ended.code, 0, ended.error);
    assertMatch(ended.out, /^misbehaving way=hangs;size=1$/m);
    assertMatch(ended.out, /^skipped: misbehaving way=answers;size=3, three is a crowd$/m);
    assertMatch(ended.out, /^4 visits of points, 2 points skipped, about 60.0 s or less$/m);
    assertEquals([...Deno.readDirSync(out)], []);
  });
});

Deno.test("main.ts goes on with a sweep by its file alone, and repeats nothing", async () => {
  await inFolder(async (out) => {
    const args = ["--scenario", own, "--filter", "answers", "--seconds", "0.1", "--shard", "1/1"];
    const whole = await bench(...args, "--out", out, "--run-id", "a", "--rounds", "2");
    assertEquals(whole.code, 0, whole.error);
    const path = join(out, "raw", "a_1of1.jsonl");
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assertEquals(lines.length, 5); // one that is skipped, two points in two rounds
    await Deno.writeTextFile(path, lines.slice(0, 3).join("\n") + "\n" + lines[3]!.slice(0, 50));
    const again = await bench("--resume", path);
    assertEquals(again.code, 0, again.error);
    const mended = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assertEquals(mended.slice(0, 3), lines.slice(0, 3));
    assertEquals(mended.map(visitOf), lines.map(visitOf));
  });
});

function visitOf(line: string): string {
  const { runId, seed, scenario, pointId, round } = JSON.parse(line);
  return [runId, seed, scenario, pointId, round].join(" ");
}

Deno.test({
  name: "main.ts ends on Ctrl-C with what it has, and says how to go on",
  ignore: Deno.build.os === "windows",
  async fn() {
    await inFolder(async (out) => {
      const main = new URL("./main.ts", import.meta.url).pathname;
      const points = ["--scenario", own, "--axis", "way=answers,hangs", "--axis", "size=1"];
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", main, ...points, "--out", out, "--run-id", "a"],
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const path = join(out, "raw", "a.jsonl");
      const started = await eventually(async () => (await Deno.stat(path)).isFile);
      assertEquals(started, true);
      child.kill("SIGINT");
      const { code, stderr } = await child.output();
      assertEquals(code, 130);
      const text = new TextDecoder().decode(stderr);
      assertMatch(text, new RegExp(`^Stopped. Go on with: deno task bench --resume ${path}$`, "m"));
      const { unmeasured, problems } = await loadRecords(path);
      assertEquals([unmeasured, problems], [[], []]);
    });
  },
});

/** Whether a check holds at some time within half a minute. */
async function eventually(check: () => Promise<boolean>): Promise<boolean> {
  for (let look = 0; look < 600; look++) {
    if (await check().catch(() => false)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
