import type { ProgramLibrary } from "../../../core/gpu/program/program_server.ts";
import { fortranApi } from "../../../core/services/emissary/fortran/fortran_api.ts";
import { serveFortran } from "../../../core/services/emissary/fortran/serve_fortran.ts";
import { write } from "../command_line.ts";

/**
 * What programs may call beside files and memory; a library is opened for a program that calls it.
 *
 * @param options `hasRoot`: whether its files are those of a folder: then a library opens none by itself
 */
export function programLibraries(
  { hasRoot }: { readonly hasRoot: boolean },
): readonly ProgramLibrary[] {
  return [{
    api: fortranApi,
    serve: (apis, exit) =>
      serveFortran(apis, {
        ...(!hasRoot && { mapFile: (name: string) => name }),
        afterStop: "ignore", // other threads may be in their statements still
        onStop({ text, exitCode, isQuiet }) {
          if (!isQuiet) write(Deno.stderr, `${text}\n`);
          exit(exitCode);
        },
      }),
  }];
}
