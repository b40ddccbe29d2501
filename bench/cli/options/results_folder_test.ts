import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { resultsFolder } from "./results_folder.ts";

const root = fromFileUrl(new URL("../../../", import.meta.url));

Deno.test("resultsFolder() is that of the project from within it, and one of its own from elsewhere", () => {
  assertEquals(resultsFolder(root), "results");
  assertEquals(resultsFolder(join(root, "notebooks")), join("..", "results"));
  assertEquals(resultsFolder(join(root, "results")), ".");
  assertEquals(resultsFolder(join(root, "..")), "results");
  assertEquals(resultsFolder(), resultsFolder(Deno.cwd()));
});

Deno.test("tasks take paths from the folder where they are called", async () => {
  // Of a task that runs these tests, whose folder would be taken for this one's.
  const { INIT_CWD: _, ...env } = Deno.env.toObject();
  const task = async (name: string, ...args: readonly string[]) => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", name, ...args],
      cwd: join(root, "results", "raw"),
      clearEnv: true,
      env,
      stderr: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  };
  const mine = join("..", "..", "notebooks", "copy_bytes.ts");
  const shown = await Promise.all([
    task("bench", "--list", "--scenario", mine),
    task("compare", "--baseline", "mpi_call", "mpi_call.jsonl"),
  ]);
  assertEquals(shown.map((text) => text.split(/[: ]/)[0]), ["copy_bytes", "point"]);
});
