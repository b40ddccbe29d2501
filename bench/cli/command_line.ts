/** The exit status of a program that could not begin: its arguments or its files are wrong. */
export const USAGE_EXIT = 2;

/** Writes a text whole, however little a pipe takes at a time. Blocks. */
export function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) done += stream.writeSync(bytes.subarray(done));
}

/**
 * Does what a command line says. What is thrown is told on the standard error, in a line without its
 * stack.
 *
 * @param work returns the exit status, 0 when it returns nothing
 * @returns the exit status; {@linkcode USAGE_EXIT} when it threw
 */
export async function exitStatusOf(work: () => Promise<number | void>): Promise<number> {
  try {
    return await work() ?? 0;
  } catch (error) {
    write(Deno.stderr, `${error instanceof Error ? error.message : error}\n`);
    return USAGE_EXIT;
  }
}
