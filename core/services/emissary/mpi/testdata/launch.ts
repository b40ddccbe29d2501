/** Tests of programs that are started as two processes, by each `mpiexec` that is there. */
import { type MpiLauncher, mpiLauncher, type MpiLibraryName } from "../mpi_library.ts";

/** How a program is started. */
export interface LaunchOptions {
  readonly args?: readonly string[];
  /** Whether it needs a GPU: a software one where the machine has none. */
  readonly hasGpu?: boolean;
}

/** Starts a program, and returns what both processes printed, by lines, in order. */
export type Launch = (program: URL, options?: LaunchOptions) => Promise<string[]>;

/** As the tests of kernels are started. */
const SOFTWARE_GPU = "--preload=bench/adapters/software_gpu.ts";
/** What ends a program that hangs. */
const TIMEOUT_MILLISECONDS = 60_000;

/** A test for each library, left out with the reason where its `mpiexec` is absent. */
export function mpiTest(
  name: string,
  run: (launch: Launch, library: MpiLibraryName) => Promise<void>,
  libraries: readonly MpiLibraryName[] = ["mpich", "openmpi"],
): void {
  for (const library of libraries) {
    const found = mpiLauncher(library);
    if (typeof found === "string") {
      const left = `${name} (${library}): left out, as ${found}`;
      Deno.test({ name: left, ignore: true, fn: () => {} });
    } else {
      const start: Launch = (program, options = {}) => launch(found, program, options);
      Deno.test(`${name} (${library})`, () => run(start, library));
    }
  }
}

async function launch(
  { command, args }: MpiLauncher,
  program: URL,
  { args: rest = [], hasGpu = false }: LaunchOptions,
): Promise<string[]> {
  const flags = ["-A", "--no-check", ...hasGpu ? [SOFTWARE_GPU] : []];
  const deno = [Deno.execPath(), "run", ...flags, program.href, ...rest];
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args, "-n", "2", ...deno],
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  }).output();
  const [out, problems] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (code !== 0) {
    throw new Error(`Cannot finish ${program} under ${command}, code ${code}: ${problems}${out}`);
  }
  return out!.split("\n").filter((line) => line !== "").toSorted();
}
