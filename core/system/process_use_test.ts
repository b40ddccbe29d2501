import { assert, assertEquals, assertMatch } from "@std/assert";
import { Child } from "./child.ts";
import { hasFilter, useIn, watchUse } from "./process_use.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

Deno.test("useIn() adds up what a process holds, and is nothing of one that has ended", () => {
  const status =
    "Name:\tx\nVmRSS:\t  10 kB\nRssAnon:\t 9 kB\nVmPTE:\t 2 kB\nVmSwap:\t 1 kB\nThreads:\t7\n";
  assertEquals(useIn(status), { memoryBytes: 13 * 1024, threadCount: 7 });
  assertEquals(useIn(""), { memoryBytes: 0, threadCount: 0 });
});

for (
  const [name, most, what] of [
    ["memory that no limit counts", { memoryBytes: 1 << 29, threadCount: 1e6 }, /^\d{9,} bytes/],
    ["threads", { memoryBytes: 2 ** 40, threadCount: 1 }, /^\d+ threads$/],
  ] as const
) {
  onLinux(`watchUse() tells of a process that holds more ${name}`, async () => {
    const program = new URL("./testdata/hoarder.ts", import.meta.url);
    const child = new Child({ program, flags: ["-A"], onLine() {} });
    const told: string[] = [];
    const end = watchUse(child.pid, most, (what) => {
      told.push(what);
      child.kill();
    });
    const alive = setInterval(() => {}, 1000);
    assertEquals((await child.ended).signal, "SIGKILL"); // it never ends by itself
    clearInterval(alive);
    end();
    assert(told.length > 0);
    assertMatch(told[0]!, what);
  });
}

onLinux("hasFilter() tells a process behind a wall from others", async () => {
  const walled = Promise.withResolvers<boolean>();
  const child = new Child({
    program: new URL("./testdata/hoarder.ts", import.meta.url),
    flags: ["-A"],
    onLine: () => walled.resolve(hasFilter(child.pid)),
  });
  assertEquals([await walled.promise, hasFilter(Deno.pid)], [true, false]);
  child.kill();
  await child.ended;
});
