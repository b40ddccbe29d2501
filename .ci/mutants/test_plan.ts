import ts from "typescript";
import { roomOf } from "./tree.ts";

/** Test files that run in one process. */
export interface Batch {
  readonly files: readonly string[];
  /** Arguments of `deno test`. */
  readonly args: readonly string[];
}

const CONFORMANCE = "core/testing/conformance/";
const MODEL =
  /^core\/testing\/(model|packet_model|ring_model|line_model)\/(?!reduction|alike).*_model_test\.ts$/;
/** The tests of runtimes start browsers, which says nothing of a change that Deno does not. */
const PASSED_OVER = /^core\/testing\/(explorer|conformance\/runtimes)\//;
/** Not the tests that a model finds something: they plant faults where a mutant may have changed. */
const NOT_OF_THE_MODELS = "--filter=/model: ([^f]|f[^i]|fi[^n])/";
const ADAPTER = "--preload=bench/adapters/software_gpu.ts";
const NEEDS_ADAPTER = /^core\/(testing\/)?(gpu|signature)\//;

/** What each model runs: it loads a copy, which no import tells. */
const FOUNDATIONS = ["memory", "wait", "call"];
const MODELLED: Readonly<Record<string, readonly string[]>> = {
  model: [...FOUNDATIONS, "toggle"],
  four_phase: [...FOUNDATIONS, "one_packet", "four_phase"],
  gwht: [...FOUNDATIONS, "one_packet", "gwht"],
  packet_stacks: [...FOUNDATIONS, "one_packet", "packet_stacks"],
  ring_model: [...FOUNDATIONS, "one_packet", "command_ring"],
  line_model: ["memory", "wait", "call", "connect"],
};

/** Decides which tests can see a change of a file, by what they import, and their order. */
export class TestPlan {
  readonly #root: string;
  readonly #paths: readonly string[];
  readonly #isNear: boolean;
  readonly #imports = new Map<string, readonly string[]>();

  /**
   * @param paths every file of the tree, from the root
   * @param options `isNear`: whether only the tests of a file's own room are run
   */
  constructor(root: string, paths: readonly string[], options: { readonly isNear: boolean }) {
    this.#root = root;
    this.#paths = paths;
    this.#isNear = options.isNear;
  }

  /** The batches for a change of this file; what is likeliest to fail comes first. */
  batchesFor(file: string): Batch[] {
    const beside = file.replace(/\.(ts|wgsl)$/, "_test.ts");
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const tests = this.#testsOf(file).filter((path) => path !== beside);
    const near = tests.filter((path) => path.startsWith(folder));
    const inRoom = tests.filter((path) => !near.includes(path) && roomOf(path) === roomOf(file));
    const own = [this.#paths.filter((path) => path === beside), near, inRoom];
    const far = tests.filter((path) => roomOf(path) !== roomOf(file));
    return [
      ...own.map(batchOf),
      ...this.#isNear ? [] : [...batchesOfOthers(far), ...this.#models(file)],
    ].filter(({ files }) => files.length > 0);
  }

  /** Every test that reaches the file, but for the models. */
  #testsOf(file: string): string[] {
    return this.#paths.filter((path) =>
      path.startsWith("core/") && path.endsWith("_test.ts") && !MODEL.test(path) &&
      !PASSED_OVER.test(path) && this.reached(path).has(file)
    );
  }

  #models(file: string): Batch[] {
    return this.#paths.filter((path) => MODEL.test(path)).filter((path) => {
      const model = Object.keys(MODELLED).find((name) => path.includes(`/${name}`));
      return model !== undefined && MODELLED[model]!.includes(roomOf(file));
    }).map((path) => ({ files: [path], args: [NOT_OF_THE_MODELS] }));
  }

  /** Every file that a module imports, or starts as a worker, itself included. */
  reached(path: string): ReadonlySet<string> {
    const found = new Set([path]);
    for (const one of found) for (const next of this.#importsOf(one)) found.add(next);
    return found;
  }

  #importsOf(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known) return known;
    const targets = path.endsWith(".ts") ? this.#targetsOf(path) : [];
    const paths = targets.filter((target) => /^\.\.?\//.test(target))
      .map((target) => new URL(target, `file:///${path}`).pathname.slice(1))
      .filter((target) => this.#paths.includes(target));
    this.#imports.set(path, paths);
    return paths;
  }

  #targetsOf(path: string): string[] {
    const text = Deno.readTextFileSync(this.#root + path);
    const { importedFiles } = ts.preProcessFile(text);
    const urls = [...text.matchAll(/new URL\(\s*"([^"]+)"/g)].map(([, target]) => target!);
    return [...importedFiles.map(({ fileName }) => fileName), ...urls];
  }
}

function batchOf(files: readonly string[]): Batch {
  const adapter = files.some((path) => NEEDS_ADAPTER.test(path)) ? [ADAPTER] : [];
  return { files, args: ["--fail-fast", ...adapter] };
}

/** Room by room; processors that wait for each other come last, each file alone. */
function batchesOfOthers(files: readonly string[]): Batch[] {
  const rooms = Map.groupBy(
    files.filter((path) => !path.startsWith(CONFORMANCE)),
    (path) => path.split("/").slice(1, 3).join("/"),
  );
  const conformance = files.filter((path) => path.startsWith(CONFORMANCE)).map((path) => [path]);
  return [...rooms.values(), ...conformance].map(batchOf);
}
