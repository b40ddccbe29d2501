import { analyse } from "../explore/explore.ts";
import type { Finding } from "../finding.ts";
import type { ts } from "../program/compiler.ts";
import { nameOf } from "../program/local_modules.ts";
import { Project } from "../program/project.ts";
import { Reach } from "../program/reach.ts";
import { FindingCache, type Seen } from "./finding_cache.ts";
import { GraphModules, graphOf, inputsOf, type Obstacle, obstaclesIn } from "./module_graph.ts";

export type { Obstacle };

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  /** The path of the file. */
  readonly file: string;
  /** Where it begins. */
  readonly line: number;
  /** Where it begins in its line. */
  readonly column: number;
}

/** A finding with its place in a file. */
export interface PlacedFinding extends Place {
  /** The line where it ends. */
  readonly endLine: number;
  /** Where it ends in that line: the column after its last character. */
  readonly endColumn: number;
  /** The rule that is broken, without `linear/`. */
  readonly rule: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** What checking some files gave. */
export interface CheckReport {
  /** What was found, file by file, from top to bottom. */
  readonly findings: readonly PlacedFinding[];
  /** The functions and modules from which more paths lead than were looked at. */
  readonly partly: readonly Place[];
  /** What could not be read, so that no port was followed through it. */
  readonly unfollowed: readonly Obstacle[];
  /** How many files were looked at. */
  readonly fileCount: number;
  /** How many of them can have to do with ports. */
  readonly portFileCount: number;
}

/** What a check needs to know beside the files. */
export interface CheckOptions {
  /** The path of the configuration that says what imports mean. */
  readonly config?: string | undefined;
  /** Where to keep what was found for the next run; nowhere without it. */
  readonly cachePath?: string | undefined;
  /** Told after each file that has to do with ports. */
  readonly onProgress?: (doneCount: number, fileCount: number) => void;
}

/**
 * Follows the ports of some files, wherever these have them from.
 *
 * @param paths absolute paths
 * @throws {Error} when the modules cannot be found
 */
export async function checkFiles(
  paths: readonly string[],
  { config, cachePath, onProgress = () => {} }: CheckOptions = {},
): Promise<CheckReport> {
  if (paths.length === 0) {
    return { findings: [], partly: [], unfollowed: [], fileCount: 0, portFileCount: 0 };
  }
  const rules = import.meta.url;
  const graph = await graphOf([...paths, ...cachePath === undefined ? [] : [rules]], config);
  const modules = new GraphModules(graph);
  const reach = new Reach(modules);
  const files = paths.filter((one) => reach.hasPorts(one));
  const cache = new FindingCache(cachePath, reach, nameOf(rules));
  const project = new Project(modules);
  const unseen = files.filter((one) => !cache.get(one));
  if (unseen.length > 0) project.load(unseen);
  for (const [index, path] of unseen.entries()) {
    cache.set(path, seenIn(project, path));
    onProgress(index + 1, unseen.length);
  }
  const own = new Set(paths.flatMap((one) => [...reach.from(one)]));
  const report = {
    findings: files.flatMap((one) => cache.get(one)?.findings ?? []),
    partly: files.flatMap((one) => cache.get(one)?.partly ?? []),
    unfollowed: obstaclesIn(graph).filter(({ file, specifier }) => {
      return specifier === undefined ? paths.includes(file) : own.has(file);
    }),
    fileCount: paths.length,
    portFileCount: files.length,
  };
  const isWhole = cachePath !== undefined && report.unfollowed.length === 0;
  const inputs = isWhole ? inputsOf(graph, config) : undefined;
  cache.save(inputs && { paths, inputs, report });
  return report;
}

function seenIn(project: Project, path: string): Seen {
  const file = project.file(path);
  if (!file) return { findings: [], partly: [] };
  const { text } = file.source;
  const partly: Place[] = [];
  const onPartly = (entry: ts.Node) => {
    partly.push(placeOf(entry, path));
  };
  const found = analyse(file, { onPartly }).map((one) => placed(one, path));
  return { findings: found.filter((one) => !isIgnored(one, text)), partly };
}

/** As `deno lint` has it: `// deno-lint-ignore linear/double-move` above a line, or for the file. */
function isIgnored({ line, rule }: PlacedFinding, text: string): boolean {
  const above = text.split("\n")[line - 2] ?? "";
  const names = (comment: RegExpExecArray | null) => (comment?.[1] ?? "").split(/[\s,]+/);
  const ofLine = names(/^\s*\/\/ deno-lint-ignore (.*)/.exec(above));
  const ofFile = names(/^\/\/ deno-lint-ignore-file (.*)/m.exec(text));
  return [...ofLine, ...ofFile].includes(`linear/${rule}`);
}

function placeOf(node: ts.Node, file: string): Place {
  const start = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return { file, line: start.line + 1, column: start.character + 1 };
}

function placed({ rule, node, message, hint }: Finding, file: string): PlacedFinding {
  const end = node.getSourceFile().getLineAndCharacterOfPosition(node.end);
  return {
    ...placeOf(node, file),
    endLine: end.line + 1,
    endColumn: end.character + 1,
    rule,
    message,
    hint,
  };
}
