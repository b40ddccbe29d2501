import type { ProgramLibrary } from "../../../core/gpu/program/program_server.ts";
import { hdf5Api, libcApi, libmApi, mpiApi } from "../../../core/services/emissary/mod.ts";
import { serveHdf5, serveLibc, serveLibm, serveMpi } from "../../../core/services/emissary/mod.ts";
import { fortranApi } from "../../../core/services/emissary/fortran/fortran_api.ts";
import { serveFortran } from "../../../core/services/emissary/fortran/serve_fortran.ts";
import { write } from "../command_line.ts";

/**
 * What programs may call beside files and memory; a library is opened for a program that calls it.
 *
 * @param options `hasRoot`: whether its files are those of a folder: then no library opens files by itself
 */
export function programLibraries(
  { hasRoot }: { readonly hasRoot: boolean },
): readonly ProgramLibrary[] {
  const own: ProgramLibrary[] = [
    { api: libcApi, serve: serveLibc },
    { api: libmApi, serve: serveLibm },
    { api: mpiApi, serve: (apis) => serveMpi(apis) },
  ];
  if (!hasRoot) own.push({ api: hdf5Api, serve: (apis) => serveHdf5(apis) });
  return [...own, {
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
