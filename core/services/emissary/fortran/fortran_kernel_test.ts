/** `write(*,*)` from the lanes of a kernel. */
import { assertEquals, assertRejects } from "@std/assert";
import { onDevice } from "../../../gpu/device/on_device_test.ts";
import { runKernel } from "../../../gpu/epochs/kernel_run_test.ts";
import type { GpuDevice } from "../../../gpu/device/device.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { wgslStubs } from "../../../signature/wgsl/mod.ts";
import { memoryApi, serveMemory } from "../../memory_api.ts";
import { fortranApi } from "./fortran_api.ts";
import type { FortranStopReport } from "./fortran_host.ts";
import { type ServedFortran, serveFortran } from "./serve_fortran.ts";
import { FortranHere, isGfortranHere } from "./with_gfortran_test.ts";

const LANES = 3;
const WAVES = 2;

function kernelTest(name: string, test: (gpu: GpuDevice) => Promise<void>): void {
  if (isGfortranHere) return onDevice(name, test);
  Deno.test({ name: `${name} (skipped: libgfortran.so.5 is absent)`, ignore: true, fn() {} });
}

interface KernelText {
  /** What each lane does; `me` is its number. */
  readonly body: string;
  readonly onStop?: (report: FortranStopReport) => void;
  /** Writes to unit 11 what the lanes are to write to unit 10. */
  readonly expected?: (here: FortranHere) => void;
}

/** Runs a kernel; what it wrote, what was to be written, each in any order of lines, and its results. */
async function run(gpu: GpuDevice, { body, onStop, expected = () => {} }: KernelText) {
  using here = new FortranHere();
  here.open(10, "out.txt");
  here.open(11, "expected.txt");
  expected(here);
  let served: ServedFortran | undefined;
  try {
    const { results } = await runKernel(gpu, {
      portCount: 4,
      laneCount: LANES,
      waveCount: WAVES,
      heapBytes: 1 << 16,
      resultWords: LANES * WAVES * 4,
      source: `${wgslStubs(fortranApi, memoryApi)}
        @group(1) @binding(0) var<storage, read_write> results: array<i32>;
        fn kernel() {
          let me = i32(wave_index * ${LANES}u + lane_index);
          ${body}
        }`,
      register(server, { heap }) {
        const apis = new ApiServer(server, { heap });
        serveMemory(apis, heap.allocator);
        served = serveFortran(apis, { ...(onStop && { onStop }) });
      },
    });
    const [lines, wanted] = ["out.txt", "expected.txt"].map((name) =>
      here.text(name).split("\n").toSorted()
    );
    return { lines, wanted, results, statementCount: served!.statementCount };
  } finally {
    served?.[Symbol.dispose]();
  }
}

const EVERY_LANE = Array.from({ length: LANES * WAVES }, (_, me) => me);

kernelTest("lanes write lists of texts, integers, reals and logicals", async (gpu) => {
  const { lines, wanted, results, statementCount } = await run(gpu, {
    body: `
      let line = fortran_BeginExternalListOutput(10, 3);
      fortran_OutputAscii(line, "lane");
      fortran_OutputInteger32(line, me - 2);
      // Lanes part: their statements are of different lengths.
      if (me % 2 == 1) { fortran_OutputReal32(line, f32(me) / 4.0); }
      fortran_OutputInteger64(line, vec2u(4000000000u + u32(me), 0u)); // a u32: Fortran has none
      fortran_OutputLogical(line, me > 3);
      results[me] = fortran_EndIoStatement(line);`,
    expected(here) {
      for (const me of EVERY_LANE) {
        const quarter = me % 2 === 0 ? "" : `${(me / 4).toFixed(2)}_4,`;
        here.write(11, "*", `'lane', ${me - 2}, ${quarter} ${4e9 + me}_8, .${me > 3}.`);
      }
    },
  });
  assertEquals(lines, wanted);
  assertEquals(lines!.length, EVERY_LANE.length + 1);
  assertEquals([...results.subarray(0, EVERY_LANE.length), statementCount], [0, 0, 0, 0, 0, 0, 0]);
});

kernelTest("lanes write by formats, read, and learn of errors", async (gpu) => {
  const { lines, wanted, results } = await run(gpu, {
    body: `
      let line = fortran_BeginExternalFormattedOutput("('lane',I3,F8.3,L2)", 10, 3);
      fortran_OutputInteger32(line, me);
      fortran_OutputReal64(line, f32(me) / 8.0);
      fortran_OutputLogical(line, me == 1);
      fortran_EndIoStatement(line);

      let text = memory_malloc(8u);
      for (var i = 0u; i < 8u; i++) { heap_set_u8(text + i, 32u); }
      heap_set_u8(text + 1u, 48u + u32(me));
      heap_set_u8(text + 3u, 55u);
      let read = fortran_BeginInternalListInput(text, 8u, 4);
      fortran_InputInteger(read, 4);
      fortran_InputReal32(read);
      results[4 * me] = i32(fortran_GetInteger(read, 0u).x) + i32(fortran_GetReal(read, 1u));
      results[4 * me + 1] = fortran_EndIoStatement(read);

      let wrong = fortran_BeginExternalFormattedOutput("(I5)", 10, 5);
      fortran_EnableHandlers(wrong, true, false, false, false, true);
      fortran_OutputReal32(wrong, 1.5);
      results[4 * me + 2] = i32(fortran_GetIoMsg(wrong, text, 8u));
      results[4 * me + 3] = fortran_EndIoStatement(wrong);
      if (heap_u8(text) != 69u) { results[4 * me + 3] = -1; } // E of "Expected"`,
    expected(here) {
      for (const me of EVERY_LANE) {
        here.write(11, "('lane',I3,F8.3,L2)", `${me}, ${(me / 8).toFixed(3)}_8, .${me === 1}.`);
      }
    },
  });
  assertEquals(lines, wanted);
  for (const me of EVERY_LANE) {
    const [sum, status, messageLength, failure] = results.subarray(4 * me);
    assertEquals([sum, status, messageLength! > 10, failure], [me + 7, 0, true, 5006]);
  }
});

kernelTest("STOP of a lane is reported, and later calls of its kernel fail", async (gpu) => {
  const reports: FortranStopReport[] = [];
  const onStop = (report: FortranStopReport) => void reports.push(report);
  const body = `if (me == 4) {
    fortran_StopStatementText("no convergence", true, false);
    fortran_BeginExternalListOutput(10, 1);
  }`;
  await assertRejects(() => run(gpu, { body, onStop }), Error, "the program has stopped");
  assertEquals(reports.map(({ text, exitCode }) => [text, exitCode]), [
    ["ERROR STOP no convergence", 1],
  ]);
});
