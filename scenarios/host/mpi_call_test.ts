import { assertEquals } from "@std/assert";
import { mpiLauncher } from "../../core/services/emissary/mpi/mpi_library.ts";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";
import { mpiCall } from "./mpi_call.ts";

const why = mpiCall.skip!({ call: "empty", library: "openmpi" });

Deno.test({
  name: `mpi_call makes empty calls, in turn with its controls${
    why ? `: left out, as ${why}` : ""
  }`,
  ignore: why !== undefined,
  async fn() {
    await using partner = new Partner();
    const point = { call: "empty", library: "openmpi" } as const;
    for (const one of [mpiCall, ...controlsOf(mpiCall)]) {
      await using trial = await one.setup(point, partner);
      for (const callCount of [1, 40]) await trial.run(callCount);
    }
  },
});

Deno.test("mpi_call leaves points out whose mpiexec is absent, with the reason", () => {
  for (const library of mpiCall.axes.library) {
    const found = mpiLauncher(library);
    const reason = typeof found === "string" ? found : undefined;
    assertEquals(mpiCall.skip!({ call: "ping_pong", library }), reason);
  }
});
