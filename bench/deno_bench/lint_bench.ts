/** Few, so that `deno bench -A` ends in two minutes; the goal is set for 300. */
const FILE_COUNT = Number(Deno.args[0] ?? 20);

const folder = Deno.makeTempDirSync();
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
const core = new URL("../../core/", import.meta.url);
/** The programs of the README that have nothing wrong in them. */
const programs = [
  ...Deno.readTextFileSync(new URL("linear/README.md", core))
    .matchAll(/^```ts\n([^]*?)^```/gm),
].map(([, block]) =>
  block!.replace('"./mod.ts"', `"${core.pathname}linear/mod.ts"`)
    .replace('"../mod.ts"', `"${core.pathname}mod.ts"`)
).filter((block) => !block.includes("//!"));
const command = new URL("../../core/linear/check.ts", import.meta.url).href;
Deno.writeTextFileSync(`${folder}/deno.json`, "{}");

/** Writes all files anew: what was known of them before does not hold. */
function writeFiles(): void {
  for (let index = 0; index < FILE_COUNT; index++) {
    const program = programs[index % programs.length]!;
    Deno.writeTextFileSync(`${folder}/file${index}.ts`, `${program}// ${crypto.randomUUID()}\n`);
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
      group: `${FILE_COUNT} files, ${state}`,
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
