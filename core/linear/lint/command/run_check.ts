import { configurationFor } from "../types/configuration.ts";
import { checkFiles, type CheckReport, type PlacedFinding } from "./check_files.ts";
import { filesAt, SOURCE } from "./source_files.ts";

const HELP =
  `Follows every port of a program: used exactly once, on every path, through all its files.

  linear [FILES or FOLDERS] [--json] [--github] [--watch]

  --json    one object with all findings
  --github  annotations for a pull request; the default where GITHUB_ACTIONS is set
  --watch   checks again when a file changes

Ends with 0 where nothing was found, with 1 where something was, with 2 where it cannot check.`;

const FLAGS: ReadonlySet<string> = new Set(["--json", "--github", "--watch", "--help"]);

/** Where a command writes; a test gives its own. */
export interface Output {
  readonly print: (text: string) => void;
  /** What is no result: progress, and why nothing can be checked. */
  readonly note: (text: string) => void;
}

/**
 * Runs the command.
 *
 * @returns the exit code: 0 nothing found, 1 something found, 2 wrong use
 */
export async function runCheck(args: readonly string[], output: Output): Promise<number> {
  const unknown = args.find((one) => one.startsWith("-") && !FLAGS.has(one));
  if (unknown !== undefined) {
    output.note(`Cannot take ${unknown}: --help tells what there is`);
    return 2;
  }
  if (args.includes("--help")) {
    output.print(HELP);
    return 0;
  }
  const named = args.filter((one) => !one.startsWith("-"));
  const format = formatOf(args);
  if (!args.includes("--watch")) return await checkOnce(named, format, output);
  for await (const _ of changes(named.length > 0 ? named : ["."])) {
    await checkOnce(named, format, output);
    output.note("Waiting for a change");
  }
  return 0;
}

type Format = (report: CheckReport) => string;

function formatOf(args: readonly string[]): Format {
  if (args.includes("--json")) return (report) => JSON.stringify(report);
  const isOnGitHub = args.includes("--github") || Deno.env.get("GITHUB_ACTIONS") === "true";
  return isOnGitHub ? annotations : sentences;
}

async function checkOnce(
  named: readonly string[],
  format: Format,
  { print, note }: Output,
): Promise<number> {
  try {
    const folder = Deno.cwd();
    const config = configurationFor(folder);
    const paths = filesAt(named.length > 0 ? named : ["."], config?.excluded ?? []);
    const report = await checkFiles(paths, { config: config?.path, onProgress: progress(note) });
    const text = format(report);
    if (text !== "") print(text);
    return report.findings.length > 0 ? 1 : 0;
  } catch (error) {
    note(error instanceof Error ? error.message : `${error}`);
    return 2;
  }
}

/** A word every few seconds, so that nobody thinks a long run stands still. */
function progress(note: (text: string) => void) {
  let last = performance.now();
  return (doneCount: number, fileCount: number) => {
    if (performance.now() - last < 3000) return;
    last = performance.now();
    note(`${doneCount} of ${fileCount} files with ports`);
  };
}

/** One turn to begin with, and one for each change that came after the last turn had begun. */
async function* changes(paths: readonly string[]): AsyncGenerator<void> {
  using watcher = Deno.watchFs([...paths]);
  let begunAt = Date.now();
  yield;
  for await (const { kind, paths } of watcher) {
    const isNews = paths.some((one) => SOURCE.test(one) && isNewer(one, begunAt));
    if (kind === "access" || !isNews) continue;
    begunAt = Date.now();
    yield;
  }
}

/** Whether a file was written at a time or after it, or is gone. */
function isNewer(path: string, time: number): boolean {
  try {
    return (Deno.statSync(path).mtime?.getTime() ?? 0) >= time;
  } catch {
    return true;
  }
}

function sentences({ findings, fileCount, portFileCount }: CheckReport): string {
  const found = findings.map((one) =>
    `${one.file}:${one.line}:${one.column} linear/${one.rule}\n  ${one.message}\n  ${one.hint}\n`
  );
  const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  return [...found, `${count} in ${portFileCount} files with ports of ${fileCount}`].join("\n");
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function annotations({ findings }: CheckReport): string {
  return findings.map((one: PlacedFinding) => {
    const place = `file=${escaped(one.file)},line=${one.line},col=${one.column}`;
    const end = `endLine=${one.endLine},endColumn=${one.endColumn}`;
    return `::error ${place},${end},title=linear/${one.rule}::${escaped(one.message)}`;
  }).join("\n");
}

function escaped(text: string): string {
  return text.replace(
    /[%\r\n:,]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
