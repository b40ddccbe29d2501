/**
 * Follows the ports of a program, one function at a time, and tells where one is used twice, used
 * after it was handed on, or lost: `deno run -A check.ts FILES...`, with `--help` for the rest.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Finding } from "./lint/finding.ts";
import { configurationFor } from "./lint/program/modules.ts";
import { Project } from "./lint/program/project.ts";

const HELP =
  `Follows the ports of a program, one function at a time, by the signatures of the others.

Usage: deno task linear [options] [FILES or FOLDERS]

  --json    one object with all findings
  --github  annotations for a pull request; the default where GITHUB_ACTIONS is set
  --help    show this text

Ends with 0 where nothing was found, with 1 where something was, with 2 where it cannot check.`;

/** A finding with its place. Lines and columns count from 1. */
export interface PlacedFinding extends Pick<Finding, "rule" | "message" | "hint"> {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What checking some files gave. */
export interface CheckReport {
  /** What was found, file by file, from top to bottom. */
  readonly findings: readonly PlacedFinding[];
  /** What is not on this machine, so that no port was followed through it. */
  readonly unfollowed: readonly { readonly file: string; readonly specifier: string }[];
  readonly fileCount: number;
  /** How many of the files can have to do with ports. */
  readonly portFileCount: number;
}

/** Judges files, given by their absolute paths. */
export function checkFiles(paths: readonly string[], folder: string = Deno.cwd()): CheckReport {
  const project = new Project(configurationFor(folder));
  const files = paths.filter((one) => project.hasPorts(one));
  if (files.length > 0) project.load(files);
  const placed = ({ node, rule, message, hint }: Finding): PlacedFinding => {
    const source = node.getSourceFile();
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    const file = source.fileName.replace(`${folder}/`, "");
    return { file, line: line + 1, column: character + 1, rule, message, hint };
  };
  return {
    findings: files.flatMap((one) => project.findingsIn(one).map(placed)),
    unfollowed: paths.flatMap((file) =>
      project.unknownIn(file).map((specifier) => ({ file, specifier }))
    ),
    fileCount: paths.length,
    portFileCount: files.length,
  };
}

/** The source files that are named, and those in folders that are named. */
export function filesAt(named: readonly string[], excluded: readonly string[]): readonly string[] {
  const isOut = (path: string) =>
    excluded.some((one) => `${path}/`.startsWith(one.replace(/\/?$/, "/")));
  const filesIn = (folder: string): readonly string[] =>
    [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      if (/^(?:\.|node_modules$)/.test(name) || isOut(path)) return [];
      return isDirectory ? filesIn(path) : /(?<!\.d)\.[cm]?[jt]sx?$/.test(name) ? [path] : [];
    });
  const paths = named.map((one) => Deno.realPathSync(one));
  return paths.flatMap((one) => Deno.statSync(one).isDirectory ? filesIn(one).toSorted() : [one]);
}

function runCheck(args: readonly string[]): number {
  const isFlag = { type: "boolean" } as const;
  const options = { json: isFlag, github: isFlag, help: { ...isFlag, short: "h" } };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) return console.log(HELP), 0;
  const excluded = configurationFor(Deno.cwd())?.excluded ?? [];
  const report = checkFiles(filesAt(positionals.length > 0 ? positionals : ["."], excluded));
  const isGitHub = values.github || Deno.env.get("GITHUB_ACTIONS") === "true";
  console.log(values.json ? JSON.stringify(report) : textOf(report, isGitHub));
  return report.findings.length > 0 ? 1 : report.unfollowed.length > 0 ? 2 : 0;
}

/** Sentences, or https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function textOf(
  { findings, unfollowed, fileCount, portFileCount }: CheckReport,
  isGitHub: boolean,
): string {
  const found = findings.map(({ file, line, column, rule, message, hint }) =>
    isGitHub
      ? `::error file=${file},line=${line},col=${column},title=linear/${rule}::${message}`
      : `${file}:${line}:${column} linear/${rule}\n  ${message}\n  ${hint}\n`
  );
  const notes = unfollowed.map(({ file, specifier }) =>
    `${file}: '${specifier}' is not on this machine`
  );
  const count = `${findings.length} findings in ${portFileCount} files with ports of ${fileCount}`;
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
