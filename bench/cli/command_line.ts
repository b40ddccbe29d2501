import { knownNames } from "../../scenarios/nearest_name.ts";

/**
 * The exit statuses of every command, beside 0: `FAILED_EXIT` when what was asked for was tried, and
 * something of it failed, is missing or is not as it should be, as a call that became slower;
 * `USAGE_EXIT` when nothing was done, as the arguments or the files that they name are wrong; and
 * `NO_INFORMATION_EXIT` when something was measured or compared that decides nothing.
 */
export const FAILED_EXIT = 1;
/** See {@linkcode FAILED_EXIT}. */
export const USAGE_EXIT = 2;
/** See {@linkcode FAILED_EXIT}. */
export const NO_INFORMATION_EXIT = 3;

/**
 * Writes a text whole, however little a pipe takes at a time. Blocks. What nobody reads any more, as
 * behind `| head`, is left out.
 */
export function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let done = 0; done < bytes.length;) done += stream.writeSync(bytes.subarray(done));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** Lines that are told of what is wrong with a file: one that is no records has thousands. */
const TOLD_MAX = 10;

/** Tells what is wrong on the standard error, a line each, and how many more lines there are. */
export function tellAll(texts: readonly string[]): void {
  for (const text of texts.slice(0, TOLD_MAX)) write(Deno.stderr, `${text}\n`);
  const more = texts.length - TOLD_MAX;
  if (more > 0) write(Deno.stderr, `... and ${more} more like these\n`);
}

/** How Deno tells what the system refused: what it says, and the call. */
const SYSTEM_TEXT = /^(.*) \(os error \d+\): (\w+) (.*)$/;
const ACTS: Readonly<Record<string, string>> = {
  ...{ readfile: "read", readdir: "read", writefile: "write", mkdir: "make" },
};

/**
 * Does what a command line says. What is thrown is told on the standard error, in a line without its
 * stack.
 *
 * @param work returns the exit status, 0 when it returns nothing
 * @returns the exit status; when it threw, {@linkcode USAGE_EXIT}, or {@linkcode FAILED_EXIT} for an
 * `Error` of no other kind, which the system's refusals are
 */
export async function exitStatusOf(
  work: () => number | void | Promise<number | void>,
): Promise<number> {
  try {
    return await work() ?? 0;
  } catch (error) {
    const text = error instanceof Error ? error.message : `${error}`;
    const told = text.replace(
      SYSTEM_TEXT,
      (_, said, act, rest) => `Cannot ${ACTS[act] ?? act} ${rest} as the system says "${said}"`,
    );
    write(Deno.stderr, `${told}\n`);
    return (error as Error)?.constructor === Error ? FAILED_EXIT : USAGE_EXIT;
  }
}

/**
 * Refuses an option that a program does not have, as `unknown` of `parseArgs`: what is no option is
 * left alone.
 *
 * @param known all options, as they are written
 * @throws {SyntaxError} which says which options there are, and which is the nearest
 */
export function refuseOthers(known: readonly string[]): (arg: string, key?: string) => void {
  return (arg, key) => {
    if (key === undefined) return;
    if (/^-\d/.test(arg)) {
      throw new SyntaxError(
        `Cannot read the command line with ${arg} as counts, sizes and times are positive`,
      );
    }
    throw new SyntaxError(
      `Cannot read the command line as it has no option ${arg || "without a name"}: options are ${
        knownNames(arg.split("=")[0]!, known)
      }`,
    );
  };
}

/**
 * Refuses an option that is given twice, of which only one could count.
 *
 * @param lists options that may be given several times, as they are written
 * @throws {SyntaxError} which names it
 */
export function refuseTwice(args: readonly string[], lists: readonly string[] = []): void {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const names = args.slice(0, end).filter((arg) => arg.startsWith("--"))
    .map((arg) => arg.split("=")[0]!).filter((name) => !lists.includes(name));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new SyntaxError(`Cannot read the command line as ${twice} is there twice: leave one out`);
}
