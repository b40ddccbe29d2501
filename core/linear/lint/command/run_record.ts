import { createHash } from "node:crypto";
import type { CheckReport } from "./check_files.ts";

/** What a run was about, and what came of it. */
export interface Run {
  /** The files that were checked. */
  readonly paths: readonly string[];
  /** All files that had a say in it, whether they were there or not. */
  readonly inputs: readonly string[];
  readonly report: CheckReport;
}

/**
 * What the last run found in some files, unless something has changed since that has a say in it.
 * Neither the compiler nor the graph of the modules is needed to tell.
 */
export function keptReport(cachePath: string, paths: readonly string[]): CheckReport | undefined {
  try {
    const known: Run & { readonly digest: string } = JSON.parse(
      Deno.readTextFileSync(recordOf(cachePath)),
    );
    const isSame = `${known.paths}` === `${paths}` && digestOf(known.inputs) === known.digest;
    return isSame ? known.report : undefined;
  } catch {
    return undefined; // there was none, or it is damaged
  }
}

/** Keeps what a run found for the next one. */
export function keepReport(cachePath: string, run: Run): void {
  replaceFile(recordOf(cachePath), JSON.stringify({ ...run, digest: digestOf(run.inputs) }));
}

function recordOf(cachePath: string): string {
  return cachePath.replace(/\.json$/, ".run.json");
}

function digestOf(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of inputs) hash.update(`${path}\n${textAt(path)}\n`);
  return hash.digest("hex");
}

function textAt(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/** Writes a file as a whole or not at all. In a folder that cannot be written to nothing is kept. */
export function replaceFile(path: string, text: string): void {
  const made = `${path}.${Deno.pid}`;
  try {
    Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(made, text);
    Deno.renameSync(made, path);
  } catch {
    // the next run is slower
  }
}
