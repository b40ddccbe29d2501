import type { Reach } from "../program/reach.ts";
import type { PlacedFinding } from "./check_files.ts";
import { replaceFile } from "./run_record.ts";

interface Known {
  readonly digest: string;
  readonly findings: readonly PlacedFinding[];
}

/**
 * Keeps from run to run what was found in files, for as long as nothing changes that has a say in
 * it: the file, all that it imports at any distance, and the rules themselves.
 */
export class FindingCache {
  readonly #path: string | undefined;
  readonly #reach: Reach;
  readonly #rules: string;
  readonly #before: Readonly<Record<string, Known>>;
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
    this.#before = path === undefined ? {} : kept(path);
  }

  /** What was found in a file; `undefined` when it has to be looked at. */
  get(file: string): readonly PlacedFinding[] | undefined {
    const known = this.#now.get(file) ?? this.#before[file];
    if (!known || known.digest !== this.#digestOf(file)) return undefined;
    this.#now.set(file, known);
    return known.findings;
  }

  set(file: string, findings: readonly PlacedFinding[]): void {
    this.#now.set(file, { digest: this.#digestOf(file), findings });
  }

  /** Writes down what is known. */
  save(): void {
    if (this.#path === undefined) return;
    const others = Object.entries(this.#before).filter(([file]) => isFile(file));
    replaceFile(this.#path, JSON.stringify(Object.fromEntries([...others, ...this.#now])));
  }

  #digestOf(file: string): string {
    const digest = this.#digests.get(file) ?? this.#rules + this.#reach.digestOf(file);
    this.#digests.set(file, digest);
    return digest;
  }
}

/** What an earlier run has kept; nothing where there was none, or where it is damaged. */
function kept(path: string): Readonly<Record<string, Known>> {
  try {
    const known: unknown = JSON.parse(Deno.readTextFileSync(path));
    return isRecord(known) ? known : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, Known>> {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((one) => Array.isArray(one?.findings));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
