/** One command of the test run. */
export interface Stage {
  readonly name: string;
  /** Arguments for the same Deno that runs this. */
  readonly args: readonly string[];
  /** Whether the command ends with Deno's line of counts. Others count as one check each. */
  readonly countsTests: boolean;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Outcome extends Counts {
  readonly name: string;
  readonly seconds: number;
}

export interface StageOptions {
  /** For a test that hangs, not for one that is slow. */
  readonly limitSeconds: number;
  /** Takes the output of the command as it comes. */
  readonly show: (chunk: Uint8Array) => void;
}

/**
 * Runs one stage and says how it went. A stage never throws: whatever goes wrong is at least one
 * failure, so that the later stages still run.
 */
export async function runStage(
  stage: Stage,
  { limitSeconds, show }: StageOptions,
): Promise<Outcome> {
  const start = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...stage.args],
    // The pipe hides the terminal from the child; its colours are worth keeping.
    env: Deno.stdout.isTerminal() && !Deno.noColor ? { FORCE_COLOR: "1" } : {},
    stdout: "piped",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), limitSeconds * 1000);
  const [text, { code, signal }] = await Promise.all([textOf(child.stdout, show), child.status]);
  clearTimeout(timer);
  if (signal) {
    show(new TextEncoder().encode(`Stopped by ${signal}: the limit is ${limitSeconds} s\n`));
  }
  const seconds = (performance.now() - start) / 1000;
  return { name: stage.name, seconds, ...verdict(stage, code, countsFrom(text)) };
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
 * Reads the line with which `deno test` ends; `undefined` where there is none. The JUnit report is no
 * substitute: it leaves out a module that threw while it was loaded.
 */
export function countsFrom(text: string): Counts | undefined {
  const line = text.match(/^(?:ok|FAILED) \| .*$/gm)?.at(-1);
  if (line === undefined) return undefined;
  const count = (word: string) => Number(line.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
}

/** The exit code has the last word: a crash after the last test is a failure too. */
export function verdict(
  { countsTests }: Pick<Stage, "countsTests">,
  code: number,
  counts: Counts | undefined,
): Counts {
  if (!countsTests) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (!counts) return { passed: 0, failed: 1, skipped: 0 };
  return { ...counts, failed: code === 0 ? counts.failed : Math.max(1, counts.failed) };
}
