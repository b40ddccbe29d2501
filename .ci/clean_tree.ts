import { dirname, join } from "@std/path";

const ROOT = new URL("..", import.meta.url);

/** Open MPI asks twice whether root knows what it does. */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/** A copy of the tree as a clone would have it: nothing that was built, nothing that is ignored. */
export class CleanTree implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns the copy, or why there is none: it takes git to know what belongs to the tree */
  static async copy(): Promise<CleanTree | string> {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const listed = await new Deno.Command("git", { args, cwd: ROOT, stderr: "null" }).output()
      .catch(() => undefined);
    if (!listed?.success) return "git cannot list the files of the tree";
    const folder = await Deno.makeTempDir({ prefix: "clean-tree-" });
    for (const path of new TextDecoder().decode(listed.stdout).split("\0").slice(0, -1)) {
      const target = join(folder, path);
      await Deno.mkdir(dirname(target), { recursive: true });
      await Deno.copyFile(new URL(path, ROOT), target).catch((error) => {
        // Deleted, and listed until that is committed.
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      });
    }
    return new CleanTree(folder);
  }

  /** Runs a command line of a shell in the copy, with the Deno that runs this. */
  async run(line: string): Promise<{ readonly code: number; readonly text: string }> {
    const path = `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`;
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", line],
      cwd: this.folder,
      // A task that runs this has said where it was called from, and tasks within believe that.
      env: { PATH: path, NO_COLOR: "1", INIT_CWD: this.folder, ...AS_ROOT },
    }).output();
    return { code, text: [stderr, stdout].map((one) => new TextDecoder().decode(one)).join("") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
