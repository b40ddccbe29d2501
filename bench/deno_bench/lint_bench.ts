import { realisticSource } from "../../core/linear/lint/testdata/realistic_source.ts";

/** The size of file that the goal is set for. */
const LINE_COUNT = 1000;

/**
 * Lints one file in a new process, as `deno lint` does on the command line: start, plugin load and
 * analysis. `Deno.lint.runPlugin` would leave the process out, but runs in tests only.
 */
async function isClean(config: string, path: string): Promise<boolean> {
  const args = ["lint", "--quiet", "--config", config, path];
  const { success } = await new Deno.Command(Deno.execPath(), { args }).output();
  return success;
}

function writeConfig(folder: string, name: string, plugins: readonly string[]): string {
  const path = `${folder}/${name}.json`;
  const rules = { tags: [], include: ["no-debugger"] };
  Deno.writeTextFileSync(path, JSON.stringify({ lint: { plugins, rules } }));
  return path;
}

const folder = Deno.makeTempDirSync();
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

const file = `${folder}/realistic.ts`;
const emptyPlugin = `${folder}/empty_plugin.ts`;
const library = new URL("../../core/linear/mod.ts", import.meta.url).pathname;
const source = realisticSource(LINE_COUNT).replaceAll("./linear/mod.ts", library);
Deno.writeTextFileSync(file, source);
Deno.writeTextFileSync(
  emptyPlugin,
  `export default { name: "empty", rules: { nothing: { create: () => ({}) } } };`,
);
const linearPlugin = new URL("../../core/linear/lint.ts", import.meta.url).href;
const configs = {
  "no plugin": writeConfig(folder, "none", []),
  "a plugin with one empty rule": writeConfig(folder, "empty", [emptyPlugin]),
  "the linear rules": writeConfig(folder, "linear", [linearPlugin]),
};

const faultyFile = `${folder}/faulty.ts`;
Deno.writeTextFileSync(faultyFile, source.replace("back.close();", ""));
if (await isClean(configs["the linear rules"], faultyFile)) {
  throw new Error("Cannot measure the rules as they do not run: a missing close went unnoticed");
}

for (const [name, config] of Object.entries(configs)) {
  Deno.bench({
    name,
    group: `deno lint of ${LINE_COUNT} lines`,
    baseline: config === configs["a plugin with one empty rule"],
    n: 20,
    async fn() {
      if (!await isClean(config, file)) throw new Error(`Cannot lint ${file} as it is not clean`);
    },
  });
}
