import { dirname, join } from "@std/path";
import { ended } from "../bench/machine/ended.ts";

const ROOT = new URL("..", import.meta.url);

/**
 * Copies the tree as a clone would have it: nothing that was built, nothing that is ignored.
 *
 * @throws {Error} where git cannot list what belongs to the tree
 */
export function copyTree(folder: string): void {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { success, stdout } = new Deno.Command("git", { args, cwd: ROOT }).outputSync();
  if (!success) throw new Error("Cannot copy the tree as git does not list its files");
  for (const path of new TextDecoder().decode(stdout).split("\0").slice(0, -1)) {
    const target = join(folder, path);
    Deno.mkdirSync(dirname(target), { recursive: true });
    try {
      Deno.copyFileSync(new URL(path, ROOT), target);
    } catch (error) {
      // Deleted, and listed until that is committed.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Open MPI asks twice whether root knows what it does. */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/** A copy of the tree to run commands in. */
export class CleanTree implements AsyncDisposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "clean-tree-" });

  /** @throws {Error} as {@linkcode copyTree}, which leaves nothing behind */
  constructor() {
    try {
      copyTree(this.folder);
    } catch (error) {
      Deno.removeSync(this.folder, { recursive: true });
      throw error;
    }
  }

  /** Runs a command line of a shell in the copy, with the Deno that runs this. */
  async run(line: string): Promise<{ readonly code: number; readonly text: string }> {
    const path = `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`;
    const { code, out, error } = await ended("sh", ["-c", line], {
      cwd: this.folder,
      // A task that runs this has said where it was called from, and tasks within believe that.
      env: { PATH: path, NO_COLOR: "1", INIT_CWD: this.folder, ...AS_ROOT },
    });
    return { code, text: error + out };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
