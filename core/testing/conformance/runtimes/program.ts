import { TimeLimit } from "../../../system/child.ts";

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
  const child = new Deno.Command(command, { args, env, stdout: "piped", stderr: "piped" }).spawn();
  using limit = new TimeLimit(child, options.limitSeconds);
  const { code, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code: limit.isOver ? undefined : code, stdout: out!, stderr: err! };
}
