/** What came of a program that ran in a process of its own. */
export interface ProgramOutcome {
  /** The exit status, or `undefined` when it was stopped at the limit. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, for at most so long. */
export async function runProgram(
  [command, ...args]: readonly [string, ...string[]],
  options: { readonly limitSeconds: number; readonly env?: Record<string, string> },
): Promise<ProgramOutcome> {
  const { env = {} } = options;
  const signal = AbortSignal.timeout(options.limitSeconds * 1000);
  const { code, stdout, stderr } = await new Deno.Command(command, { args, env, signal }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code: signal.aborted ? undefined : code, stdout: out!, stderr: err! };
}
