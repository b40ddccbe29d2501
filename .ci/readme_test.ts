import { ScratchFolder } from "../core/testing/fixtures/scratch_folder.ts";
/** The starts of the README run as they stand there, beside a clone. */
import { assertEquals, assertMatch } from "@std/assert";
import { ended } from "../bench/machine/ended.ts";

const ROOT = new URL("../", import.meta.url);
const PRELOAD = "--preload=portlab/bench/adapters/software_gpu.ts";

/** The files of a page: blocks of code that begin with their name. */
function filesOf(page: string): Record<string, string> {
  const blocks = page.matchAll(/^```ts ignore\n\/\/ (\w+\.ts)\n([^]*?)^```/gm);
  return Object.fromEntries([...blocks].map(([, name, text]) => [name!, text!]));
}

/** Writes files beside a clone, and runs one of them; returns what it prints and its exit status. */
async function run(files: Record<string, string>, args: readonly string[]): Promise<string> {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await Deno.symlink(ROOT, `${folder}/portlab`);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const options = { cwd: folder, env: { NO_COLOR: "1" } };
  const ran = await ended(Deno.execPath(), ["run", "-A", "--quiet", ...args], options);
  return ran.code === 0 ? ran.out : `ended with ${ran.code}: ${ran.error}`;
}

const files = filesOf(await Deno.readTextFile(new URL("README.md", ROOT)));

Deno.test("the README's functions in a worker answer", async () => {
  assertEquals(await run(files, ["--check", "main.ts"]), "5\n5\n");
});

Deno.test("the README's kernel calls the host and prints", async () => {
  const lines = (await run(files, ["--check", PRELOAD, "kernel.ts"])).trim().split("\n");
  assertEquals(lines, ["lane 0: 3.0", "lane 1: 3.2", "lane 2: 3.6", "lane 3: 4.2"]);
});

Deno.test("the README's question is answered", async () => {
  const bench = ["portlab/bench/cli/main.ts", "--scenario", "./copy.ts", "--axis", "entries=1"];
  const config = ["--config", "portlab/deno.json"];
  assertEquals(await run(files, ["--check", "copy.ts"]), "");
  const output = await run(files, [
    "--no-check",
    ...config,
    ...bench,
    "--seconds", // shared out, whatever else the machine does: a budget could end before the second point
    "1",
    "--out",
    "out",
  ]);
  assertMatch(output, /^copy: (json (is|was) [\d.]+ |No difference found between json and clone)/m);
});

Deno.test("a start that fails is told", async () => {
  const wrong = { "main.ts": "const count: number = '1'; console.log(count);" };
  assertEquals((await run(wrong, ["--check", "main.ts"])).startsWith("ended with 1:"), true);
});
