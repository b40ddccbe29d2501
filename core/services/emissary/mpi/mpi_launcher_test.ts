import { assertEquals } from "@std/assert";
import { mpiLauncher } from "./mpi_launcher.ts";

Deno.test("mpiLauncher() says which package has an mpiexec that is absent", () => {
  const path = Deno.env.get("PATH")!;
  Deno.env.set("PATH", "/nowhere");
  try {
    assertEquals(
      mpiLauncher("openmpi"),
      "there is no mpiexec.openmpi: the Debian package openmpi-bin has it",
    );
  } finally {
    Deno.env.set("PATH", path);
  }
});
