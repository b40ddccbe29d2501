/** The programs of the conformance suite between workers of the one page and of the library. */
import { assertEquals } from "@std/assert";
import type { ChannelHandle } from "../../toggle/channel_handle.ts";
import { WorkerLink } from "../../worker/worker_link.ts";
import type { ProgramName } from "../conformance/programs.ts";
import { TestBed, type TestBedPlan } from "../conformance/test_bed.ts";

/** Runs programs one after the other, with servers of the one page; then lets these leave. */
async function runWithPageServers(
  plan: TestBedPlan,
  programs: readonly [ProgramName, number][],
): Promise<number[][]> {
  await using bed = new TestBed(plan);
  const links = Array.from(
    { length: plan.serverCount ?? 1 },
    () => new WorkerLink<ChannelHandle>(new URL("./page_server_worker.ts", import.meta.url)),
  );
  try {
    const served = links.map((link) => link.ask<number>(bed.channel.handle));
    const results: number[][] = [];
    for (const [program, count] of programs) results.push(await bed.run(program, count));
    bed.channel.shutDown();
    await Promise.all(served);
    return results;
  } finally {
    for (const link of links) link.terminate();
  }
}

const WAVES = { portCount: 64, laneCount: 32 } as const;
const ONE_PORT = { portCount: 1, laneCount: 32 } as const;

Deno.test("one page: its client runs the suite against the library's servers", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2, waiter: "page" });
  assertEquals(await bed.run("laneIds", 2), [20, 20]);
  assertEquals(await bed.run("walkInterface"), [6]);
  assertEquals(await bed.run("echoStreams", 2), [16, 16]);
  assertEquals(await bed.run("callAtRandom"), [4]);
});

Deno.test("one page: its servers run the suite for clients of the library", async () => {
  const results = await runWithPageServers({ ...WAVES, serverCount: 2 }, [
    ["laneIds", 2],
    ["walkInterface", 1],
    ["echoStreams", 2],
    ["stressPages", 1],
  ]);
  assertEquals(results, [[20, 20], [6], [16, 16], [8192]]);
  const more = await runWithPageServers(ONE_PORT, [["laneIds", 3]]);
  assertEquals(more, [[14, 13, 13]]);
});

// Few workers: where they outnumber the processors, whoever spins takes time from the one it waits for.
Deno.test("one page: its servers run the suite for its clients", async () => {
  const programs: readonly [ProgramName, number][] = [
    ["laneIds", 1],
    ["walkInterface", 1],
    ["echoStreams", 1],
    ["stressPages", 1],
  ];
  const results = await runWithPageServers({ ...WAVES, waiter: "page" }, programs);
  assertEquals(results, [[40], [6], [32], [8192]]);
  const more = await runWithPageServers({ ...ONE_PORT, waiter: "page" }, [["echoStreams", 2]]);
  assertEquals(more, [[16, 16]]);
});
