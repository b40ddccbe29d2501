/**
 * Follows the ports of a program, one function at a time, and tells where one is used twice, used
 * after it was handed on, or lost: `deno run -A check.ts FILES...`, with `--help` for the rest.
 *
 * A program as well as a module: imported, it gives {@linkcode checkFiles}.
 *
 * @module
 */
import type { Finding, RuleName } from "./lint/finding.ts";
import { configurationFor } from "./lint/program/configuration.ts";
import { Modules } from "./lint/program/modules.ts";
import { Project } from "./lint/program/project.ts";
import { filesAt } from "./lint/program/source_files.ts";

const HELP =
  `Follows the ports of a program, one function at a time, by the signatures of the others.

Usage: deno task linear [options] [FILES or FOLDERS]

  --json    one object with all findings
  --github  annotations for a pull request; the default where GITHUB_ACTIONS is set
  --help    show this text

Ends with 0 where nothing was found, with 1 where something was, with 2 where it cannot check.`;

/** A finding with its place. */
export interface PlacedFinding {
  /** The file, as seen from the folder of the call. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1. */
  readonly column: number;
  /** Which of the rules it breaks. */
  readonly rule: RuleName;
  /** What is wrong, with the line of the other place. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}

/** What checking some files gave. */
export interface CheckReport {
  /** What was found, file by file, from top to bottom. */
  readonly findings: readonly PlacedFinding[];
  /** What is not on this machine, so that no port was followed through it. */
  readonly unfollowed: readonly { readonly file: string; readonly specifier: string }[];
  /** How many files were looked at. */
  readonly fileCount: number;
  /** How many of the files can have to do with ports. */
  readonly portFileCount: number;
}

/**
 * Judges files.
 *
 * @param paths absolute paths
 * @param folder whose `deno.json` holds, and from where files are named
 * @throws {SyntaxError} when a file with ports is no program
 */
export function checkFiles(
  paths: readonly string[],
  folder: string = Deno.cwd(),
): CheckReport {
  const project = new Project(new Modules(configurationFor(folder)));
  const nameOf = (path: string) => path.replace(`${folder}/`, "");
  const files = paths.filter((one) => project.hasPorts(one));
  if (files.length > 0) project.load(files);
  for (const one of files) project.assertReadable(one);
  const placed = ({ node, rule, message, hint }: Finding): PlacedFinding => {
    const source = node.getSourceFile();
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    const file = nameOf(source.fileName);
    return { file, line: line + 1, column: character + 1, rule, message, hint };
  };
  return {
    findings: files.flatMap((one) => project.findingsIn(one).map(placed)),
    unfollowed: paths.flatMap((path) =>
      project.unknownIn(path).map((specifier) => ({ file: nameOf(path), specifier }))
    ),
    fileCount: paths.length,
    portFileCount: files.length,
  };
}

function runCheck(args: readonly string[]): number {
  const [flags, named] = [true, false].map((is) => args.filter((one) => /^-./.test(one) === is));
  const unknown = flags!.find((one) => !["--json", "--github", "--help", "-h"].includes(one));
  if (unknown) throw new TypeError(`there is no option '${unknown}'`);
  if (flags!.some((one) => /^--?h/.test(one))) return console.log(HELP), 0;
  const excluded = configurationFor(Deno.cwd())?.excluded ?? [];
  const report = checkFiles(filesAt(named!.length > 0 ? named! : ["."], excluded));
  const isGitHub = flags!.includes("--github") || Deno.env.get("GITHUB_ACTIONS") === "true";
  console.log(flags!.includes("--json") ? JSON.stringify(report) : textOf(report, isGitHub));
  return report.findings.length > 0 ? 1 : report.unfollowed.length > 0 ? 2 : 0;
}

/** Sentences, or https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function textOf(report: CheckReport, isGitHub: boolean): string {
  const { findings, unfollowed, fileCount, portFileCount } = report;
  const found = findings.map(({ file, line, column, rule, message, hint }) =>
    isGitHub
      ? `::error file=${file},line=${line},col=${column},title=linear/${rule}::${message}. ${hint}`
      : `${file}:${line}:${column} linear/${rule}\n  ${message}\n  ${hint}\n`
  );
  const notes = unfollowed.map(({ file, specifier }) =>
    `${file}: '${specifier}' is not on this machine, and ports from there are not followed`
  );
  const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const count = `${countOf(findings.length, "finding")} in ${
    countOf(portFileCount, "file")
  } with ports of ${fileCount}`;
  return [...found, ...notes, count].join("\n");
}

if (import.meta.main) {
  try {
    Deno.exit(runCheck(Deno.args));
  } catch (error) {
    console.error(`Cannot check, see --help: ${(error as Error).message}`);
    Deno.exit(2);
  }
}
