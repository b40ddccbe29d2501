import type { MpiLibraryName } from "./mpi_library.ts";

/** A program that starts processes. */
export interface MpiLauncher {
  readonly command: string;
  /** What it needs to start several on one machine, whoever asks for it. */
  readonly args: readonly string[];
  /** The Debian package that has it. */
  readonly packageName: string;
}

/** How each library starts processes; both names of MPICH's are in use. */
const LAUNCHERS: Record<MpiLibraryName, readonly MpiLauncher[]> = {
  mpich: ["mpiexec.hydra", "mpiexec.mpich"].map((command) => ({
    command,
    args: [],
    packageName: "mpich",
  })),
  openmpi: [{
    command: "mpiexec.openmpi",
    // Not bound: the threads of a process would share one processor.
    args: ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
    packageName: "openmpi-bin",
  }],
};

/** The `mpiexec` of a library, where it is on the path; else the reason why there is none. */
export function mpiLauncher(library: MpiLibraryName): MpiLauncher | string {
  const [first] = LAUNCHERS[library];
  const isLinux = Deno.build.os === "linux";
  const found = LAUNCHERS[library].find(({ command }) => isLinux && isThere(command));
  return found ?? `there is no ${first!.command}: the Debian package ${first!.packageName} has it`;
}

function isThere(command: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return folders.some((folder) => {
    try {
      return Deno.statSync(`${folder}/${command}`).isFile;
    } catch {
      return false;
    }
  });
}
