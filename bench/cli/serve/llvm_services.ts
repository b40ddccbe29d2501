import { serveLlvm } from "../../../core/process/llvm/serve_llvm.ts";
import { denoProcess } from "../../../core/services/process/deno_process.ts";
import type { Server } from "../../../core/toggle/server/server.ts";

/**
 * LLVM's own services, for `deno task serve`. A client may end the program by `exit` or `abort`: the file
 * that the command made, which the URL of this module names as `made`, is taken away before.
 */
export function addServices(server: Server): void {
  const made = new URL(import.meta.url).searchParams.get("made");
  const unlink = () => {
    try {
      if (made !== null) Deno.removeSync(made);
    } catch { /* somebody else has */ }
  };
  serveLlvm(server, {
    process: {
      ...denoProcess,
      exit(status) {
        unlink();
        return denoProcess.exit(status);
      },
      abort() {
        unlink();
        return denoProcess.abort();
      },
    },
  });
}
