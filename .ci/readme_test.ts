import { ScratchFolder } from "../core/testing/fixtures/scratch_folder.ts";
/** The starts of the README run as they stand there, beside a clone. */
import { assertEquals, assertMatch } from "@std/assert";
import { ended } from "../bench/machine/ended.ts";
import { findNode } from "../core/testing/conformance/runtimes/node.ts";
import { copyTree } from "./clean_tree.ts";

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

/** Where git cannot tell what a clone has. */
const hasGit = await Deno.stat(new URL(".git", ROOT)).then(() => true, () => false);
const node = await findNode();
if (!hasGit || node === undefined) {
  console.log("Skipping a clone in Node: there is no git, or no Node 24");
}

Deno.test("the README's functions answer in Node, also in a project of CommonJS", {
  ignore: !hasGit || node === undefined,
}, async () => {
  for (const type of [undefined, "module", "commonjs"]) {
    using scratch = new ScratchFolder();
    const folder = scratch.path;
    copyTree(`${folder}/portlab`);
    await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type }));
    const ending = type === "module" ? ".ts" : ".mts";
    for (const [name, text] of Object.entries(files)) {
      const own = text.replaceAll(/(\.\/\w+)\.ts"/g, `$1${ending}"`);
      await Deno.writeTextFile(`${folder}/${name.replace(".ts", ending)}`, own);
    }
    const args = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", `main${ending}`];
    const { code, out, error } = await ended(node!, args, { cwd: folder });
    assertEquals([code, out, error], [0, "5\n5\n", ""], type);
  }
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
  assertMatch(output, /^What is the cheapest way to copy a message\?$/m);
});

Deno.test("a start that fails is told", async () => {
  const wrong = { "main.ts": "const count: number = '1'; console.log(count);" };
  assertEquals((await run(wrong, ["--check", "main.ts"])).startsWith("ended with 1:"), true);
});
