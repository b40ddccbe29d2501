import { assertThrows } from "@std/assert";
import { hostApi } from "../../signature/mod.ts";
import { checkOptions, type GpuRunOptions } from "./run_options.ts";

const WAY = { refused: { turnsMax: "it has no turns" }, isBuffer: () => false };

const FAULTS: readonly (readonly [unknown, string])[] = [
  [{ wavecount: 2 }, "there is no option wavecount: did you mean waveCount"],
  [{ waveCount: "2" }, "waveCount must be of type number: current value is 2"],
  [{ waveCount: 0.5 }, "waveCount must be an integer of at least 1: current value is 0.5"],
  [{ functions: { square: 5 } }, "Cannot serve square as there must be a function"],
  [{ functions: null }, "functions must be of type object: current value is null"],
  [{ buffers: { a: [1, 2] } }, "the buffer a must be an array such as a Float32Array"],
  [{ buffers: { a: new Uint8Array(3) } }, "current value is 3 bytes"],
  [{ buffers: { a: new ArrayBuffer(6) } }, "current value is 6 bytes"],
  [{ buffers: { a: new Uint32Array() } }, "current value is 0 bytes"],
  [{ libraries: {} }, "libraries must be of type array"],
  [{ libraries: [{}] }, "Cannot take an API as hostApi() must make it"],
  [{ libraries: [{ api: hostApi("math", {}) }] }, "Cannot serve the library math as there must be"],
  [{ print: "text" }, "print must be of type function"],
  [{ signal: {} }, "signal must be an AbortSignal"],
  [{ turnsMax: 5 }, "Cannot run the kernel as there is no option turnsMax here: it has no turns"],
];

Deno.test("checkOptions() refuses what nobody can run with, and says why", () => {
  for (const [options, reason] of FAULTS) {
    assertThrows(
      () => checkOptions("fn kernel() {}", options as GpuRunOptions, WAY),
      Error,
      reason,
    );
  }
  for (const source of ["", "  ", 5 as never]) {
    assertThrows(() => checkOptions(source, {}, WAY), TypeError, "its text must be WGSL");
  }
});

Deno.test("checkOptions() lets through what a run can have", () => {
  checkOptions("fn kernel() {}", { turnsMax: undefined } as object, WAY);
  const signal = new AbortController().signal;
  const buffers = { a: new Float32Array(1), b: new DataView(new ArrayBuffer(8)) };
  const functions = { square: (x: number) => x * x };
  const options = { signal, buffers, functions, libraries: [], timed: true };
  checkOptions("fn kernel() {}", options, WAY);
});
