import { assertEquals, assertNotEquals } from "@std/assert";
import { runKernel } from "../../gpu/epochs/kernel_run_test.ts";
import { declareConstants } from "../../gpu/wgsl/layout_constants.ts";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import { CASES } from "./program_cases.ts";
import { runProgram } from "./run_program.ts";
import { addServices, KernelOpcode } from "./services.ts";

for (const [label, program, source, shape] of CASES) {
  onDevice(`${label}: epochs give every lane what the Worker client gets`, async (gpu) => {
    const run = await runKernel(gpu, {
      ...shape,
      source: `${source}\n${declareConstants(KernelOpcode)}`,
      resultWords: shape.waveCount * shape.laneCount,
      register: addServices,
    });
    assertEquals(run.faults, []);
    const expected = await runProgram(program, shape);
    assertEquals([...run.results], [...expected]);
    assertNotEquals(expected.findIndex((value) => value !== 0), -1, "there are results to compare");
  });
}
