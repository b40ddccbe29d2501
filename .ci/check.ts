import { TimeLimit } from "../core/system/child.ts";

/** One command of the test run. */
export interface Check {
  readonly name: string;
  /** Arguments for the same Deno that runs this. */
  readonly args: readonly string[];
  /** Whether the command ends with Deno's line of counts. Any other command counts as one check. */
  readonly countsTests: boolean;
  /** Whether it takes only the time that others leave, where the system can do so. */
  readonly givesWay?: boolean;
}

/** What came of the tests of a check, or of the check itself. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Result of a check. */
export interface CheckReport extends Counts {
  readonly name: string;
  readonly seconds: number;
  /** What a failed check said of it, for the summary: whoever reads only the end sees why. */
  readonly failure?: string;
}

/** How a check is run. */
export interface CheckOptions {
  /** The check is stopped after this time. For a test that hangs, not for one that is slow. */
  readonly limitSeconds: number;
  /** Takes the output of the command, as it comes. */
  readonly show: (chunk: Uint8Array) => void;
}

/** Several failed tests with their errors, and not the whole output of a check. */
const MAX_FAILURE_LINES = 60;

/** What stands before a command that gives way: nothing where there is no such program. */
const GIVING_WAY = hasNice() ? ["nice", "-n", "19"] : [];

function hasNice(): boolean {
  try {
    return new Deno.Command("nice", { args: ["true"], stderr: "null" }).outputSync().success;
  } catch {
    return false; // outputSync() throws where there is no such program
  }
}

/**
 * Runs checks side by side, at most `jobCount` at a time, and starts them in their order. Put the
 * longest one first: it would otherwise run alone at the end.
 *
 * @param checks taken one by one, so that several runs may share what one iterator has left
 * @returns the reports in the order of the checks; the output of each check is shown in one piece,
 * when the check has ended
 */
export async function runChecks(
  checks: Iterable<Check>,
  options: CheckOptions & { readonly jobCount: number },
): Promise<CheckReport[]> {
  const { jobCount, limitSeconds, show } = options;
  const reports: CheckReport[] = [];
  const waiting = checks[Symbol.iterator]();
  let count = 0;
  const work = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const index = count++;
      const output: Uint8Array[] = [];
      const keep = (chunk: Uint8Array) => void output.push(chunk);
      reports[index] = await runCheck(next.value, { limitSeconds, show: keep });
      for (const chunk of output) show(chunk);
    }
  };
  await Promise.all(Array.from({ length: jobCount }, work));
  return reports;
}

/**
 * Runs one check, with its command as a headline. It never throws: whatever goes wrong counts as at
 * least one failure, so that the later checks still run.
 */
export async function runCheck(
  check: Check,
  { limitSeconds, show }: CheckOptions,
): Promise<CheckReport> {
  const say = (text: string) => show(new TextEncoder().encode(text));
  say(`\n== ${check.name}: deno ${check.args.join(" ")}\n`);
  const start = performance.now();
  const [program, ...args] = [...check.givesWay ? GIVING_WAY : [], Deno.execPath(), ...check.args];
  const child = new Deno.Command(program!, {
    args,
    // The pipe hides the terminal from the child, which would drop its colours.
    env: Deno.stdout.isTerminal() && !Deno.noColor ? { FORCE_COLOR: "1" } : {},
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  using _limit = new TimeLimit(child, limitSeconds);
  const [text, errors, { code, signal }] = await Promise.all([
    textOf(child.stdout, show),
    textOf(child.stderr, show),
    child.status,
  ]);
  if (signal) say(`Stopped by ${signal}: the limit is ${limitSeconds} s\n`);
  const seconds = (performance.now() - start) / 1000;
  const report = { name: check.name, seconds, ...verdict(check, code, countsFrom(text)) };
  return report.failed === 0 ? report : { ...report, failure: failureFrom(text, errors) };
}

/** Deno's own list of what failed, or the last lines of a command that has none. */
function failureFrom(text: string, errors: string): string {
  const list = text.lastIndexOf("\n ERRORS ");
  const said = list >= 0 ? text.slice(list) : `${text}\n${errors}`;
  return said.trim().split("\n").slice(-MAX_FAILURE_LINES).join("\n");
}

/** A child's output, shown as it comes, and returned as text without colours. */
async function textOf(
  stream: ReadableStream<Uint8Array>,
  show: (chunk: Uint8Array) => void,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    show(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/\x1b\[[\d;]*m/g, "");
}

/**
 * Reads the line with which `deno test` ends; `undefined` where there is none. The JUnit report cannot
 * be used instead: it leaves out a module that threw while it was loaded.
 */
export function countsFrom(text: string): Counts | undefined {
  const line = text.match(/^(?:ok|FAILED) \| .*$/gm)?.at(-1);
  if (line === undefined) return undefined;
  const count = (word: string) => Number(line.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
}

/** The exit code decides: a crash after the last test is a failure too. */
export function verdict(
  { countsTests }: Pick<Check, "countsTests">,
  code: number,
  counts: Counts | undefined,
): Counts {
  if (!countsTests) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (!counts) return { passed: 0, failed: 1, skipped: 0 };
  return { ...counts, failed: code === 0 ? counts.failed : Math.max(1, counts.failed) };
}
