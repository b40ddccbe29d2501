import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { configurationFor } from "../program/configuration.ts";
import { denoFolder } from "../program/deno_folder.ts";
import type { CheckReport, PlacedFinding } from "./check_files.ts";
import { keptReport } from "./finding_cache.ts";
import { filesAt, SOURCE } from "./source_files.ts";

const HELP =
  `Follows every port of a program: used exactly once, on every path, through all its files.

Usage: deno task linear [options] [FILES or FOLDERS]

  --json          one object with all findings
  --github        annotations for a pull request; the default where GITHUB_ACTIONS is set
  --watch         checks again when a file changes
  --cache FOLDER  where to keep what was found, for files that do not change; beside what Deno keeps
  --help          show this text

Ends with 0 where nothing was found, with 1 where something was, with 2 where it cannot check.`;

const OPTIONS = {
  json: { type: "boolean" },
  github: { type: "boolean" },
  watch: { type: "boolean" },
  cache: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** What a command line says; this folder is imported by URL, where no package can be counted on. */
function readArgs(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
}

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
  let read: ReturnType<typeof readArgs>;
  try {
    read = readArgs(args);
  } catch (error) {
    output.note(`Cannot read the command line, see --help: ${(error as Error).message}`);
    return 2;
  }
  const { values, positionals } = read;
  if (values.help) {
    output.print(HELP);
    return 0;
  }
  const run = {
    named: positionals.length > 0 ? positionals : ["."],
    cache: values.cache ?? `${denoFolder()}/linear`,
    format: formatOf(values),
  };
  if (!values.watch) return await checkOnce(run, output);
  for await (const _ of changes(run.named)) {
    await checkOnce(run, output);
    output.note("Waiting for a change");
  }
  return 0;
}

type Format = (report: CheckReport) => string;

function formatOf(
  { json, github }: { readonly json?: boolean; readonly github?: boolean },
): Format {
  if (json) return (report) => JSON.stringify(report);
  return github || isOnGitHub() ? annotations : sentences;
}

function isOnGitHub(): boolean {
  return Deno.env.get("GITHUB_ACTIONS") === "true";
}

interface Run {
  readonly named: readonly string[];
  /** The folder for what is kept from run to run. */
  readonly cache: string;
  readonly format: Format;
}

async function checkOnce({ named, cache, format }: Run, { print, note }: Output): Promise<number> {
  try {
    const folder = Deno.cwd();
    const config = configurationFor(folder);
    const paths = filesAt(named, config?.excluded ?? []);
    const base = isOnGitHub() ? Deno.env.get("GITHUB_WORKSPACE") ?? folder : folder;
    const key = createHash("sha256").update(config?.path ?? folder).digest("hex");
    const options = {
      config: config?.path,
      cachePath: `${cache}/${key}.json`,
      onProgress: progress(note),
    };
    const report = fromFolder(
      base,
      keptReport(options.cachePath, paths) ?? await checkFiles(paths, options),
    );
    for (const one of report.unfollowed) note(sentenceOf(one));
    if (report.partly.length > 0) note(boundsOf(report.partly));
    const text = format(report);
    if (text !== "") print(text);
    const cannot = report.unfollowed.some(({ specifier }) => specifier === undefined);
    return cannot ? 2 : report.findings.length > 0 ? 1 : 0;
  } catch (error) {
    note(error instanceof Error ? error.message : `${error}`);
    return 2;
  }
}

/** The compiler takes its time to load, and is not needed where nothing has changed. */
async function checkFiles(...inputs: Parameters<typeof import("./check_files.ts").checkFiles>) {
  const { checkFiles } = await import("./check_files.ts");
  return await checkFiles(...inputs);
}

/** The same with paths as they are written in a folder, for whoever reads them. */
function fromFolder(folder: string, report: CheckReport): CheckReport {
  const prefix = folder.replace(/\/?$/, "/");
  const shorten = <T extends { readonly file: string }>(one: T): T => {
    return one.file.startsWith(prefix) ? { ...one, file: one.file.slice(prefix.length) } : one;
  };
  return {
    ...report,
    findings: report.findings.map(shorten),
    partly: report.partly.map(shorten),
    unfollowed: report.unfollowed.map(shorten),
  };
}

function sentenceOf({ file, specifier, reason }: CheckReport["unfollowed"][number]): string {
  return specifier === undefined
    ? `Cannot check ${file} as it cannot be read: current value is ${reason}`
    : `${file}: '${specifier}' is not followed: ${reason}`;
}

/** What stands on the other paths nobody knows. */
function boundsOf(partly: CheckReport["partly"]): string {
  const places = partly.map(({ file, line }) => `${file}:${line}`).join(", ");
  return `Only the likeliest paths were followed from ${places}: there are too many`;
}

/** A word every few seconds, so that nobody thinks a long run stands still. */
function progress(note: (text: string) => void) {
  let last = performance.now();
  return (doneCount: number, fileCount: number) => {
    if (performance.now() - last < 3000) return;
    last = performance.now();
    note(`${doneCount} of ${counted(fileCount, "file")} with ports`);
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
  const [count, files] = [counted(findings.length, "finding"), counted(portFileCount, "file")];
  return [...found, `${count} in ${files} with ports of ${fileCount}`].join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
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
