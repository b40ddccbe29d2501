import { createHash } from "node:crypto";
import type { Reach } from "../program/reach.ts";
import type { CheckReport } from "./check_files.ts";

/** What a run was about, and what came of it. */
export interface Run {
  /** The files that were checked. */
  readonly paths: readonly string[];
  /** All files that had a say in it, whether they were there or not. */
  readonly inputs: readonly string[];
  readonly report: CheckReport;
}

/** What came of looking at a file. */
export type Seen = Pick<CheckReport, "findings" | "partly">;

interface Known extends Seen {
  readonly digest: string;
}

/** What lies in the file. */
interface Kept {
  readonly run?: Run & { readonly digest: string };
  readonly files: Readonly<Record<string, Known>>;
}

/**
 * What the last run found in some files, unless something has changed since that has a say in it.
 * Neither the compiler nor the graph of the modules is needed to tell.
 */
export function keptReport(path: string, paths: readonly string[]): CheckReport | undefined {
  const { run } = keptAt(path);
  const isSame = run && `${run.paths}` === `${paths}` && digestOf(run.inputs) === run.digest;
  return isSame ? run.report : undefined;
}

/**
 * Keeps from run to run what was found in files, for as long as nothing changes that has a say in
 * it: the file, all that it imports at any distance, and the rules themselves.
 */
export class FindingCache {
  readonly #path: string | undefined;
  readonly #reach: Reach;
  readonly #rules: string;
  readonly #before: Kept["files"];
  readonly #now = new Map<string, Known>();
  readonly #digests = new Map<string, string>();

  /**
   * @param path where it lies; nothing is kept without one
   * @param rules the module by which all of the rules can be reached
   */
  constructor(path: string | undefined, reach: Reach, rules: string) {
    this.#path = path;
    this.#reach = reach;
    this.#rules = path === undefined ? "" : reach.digestOf(rules);
    this.#before = path === undefined ? {} : keptAt(path).files;
  }

  /** What was found in a file; `undefined` when it has to be looked at. */
  get(file: string): Seen | undefined {
    const known = this.#now.get(file) ?? this.#before[file];
    if (!known || known.digest !== this.#digestOf(file)) return undefined;
    this.#now.set(file, known);
    return known;
  }

  set(file: string, seen: Seen): void {
    this.#now.set(file, { ...seen, digest: this.#digestOf(file) });
  }

  /**
   * Writes down what is known, as a whole or not at all: in a folder that cannot be written to
   * nothing is kept.
   *
   * @param run the whole run; absent where it may not be kept
   */
  save(run: Run | undefined): void {
    if (this.#path === undefined) return;
    const made = `${this.#path}.${Deno.pid}`;
    const others = Object.entries(this.#before).filter(([file]) => textAt(file) !== undefined);
    const files = Object.fromEntries([...others, ...this.#now]);
    const kept: Kept = { files, ...run && { run: { ...run, digest: digestOf(run.inputs) } } };
    try {
      Deno.mkdirSync(this.#path.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(made, JSON.stringify(kept));
      Deno.renameSync(made, this.#path);
    } catch {
      // the next run is slower
    }
  }

  #digestOf(file: string): string {
    const digest = this.#digests.get(file) ?? this.#rules + this.#reach.digestOf(file);
    this.#digests.set(file, digest);
    return digest;
  }
}

/** What an earlier run has kept; nothing where there was none, or where it is damaged. */
function keptAt(path: string): Kept {
  try {
    const { run, files }: Kept = JSON.parse(Deno.readTextFileSync(path));
    const isWhole = Object.values(files).every((one) =>
      Array.isArray(one.findings) && Array.isArray(one.partly)
    ) &&
      (!run || Array.isArray(run.inputs));
    return isWhole ? { files, ...run && { run } } : { files: {} };
  } catch {
    return { files: {} };
  }
}

function digestOf(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of inputs) hash.update(`${path}\n${textAt(path) ?? ""}\n`);
  return hash.digest("hex");
}

function textAt(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
