/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number;
  /** What it wrote to the standard output. */
  readonly out: string;
  /** What it wrote to the standard error. */
  readonly error: string;
}

/** Runs a program to its end. */
export async function ended(
  program: string,
  args: readonly string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env" | "clearEnv" | "signal"> = {},
): Promise<Ended> {
  const command = new Deno.Command(program, { ...options, args: [...args] });
  const { code, stdout, stderr } = await command.output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out!, error: error! };
}

/**
 * The lock file of the tests, as an option: what a program of a test loads besides the packages of the main
 * command must not get into `deno.lock`.
 */
export const LOCK = `--lock=${new URL("../../.ci/deno.lock", import.meta.url).pathname}`;

/** Runs a module of this tree to its end, by the Deno that runs this, as a test does. */
export function endedModule(module: URL | string, ...args: readonly string[]): Promise<Ended> {
  const options = ["-A", "--quiet", "--no-check", LOCK];
  return ended(Deno.execPath(), ["run", ...options, `${module}`, ...args]);
}
