import { assertEquals, assertRejects } from "@std/assert";
import { ErrorWord, KernelError, KernelErrorCode, readKernelError } from "./kernel_error.ts";
import { createOwnBuffer } from "../device/own_buffer.ts";
import { INCREMENT, kernelBed, runKernel } from "../epochs/kernel_run_test.ts";
import { onDevice } from "../device/on_device_test.ts";

Deno.test("readKernelError() takes a word apart, its largest parts included", () => {
  const word = (code: number, step: number, wave: number) =>
    (code << ErrorWord.codeShift) | (step << ErrorWord.stepShift) | wave;
  assertEquals(readKernelError(0, 0), undefined);
  assertEquals(readKernelError(word(63, 1022, 65535), 0), {
    code: 63,
    step: 1021,
    waveIndex: 65535,
  });
  assertEquals(readKernelError(word(1, 0, 0), 0), { code: 1, step: undefined, waveIndex: 0 });
  assertEquals(readKernelError(word(1, ErrorWord.stepMax, 2), 0)?.step, undefined);
});

Deno.test("readKernelError() tells which step is not there, if it was that wave", () => {
  const word = (KernelErrorCode.noSuchStep << ErrorWord.codeShift) | (1 << ErrorWord.stepShift) | 5;
  const messageOf = (targetWord: number) =>
    new KernelError({ ...readKernelError(word, targetWord)!, stepCount: 2 }).message;
  const wanted = "which is not there: there are 2, and the first is 0";
  assertEquals(
    messageOf(7 << 16 | 5),
    `Cannot finish wave 5 after step_0 as it went to step 7, ${wanted}`,
  );
  assertEquals(
    messageOf(7 << 16 | 4),
    `Cannot finish wave 5 after step_0 as it went to a step, ${wanted}`,
  );
});

onDevice("where lanes at two steps broke a rule, no step is named", async (gpu) => {
  const source = `fn step_0() { begin(${INCREMENT}u); }
    fn step_1() { if lane_index == 0u { recv(); } }`;
  const run = () => runKernel(gpu, { portCount: 1, laneCount: 2, waveCount: 1, source });
  const { step, message } = await assertRejects(run, KernelError);
  assertEquals([step, message.startsWith("Cannot finish wave 0 as its lanes")], [undefined, true]);
});

onDevice("an error of one run is not told again in the next", async (gpu) => {
  // Fails in the first run only: the author's buffer stays.
  const source = `@group(1) @binding(0) var<storage, read_write> runs: array<u32>;
    fn step_0() { runs[0]++; if runs[0] == 1u { send(); } }`;
  const buffer = createOwnBuffer(gpu, 4);
  const shape = { portCount: 1, laneCount: 1, waveCount: 1 };
  using bed = await kernelBed(gpu, { ...shape, source, buffers: [{ buffer }] });
  const { kernel, server } = bed;
  await assertRejects(() => kernel.runAsync(server), KernelError);
  assertEquals((await kernel.runAsync(server)).epochCount, 1);
  buffer.destroy();
});
