/** Writes to standard output by Fortran and by the host in turn: a program for a test. */
import { ApiServer, connectApi } from "../../../../signature/mod.ts";
import { oneThread } from "../../../../testing/fixtures/one_thread.ts";
import { denoHost } from "../../../host.ts";
import { fortranApi } from "../fortran_api.ts";
import { serveFortran } from "../serve_fortran.ts";

const { client, server } = oneThread({ portCount: 1, laneCount: 64 });
using _fortran = serveFortran(new ApiServer(server));
const f = connectApi(client, fortranApi);
for (const text of ["1", "2"]) {
  const write = f.BeginExternalListOutput(6, 1);
  f.OutputAscii(write, `Fortran ${text}`);
  f.EndIoStatement(write);
  denoHost.writeStdout(new TextEncoder().encode(`host ${text}\n`));
}
