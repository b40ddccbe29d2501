import { realisticSource } from "../../core/linear/lint/testdata/realistic_source.ts";

/** Few, so that `deno bench -A` ends in two minutes; the goal is set for 300. */
const FILE_COUNT = Number(Deno.args[0] ?? 20);
const LINE_COUNT = 125;

const folder = Deno.makeTempDirSync();
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
const library = new URL("../../core/linear/mod.ts", import.meta.url).pathname;
const source = realisticSource(LINE_COUNT).replaceAll("./linear/mod.ts", library);
const command = new URL("../../core/linear/check.ts", import.meta.url).href;
Deno.writeTextFileSync(`${folder}/deno.json`, "{}");

/** Writes all files anew: what was known of them before does not hold. */
function writeFiles(): void {
  for (let index = 0; index < FILE_COUNT; index++) {
    Deno.writeTextFileSync(`${folder}/file${index}.ts`, `${source}// ${crypto.randomUUID()}\n`);
  }
}

/** What is run on the files as a process of its own, as on the command line. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "deno check": ["check", "--quiet", folder],
  "the linear rules": ["run", "-A", command, folder],
};

for (const state of ["cold", "warm"]) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    Deno.bench({
      name: `${name}, ${state}`,
      group: `${FILE_COUNT} files of ${LINE_COUNT} lines, ${state}`,
      baseline: name === "deno check",
      n: 3,
      warmup: 0,
      async fn(bench) {
        if (state === "cold") writeFiles();
        bench.start();
        const { success } = await new Deno.Command(Deno.execPath(), {
          args: [...args],
          cwd: folder,
        })
          .output();
        bench.end();
        if (!success) throw new Error(`Cannot measure ${name} as it has found something`);
      },
    });
  }
}
