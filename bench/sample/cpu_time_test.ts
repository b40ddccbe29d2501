import { assertEquals, assertGreater } from "@std/assert";
import { cpuSeconds, measureCpuTime } from "./cpu_time.ts";

function warmTrial(callsPerSample: number, run: (callCount: number) => void) {
  const trial = { run, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { trial, callsPerSample };
}

Deno.test("measureCpuTime() shares the processor time of a batch out over its calls", async () => {
  let used = 0;
  const trial = warmTrial(10, (callCount) => void (used += callCount * 3));
  const options = { secondsMax: 1, clock: () => 0, cpuClock: () => used };
  assertEquals(await measureCpuTime(trial, options), Array(20).fill(3));
});

Deno.test("measureCpuTime() ends with its time, after one batch at least", async () => {
  let now = 0;
  const trial = warmTrial(10, () => {});
  const options = { secondsMax: 2.5, clock: () => now++, cpuClock: () => 0 };
  assertEquals((await measureCpuTime(trial, options)).length, 3);
  const none = { ...options, secondsMax: 0 };
  assertEquals((await measureCpuTime(trial, none)).length, 1);
});

Deno.test("cpuSeconds() grows with work", () => {
  const before = cpuSeconds();
  let now = before;
  for (let look = 0; look < 1e7 && now === before; look++) now = cpuSeconds();
  assertGreater(now, before);
});
