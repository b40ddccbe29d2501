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
  options: { readonly limitSeconds: number },
): Promise<ProgramOutcome> {
  const child = new Deno.Command(command, { args, stdout: "piped", stderr: "piped" }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, options.limitSeconds * 1000);
  try {
    const { code, stdout, stderr } = await child.output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code: isLate ? undefined : code, stdout: out!, stderr: err! };
  } finally {
    clearTimeout(timer);
  }
}
