import { assertRejects } from "@std/assert";
import { mpiLauncher } from "../../../core/services/emissary/mpi/mpi_library.ts";
import { compilerProblem } from "../../native/native_library.ts";
import { type MpiCall, MpiProcesses, type MpiWay } from "./mpi_processes.ts";

const found = mpiLauncher("mpich");
const why = typeof found === "string" ? `: left out, as ${found}` : "";
const ways: readonly MpiWay[] = compilerProblem() === undefined
  ? ["channel", "direct", "c"]
  : ["channel", "direct"];

Deno.test({
  name: `MpiProcesses make calls of MPI in every way${why}`,
  ignore: why !== "",
  async fn() {
    for (const way of ways) {
      await using processes = await MpiProcesses.start({
        way,
        call: "ping_pong",
        library: "mpich",
      });
      for (const callCount of [1, 300]) await processes.run(callCount);
    }
  },
});

Deno.test({
  name: `MpiProcesses say why they ended${why}`,
  ignore: why !== "",
  async fn() {
    const work = { way: "neither" as MpiWay, call: "empty" as MpiCall, library: "mpich" } as const;
    await assertRejects(() => MpiProcesses.start(work), Error, "error");
  },
});
