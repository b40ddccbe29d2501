import { assertEquals } from "@std/assert";
import { isGfortranHere } from "../../../core/services/emissary/fortran/with_gfortran_test.ts";
import { mpiTest } from "../../../core/services/emissary/mpi/testdata/launch.ts";
import { softwareGpu } from "../../adapters/software_gpu.ts";
import { programLibraries } from "./program_libraries.ts";

const LOADER = new URL("./main.ts", import.meta.url).href;
const KERNEL = new URL("../../../scenarios/kernels/fortran.wgsl", import.meta.url).pathname;
const absent = isGfortranHere ? "" : " (skipped: libgfortran.so.5 is absent)";

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", LOADER, ...args],
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, error };
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
