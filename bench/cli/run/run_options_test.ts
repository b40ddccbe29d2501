import { assertEquals, assertThrows } from "@std/assert";
import { parseRunOptions, programLibraries, RUN_USAGE } from "./run_options.ts";
import { isGfortranHere } from "../../../core/services/emissary/fortran/with_gfortran_test.ts";
import { mpiTest } from "../../../core/services/emissary/mpi/testdata/launch.ts";
import { softwareGpu } from "../../adapters/software_gpu.ts";
import { endedModule } from "../../machine/ended.ts";

Deno.test("parseRunOptions() has a default for everything but the file", () => {
  assertEquals(parseRunOptions(["a.wgsl"]), {
    path: "a.wgsl",
    args: ["a.wgsl"],
    threadCount: 1,
    blockCount: 1,
    heapBytes: 1 << 20,
    isUniform: false,
    isTimed: false,
  });
});

Deno.test("parseRunOptions() leaves to the program what stands behind --", () => {
  const line =
    "--time --threads=32 a.wgsl --blocks 4 --uniform --heap 64K --root data -- -x --time";
  const command = parseRunOptions([...line.split(" "), "two words", ""]);
  assertEquals(command, {
    path: "a.wgsl",
    args: ["a.wgsl", "-x", "--time", "two words", ""],
    threadCount: 32,
    blockCount: 4,
    heapBytes: 1 << 16,
    root: "data",
    isUniform: true,
    isTimed: true,
  });
  assertEquals(parseRunOptions(["--help", "a.wgsl"]), undefined);
});

Deno.test("parseRunOptions() takes numbers as they are written", () => {
  assertEquals(parseRunOptions(["--heap", "1024", "7"])?.path, "7");
  assertEquals(parseRunOptions(["--heap", "2m", "a"])?.heapBytes, 2 << 20);
  assertEquals(parseRunOptions(["a", "--", "1", "2e3"])?.args, ["a", "1", "2e3"]);
});

Deno.test("parseRunOptions() takes the device of a live run by its number or its name", () => {
  const liveOf = (line: string) => parseRunOptions([...line.split(" "), "a.wgsl"])?.live;
  assertEquals(liveOf("--time"), undefined);
  assertEquals(liveOf("--live"), { name: "" });
  assertEquals(liveOf("--live --device 1"), { index: 1 });
  assertEquals(liveOf("--live --device=H200"), { name: "H200" });
});

Deno.test("parseRunOptions() refuses what it cannot follow, with a way out", () => {
  const wrong: readonly (readonly [line: string, reason: string])[] = [
    ["", "no file is named\n\nUsage: deno task run"],
    ["a.wgsl b", "what is for the program stands behind --"],
    ["--thread 3 a.wgsl", 'the nearest is "--threads"'],
    ["--threads 0 a.wgsl", 'at least 1: current value is "0"'],
    ["--threads 1.5 a.wgsl", "must be a whole number"],
    ["--blocks -1 a.wgsl", "with -1 as counts, sizes and times are positive"],
    ["--heap 3x a.wgsl", 'such as 65536, 64K or 16M: current value is "3x"'],
    ["--root= a.wgsl", "--root has no value"],
    ["--device 1 a.wgsl", "without --live: WebGPU chooses its adapter itself"],
  ];
  for (const [line, reason] of wrong) {
    const args = line.split(" ").filter((part) => part !== "");
    assertThrows(() => parseRunOptions(args), SyntaxError, reason);
  }
});

Deno.test("the page of the loader tells each option", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/loader.md", import.meta.url));
  const options = [...RUN_USAGE.matchAll(/^ {2}(--\w+(?: [A-Z]+)?)/gm)].map(([, option]) =>
    option!
  );
  assertEquals(options.length, 9);
  assertEquals(options.filter((option) => !page.includes(`| \`${option}\``)), []);
});

const LOADER = new URL("./main.ts", import.meta.url).href;
const KERNEL = new URL("../../../scenarios/kernels/fortran.wgsl", import.meta.url).pathname;
const absent = isGfortranHere ? "" : " (skipped: libgfortran.so.5 is absent)";

function run(...args: readonly string[]) {
  return endedModule(LOADER, ...args);
}

const ROOTS = [
  "root of  2.0 =  1.4142   3 steps",
  "root of  3.0 =  1.7321   4 steps",
  "",
].join("\n");

Deno.test({
  name: `a program writes by Fortran, and ends by its STOP${absent}`,
  ignore: absent !== "" || softwareGpu.kind === "none",
  async fn() {
    const whole = await run("--threads", "2", KERNEL);
    assertEquals(whole, { code: 0, out: `${ROOTS} good: T\n good: T\n`, error: "" });
    const stopped = await run("--threads", "2", KERNEL, "--", "3");
    assertEquals(stopped, { code: 3, out: ROOTS, error: "ERROR STOP 3\n" });
  },
});

Deno.test("programLibraries() has each library under a name of its own", () => {
  const names = programLibraries({ hasRoot: false }).map(({ api }) => api.name);
  assertEquals(names, [...new Set(names)]);
  assertEquals(names.toSorted(), ["fortran", "hdf5", "libc", "libm", "mpi"]);
  const confined = programLibraries({ hasRoot: true }).map(({ api }) => api.name);
  assertEquals(confined.includes("hdf5"), false, "it opens files by itself");
});

if (softwareGpu.kind !== "none") {
  mpiTest("a program goes round all processes of MPI", async (launch) => {
    const ring = new URL("../../../scenarios/kernels/ring.wgsl", import.meta.url).pathname;
    const lines = await launch(new URL(LOADER), { args: [ring] });
    assertEquals(lines, ["2 processes have the sum 1"]);
  }, ["mpich"]);
}
