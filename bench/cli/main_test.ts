import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { loadRecords } from "../../results/load/load.ts";

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function bench(...args: readonly string[]): Promise<Ended> {
  const main = new URL("./main.ts", import.meta.url);
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", main.pathname, ...args],
  });
  const { code, stdout, stderr } = await command.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out!, err: err! };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("main.ts sweeps to records, a table, charts and a report", async () => {
  await inFolder(async (out) => {
    const ended = await bench("--quick", "--out", out, "--run-id", "look", "--seed", "3");
    assertEquals(ended.code, 0, ended.err);
    assertMatch(ended.out, /round_trip: What does one synchronous call cost/);
    const { records, problems } = await loadRecords(join(out, "raw"));
    assertEquals(problems, []);
    assertEquals(records.length, 4);
    assert(records.every(({ runId, seed }) => runId === "look" && seed === 3));
    for (const name of ["look_round_trip.svg", "look_round_trip.png", "look.html"]) {
      assert((await Deno.stat(join(out, "pictures", name))).size > 1000, name);
      assert(ended.out.includes(join(out, "pictures", name)), name);
    }
    await Deno.remove(join(out, "pictures"), { recursive: true });
    const again = await bench("--from", join(out, "raw", "look.jsonl"), "--out", out);
    assertEquals(again.code, 0, again.err);
    assert((await Deno.stat(join(out, "pictures", "look.html"))).size > 1000);
  });
});

Deno.test("main.ts goes on after a point that fails, and ends with a failure", async () => {
  await inFolder(async (out) => {
    const points = ["--scenario", "round_trip", "--axis", "portCount=0,1", "--axis", "laneCount=1"];
    const ended = await bench("--quick", "--out", out, ...points);
    assertEquals(ended.code, 1);
    assertMatch(ended.err, /portCount=0;\S+ failed: Cannot lay out a channel as portCount must be/);
    assertEquals((await loadRecords(join(out, "raw"))).records.length, 1);
  });
});

Deno.test("main.ts converts what deno bench printed", async () => {
  await inFolder(async (out) => {
    const file = join(out, "bench.json");
    const ok = { n: 20, avg: 100_000, min: 90_000 };
    const benches = [{ name: "ping_pong  x1000", results: [{ ok }] }];
    await Deno.writeTextFile(file, JSON.stringify({ benches }));
    const ended = await bench("--json-in", file, "--out", out);
    assertEquals(ended.code, 0, ended.err);
    const { records: [record] } = await loadRecords(join(out, "raw"));
    assertEquals(record!.latencySeconds, [1e-7]);
    assertMatch(ended.out, /keeps no samples/);
  });
});

Deno.test("main.ts explains itself, and what it cannot read", async () => {
  assertMatch((await bench("--help")).out, /--axis NAME=V1,V2/);
  assertMatch((await bench("--list")).out, /^many_clients: /m);
  const wrong = await bench("--secnds", "5");
  assertEquals(wrong.code, 1);
  assertMatch(wrong.err, /no option --secnds: options are/);
  assert(!wrong.err.includes("    at "), "a message, no stack");
});
