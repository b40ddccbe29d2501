import { assert, assertEquals, assertRejects } from "@std/assert";
import { toFileUrl } from "@std/path";
import { loadScenarios } from "../../../scenarios/registry.ts";
import { scenariosOf } from "./tree_of.ts";
import { ended } from "../../machine/ended.ts";
import { ScratchFolder } from "../../../core/testing/fixtures/scratch_folder.ts";

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { code, error } = await ended("git", ["-C", folder, ...author, ...args]);
  assert(code === 0, error);
}

function moduleText(question: string): string {
  return `export const mine = { name: "mine", question: "${question}?", axes: {},
  setup: async () => ({ run() {}, [Symbol.asyncDispose]: async () => {} }) };\n`;
}

Deno.test("scenariosOf() takes a module of a repository of its own as a commit has it", async () => {
  using scratch = new ScratchFolder();
  const folder = await Deno.realPath(scratch.path);
  const path = `${folder}/mine.ts`;
  await Deno.writeTextFile(path, moduleText("Before"));
  await git(folder, "init", "--quiet");
  await git(folder, "add", "mine.ts");
  await git(folder, "commit", "--quiet", "-m", "one");
  await Deno.writeTextFile(path, moduleText("Now"));
  const scenarios = await loadScenarios(toFileUrl(path));
  for (let time = 0; time < 2; time++) { // the second finds the tree unpacked
    const { others: [other], commit } = await scenariosOf("HEAD", scenarios);
    assertEquals([scenarios[0]!.question, other!.scenario.question], ["Now?", "Before?"]);
    assert(other!.moduleUrl.includes(commit) && commit.length === 40);
  }
  await assertRejects(
    () => scenariosOf("no-such", scenarios),
    TypeError,
    'Cannot take the tree of the commit "no-such" as git rev-parse says',
  );
});

Deno.test("scenariosOf() has no commit of a module that is no file", async () => {
  const url = `data:text/javascript,${encodeURIComponent(moduleText("Now"))}`;
  const scenarios = await loadScenarios(url);
  await assertRejects(() => scenariosOf("HEAD", scenarios), TypeError, "as it is no file");
});
