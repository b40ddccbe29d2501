import ts from "typescript";

/** Test files that run in one process. */
export interface Batch {
  readonly files: readonly string[];
  /** Arguments of `deno test`. */
  readonly args: readonly string[];
}

/** Where the tests of the host's side are, from the cheapest to the dearest. */
const UNITS = [
  "memory",
  "wait",
  "call",
  "toggle",
  "testing/channel",
  "worker",
  "services",
  "linear/port",
];
/** Processors that wait for each other; the runtimes beside them start browsers. */
const CONFORMANCE = ["defects", "faults", "hostile", "conformance", "leaving"]
  .map((name) => `core/testing/conformance/${name}_test.ts`);
const MODELS = ["channel_model", "session_model"]
  .map((name) => `core/testing/model/${name}_test.ts`);
/** The models run everything below these. */
const MODELLED = /^core\/(memory|wait|toggle)\//;
/** Not the tests that a model finds something: they plant faults by the text that a mutant changes. */
const NOT_OF_THE_MODELS = "--filter=/model: ([^f]|f[^i]|fi[^n])/";
const ADAPTER = "--preload=bench/adapters/software_gpu.ts";

/** Decides which tests can see a change of a file, by what they import, and their order. */
export class TestPlan {
  readonly #root: string;
  readonly #paths: readonly string[];
  readonly #imports = new Map<string, readonly string[]>();

  /** @param paths every file of the tree, from the root */
  constructor(root: string, paths: readonly string[]) {
    this.#root = root;
    this.#paths = paths;
  }

  /** The batches for a change of this file; what is likeliest to fail comes first. */
  batchesFor(file: string): Batch[] {
    if (file.endsWith(".wgsl")) return this.#batchesOfKernels(file);
    const reaches = (path: string) => this.#paths.includes(path) && this.reached(path).has(file);
    const units = UNITS.flatMap((folder) => this.#testsIn(`core/${folder}/`)).filter(reaches);
    const beside = file.replace(/\.ts$/, "_test.ts");
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const near = units.filter((path) => path !== beside && path.startsWith(folder));
    const far = units.filter((path) => path !== beside && !path.startsWith(folder));
    const [waiting, ...threads] = [
      CONFORMANCE.slice(0, 3),
      ...CONFORMANCE.slice(3).map((x) => [x]),
    ];
    const groups = [units.filter((path) => path === beside), near, far, waiting!, ...threads];
    const models = MODELLED.test(file) ? MODELS.filter(reaches) : [];
    return [
      ...groups.map((files) => ({ files: files.filter(reaches), args: [] })),
      ...models.map((path) => ({ files: [path], args: [NOT_OF_THE_MODELS] })),
    ].filter(({ files }) => files.length > 0);
  }

  #batchesOfKernels(file: string): Batch[] {
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const tests = [...this.#testsIn("core/gpu/"), ...this.#testsIn("core/testing/gpu/")]
      .filter((path) => this.reached(path).has(file));
    const near = tests.filter((path) => path.startsWith(folder));
    const far = tests.filter((path) => !path.startsWith(folder));
    return [near, far].filter((files) => files.length > 0)
      .map((files) => ({ files, args: [ADAPTER] }));
  }

  #testsIn(folder: string): string[] {
    return this.#paths.filter((path) => path.startsWith(folder) && path.endsWith("_test.ts"));
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
