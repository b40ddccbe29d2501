import { copyTree } from "../clean_tree.ts";
import type { Batch } from "./test_plan.ts";

/** How a test process ended. */
export interface TestRun {
  readonly isGood: boolean;
  readonly isLate: boolean;
  readonly text: string;
  readonly seconds: number;
}

/** A copy of the tree, in which one file at a time is changed. `using` removes it. */
export class TreeCopy implements Disposable {
  readonly #folder = Deno.makeTempDirSync({ prefix: "portlab_mutants_" });
  /** The process groups of the tests that run: two may measure in one copy at the same time. */
  readonly #groups = new Set<number>();
  // A run that is interrupted leaves neither a copy nor a process behind.
  readonly #onUnload = () => this[Symbol.dispose]();

  /** @throws {Error} as {@linkcode copyTree} */
  constructor() {
    copyTree(this.#folder);
    Deno.mkdirSync(this.#temporary);
    addEventListener("unload", this.#onUnload);
  }

  /** Where what the tests leave behind goes, so that a killed one leaves nothing. */
  get #temporary(): string {
    return `${this.#folder}/temporary`;
  }

  /** A file's text, as it was when the tree was copied. */
  read(file: string): string {
    return Deno.readTextFileSync(`${this.#folder}/${file}`);
  }

  /** Gives a file another text while the work runs. */
  async whileChanged<Value>(
    file: string,
    text: string,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const path = `${this.#folder}/${file}`;
    const before = this.read(file);
    Deno.writeTextFileSync(path, text);
    try {
      return await work();
    } finally {
      Deno.writeTextFileSync(path, before);
    }
  }

  /** Runs tests; after `limitSeconds` they are killed, with every process that they started. */
  async test({ files, args }: Batch, limitSeconds: number): Promise<TestRun> {
    const start = performance.now();
    const child = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--no-lock", ...args, ...files],
      cwd: this.#folder,
      env: { NO_COLOR: "1", TMPDIR: this.#temporary },
      stdout: "piped",
      stderr: "piped",
      detached: true, // a process group of its own, to be killed as one
    }).spawn();
    this.#groups.add(child.pid);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child.pid);
    }, limitSeconds * 1000);
    const { success, stdout, stderr } = await child.output();
    clearTimeout(timer);
    this.#killRest(child.pid);
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { isGood: success, isLate, text, seconds: (performance.now() - start) / 1000 };
  }

  /** A test that failed may leave a process of its own behind. */
  #killRest(group: number): void {
    killGroup(group);
    this.#groups.delete(group);
  }

  [Symbol.dispose](): void {
    removeEventListener("unload", this.#onUnload);
    for (const group of this.#groups) killGroup(group);
    Deno.removeSync(this.#folder, { recursive: true });
  }
}

/** Ends every process of a group, if there is one left. */
function killGroup(group: number): void {
  try {
    Deno.kill(-group, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
