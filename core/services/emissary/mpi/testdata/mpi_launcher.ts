/** Starts programs as two processes, by each `mpiexec` that is there. */
import type { MpiLibraryName } from "../mpi_library.ts";

/** Starts a program, and returns what both processes printed, by lines. */
export type Launch = (program: URL, ...args: string[]) => Promise<string[]>;

interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
  readonly debian: string;
}

/** How each library starts processes; both names of MPICH's are in use. */
const LAUNCHERS: Record<MpiLibraryName, readonly Launcher[]> = {
  mpich: ["mpiexec.hydra", "mpiexec.mpich"].map((command) => ({
    command,
    args: [],
    debian: "mpich",
  })),
  openmpi: [{
    command: "mpiexec.openmpi",
    args: ["--allow-run-as-root", "--oversubscribe"],
    debian: "openmpi-bin",
  }],
};

/** What ends a program that hangs. */
const TIMEOUT_MILLISECONDS = 60_000;

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

/** Starts programs by a library's `mpiexec`; none where that is absent. */
export function launcherOf(library: MpiLibraryName): Launch | undefined {
  if (Deno.build.os !== "linux") return undefined;
  const launcher = LAUNCHERS[library].find(({ command }) => isThere(command));
  return launcher && ((program, ...args) => launch(launcher, program, args));
}

/** A test for each library, left out with the reason where its `mpiexec` is absent. */
export function mpiTest(name: string, run: (launch: Launch) => Promise<void>): void {
  for (const library of ["mpich", "openmpi"] as const) {
    const launch = launcherOf(library);
    const { debian } = LAUNCHERS[library][0]!;
    const why = launch ? "" : `: left out, as the Debian package ${debian} is not here`;
    Deno.test({
      name: `${name} (${library}${why})`,
      ignore: launch === undefined,
      fn: () => run(launch!),
    });
  }
}

async function launch(
  { command, args }: Launcher,
  program: URL,
  rest: readonly string[],
): Promise<string[]> {
  const deno = [Deno.execPath(), "run", "-A", "--no-check", program.href, ...rest];
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args, "-n", "2", ...deno],
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  }).output();
  const [out, problems] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`Cannot finish ${program} under ${command}: ${problems}${out}`);
  return out!.split("\n").filter((line) => line !== "");
}
