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

/** Runs a module to its end, by the Deno that runs this. */
export function endedModule(module: URL | string, ...args: readonly string[]): Promise<Ended> {
  return ended(Deno.execPath(), ["run", "-A", "--quiet", "--no-check", `${module}`, ...args]);
}
