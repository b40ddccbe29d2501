import { dirname, fromFileUrl, join, relative, toFileUrl } from "@std/path";
import type { Scenario } from "../../../scenarios/scenario.ts";
import { moduleUrlOf, scenariosIn } from "../../../scenarios/registry.ts";
import { ended } from "../../machine/ended.ts";

const ROOT = new URL("../../../", import.meta.url);
/** Of this project, a commit is unpacked where its imports find the packages of this tree. */
const OWN_FOLDERS = ["core", "scenarios"];

/** A scenario as another tree or module has it, and where a process finds it. */
export interface OtherScenario {
  readonly scenario: Scenario;
  readonly moduleUrl: string;
}

/**
 * Scenarios as a commit has them: those of this project, or of a module in a repository of its own.
 *
 * @returns the other one for each scenario, in the same order; and the commit's whole name
 * @throws {TypeError} with what git says, or when the commit has no scenario of the name
 */
export async function scenariosOf(
  ref: string,
  scenarios: readonly Scenario[],
): Promise<{ readonly others: readonly OtherScenario[]; readonly commit: string }> {
  const others: OtherScenario[] = [];
  let commit = "";
  for (const scenario of scenarios) {
    const own = moduleUrlOf(scenario);
    const folder = own === undefined ? rootFolder() : await repositoryOf(own);
    const tree = await treeOf(ref, { folder, paths: own === undefined ? OWN_FOLDERS : ["."] });
    commit = tree.commit;
    const moduleUrl = own === undefined
      ? await registeredIn(tree.url, scenario.name)
      : new URL(relative(folder, fromFileUrl(own)), tree.url).href;
    others.push({ scenario: await exportedBy(moduleUrl, scenario.name), moduleUrl });
  }
  return { others, commit };
}

function rootFolder(): string {
  if (ROOT.protocol === "file:") return fromFileUrl(ROOT);
  throw new TypeError(`Cannot take a commit of ${ROOT} as it is no folder: use a clone`);
}

async function repositoryOf(moduleUrl: string): Promise<string> {
  if (!moduleUrl.startsWith("file:")) {
    throw new TypeError(`Cannot take a commit of ${moduleUrl} as it is no file: name two modules`);
  }
  const folder = dirname(fromFileUrl(moduleUrl));
  return await git(["rev-parse", "--show-toplevel"], { folder });
}

/** The module of a scenario, by the lines of a tree's registry: the first that exports it. */
async function registeredIn(tree: string, name: string): Promise<string> {
  const registry = new URL("scenarios/registry.ts", tree);
  const text = await Deno.readTextFile(registry);
  for (const [, path] of text.matchAll(/^ {2}(?:import\()?"(\.\/[^"]+)"\)?,$/gm)) {
    const url = new URL(path!, registry).href;
    if (scenariosIn(await import(url)).some((one) => one.name === name)) return url;
  }
  throw new TypeError(`Cannot measure ${name} as ${tree} has no such scenario`);
}

async function exportedBy(moduleUrl: string, name: string): Promise<Scenario> {
  const found = scenariosIn(await import(moduleUrl)).find((one) => one.name === name);
  if (found) return found;
  throw new TypeError(`Cannot measure ${name} as ${moduleUrl} exports no scenario of that name`);
}

/**
 * The code of a commit, unpacked once, under a path of its own: the caches of compiled code are by path.
 */
async function treeOf(
  ref: string,
  { folder, paths }: { readonly folder: string; readonly paths: readonly string[] },
): Promise<{ readonly url: string; readonly commit: string }> {
  const named = ["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`];
  const commit = await git(named, { folder, ref });
  const trees = join(folder, "dist", "against");
  const tree = join(trees, commit);
  const found = { url: `${toFileUrl(tree).href}/`, commit };
  if (await Deno.stat(tree).then(() => true, () => false)) return found;
  await Deno.mkdir(trees, { recursive: true });
  await Deno.writeTextFile(join(trees, ".gitignore"), "*\n");
  const part = await Deno.makeTempDir({ dir: trees });
  const env = { GIT_WORK_TREE: part, GIT_INDEX_FILE: join(part, "index") };
  try {
    await git(["checkout", "--quiet", commit, "--", ...paths], { folder, ref, env });
    await Deno.rename(part, tree);
  } catch (error) {
    await Deno.remove(part, { recursive: true });
    throw error;
  }
  return found;
}

async function git(
  args: readonly string[],
  { folder, ref = "HEAD", env = {} }: {
    readonly folder: string;
    readonly ref?: string;
    readonly env?: Record<string, string>;
  },
): Promise<string> {
  const { code, out, error } = await ended("git", ["-C", folder, ...args], { env });
  if (code === 0) return out.trim();
  throw new TypeError(
    `Cannot take the tree of the commit "${ref}" as git ${args[0]} says: ${error.trim()}`,
  );
}
