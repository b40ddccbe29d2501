import { assertEquals, assertRejects } from "@std/assert";
import { KernelError, KernelErrorCode } from "./kernel_error.ts";
import { INCREMENT, runKernel } from "../epochs/kernel_run_test.ts";

import { onDevice } from "../device/on_device_test.ts";

const shape = { portCount: 2, laneCount: 2, waveCount: 2 };

const CASES: readonly (readonly [name: keyof typeof KernelErrorCode, source: string])[] = [
  ["noPortOpen", "fn step_0() { send(); }"],
  ["noPortOpen", "fn step_0() { close(); }"],
  ["portAlreadyOpen", `fn step_0() { begin(${INCREMENT}u); } fn step_1() { call(${INCREMENT}u); }`],
  [
    "divergedInPort",
    `fn step_0() { begin(${INCREMENT}u); } fn step_1() { if lane_index == 0u { recv(); } }`,
  ],
  ["streamFull", "fn step_0() { for (var i = 0u; i < 300u; i++) { put_word(65u, 1u); } print(); }"],
];

for (const [name, source] of CASES) {
  onDevice(`a wave that breaks the rule ${name} is named: ${source.slice(14, 40)}`, async (gpu) => {
    const error = await assertRejects(() => runKernel(gpu, { ...shape, source }), KernelError);
    assertEquals(error.code, KernelErrorCode[name]);
  });
}

onDevice("the other waves finish when one breaks a rule", async (gpu) => {
  let served = 0;
  const source = "fn step_0() { if wave_index == 1u { send(); } else { call(50000u); } }";
  await assertRejects(
    () =>
      runKernel(gpu, {
        ...shape,
        source,
        register: (server) => server.register(50_000, (port) => port.recv(() => served++)),
      }),
    KernelError,
    "Cannot finish wave 1 as it asked to send, receive or close without a port",
  );
  assertEquals(served, 1);
});
