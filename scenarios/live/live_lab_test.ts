import { assertEquals, assertThrows } from "@std/assert";
import { onLiveLab } from "./on_live_lab_test.ts";

onLiveLab("LiveLab.bareKernel() runs beside this thread, on the same words", (lab) => {
  const { words, run } = lab.bareKernel(`
    @compute @workgroup_size(1) fn main() {
      while atomicLoad(&words[64]) == 0u && atomicLoad(&words[STOP]) == 0u {}
      atomicAdd(&words[128], 1u);
    }`);
  run(3, () => words.store(64, 1));
  assertEquals(words.load(128), 3);
});

onLiveLab("LiveLab.bareKernel() ends its waves when this thread's work throws", (lab) => {
  const { words, run } = lab.bareKernel(`
    @compute @workgroup_size(1) fn main() {
      while atomicLoad(&words[STOP]) == 0u {}
      atomicAdd(&words[128], 1u);
    }`);
  const work = () => {
    throw new RangeError("no such turn");
  };
  assertThrows(() => run(1, work), RangeError, "no such turn");
  assertEquals(words.load(128), 1);
});
