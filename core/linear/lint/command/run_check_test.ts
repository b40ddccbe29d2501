import { assertEquals, assertMatch } from "@std/assert";
import { runCheck } from "./run_check.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;

/** With a cache beside the file that is checked. */
async function run(...args: readonly string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const output = {
    print: (text: string) => printed.push(text),
    note: (text: string) => noted.push(text),
  };
  const code = await runCheck([...args, `--cache=${args[0]!.replace(/[^/]*$/, "cache")}`], output);
  return { code, printed: printed.join("\n"), noted: noted.join("\n") };
}

Deno.test("runCheck() ends with 0, 1 or 2, and says why", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/main.ts`;
  try {
    const head = `import { TypedClient } from "${LIBRARY}"; declare const c: TypedClient;`;
    await Deno.writeTextFile(path, `${head}\nc.open(1);`);
    const json = await run(path, "--json");
    const [finding] = JSON.parse(json.printed).findings;
    assertEquals([json.code, finding.line, finding.rule], [1, 2, "unconsumed-port"]);
    assertMatch((await run(path, "--github")).printed, /^::error file=.*,line=2,col=1,/);
    await Deno.writeTextFile(path, `${head}\nc.open(1).close();`);
    const clean = await run(path);
    assertEquals([clean.code, clean.printed], [0, "0 findings in 1 file with ports of 1"]);
    assertEquals([...Deno.readDirSync(`${folder}/cache`)].length, 1);
    assertEquals(await run(path), clean);

    const conditions = Array.from({ length: 9 }, (_, index) => `if (a(${index})) work();`);
    await Deno.writeTextFile(
      path,
      `${head}\n\nexport function f(a: (index: number) => boolean, work: () => void) { c.open(1).close(); ${
        conditions.join(" ")
      } }`,
    );
    const partly = await run(path, "--json");
    assertMatch(partly.noted, /^Only the likeliest paths were followed from \S+main\.ts:3: there/);
    assertEquals([partly.code, JSON.parse(partly.printed).partly[0].line], [0, 3]);

    await Deno.writeTextFile(path, 'import { rpc } from "./gone.ts"; rpc.open(1);');
    const gone = await run(path);
    assertMatch(gone.noted, /main\.ts: '\.\/gone\.ts' is not followed: Module not found/);
    await Deno.writeTextFile(path, "const half = ;");
    const half = await run(path);
    assertEquals([gone.code, half.code], [0, 2]);
    assertMatch(
      half.noted,
      /^Cannot check .*main\.ts as it cannot be read: current value is Synta/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  assertMatch((await run("--jason")).noted, /^Cannot read the command line, .*'--jason'/);
  assertMatch((await run("-h")).printed, /^Usage: deno task linear/m);
  const absent = await run("/no/such/file.ts");
  assertEquals(absent.code, 2);
  assertMatch(
    absent.noted,
    /^Cannot check \/no\/such\/file\.ts as a file or folder: current value/,
  );
});
