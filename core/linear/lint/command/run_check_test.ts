import { assertEquals, assertMatch } from "@std/assert";
import { runCheck } from "./run_check.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;

async function run(...args: readonly string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const output = {
    print: (text: string) => printed.push(text),
    note: (text: string) => noted.push(text),
  };
  const code = await runCheck(args, output);
  return { code, printed: printed.join("\n"), noted: noted.join("\n") };
}

Deno.test("runCheck() ends with 0, 1 or 2, and says why", async () => {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const head = `import { TypedClient } from "${LIBRARY}"; declare const c: TypedClient;`;
    await Deno.writeTextFile(path, `${head}\nc.open(1);`);
    const json = await run(path, "--json");
    const [finding] = JSON.parse(json.printed).findings;
    assertEquals([json.code, finding.line, finding.rule], [1, 2, "unconsumed-port"]);
    assertMatch((await run(path, "--github")).printed, /^::error file=.*,line=2,col=1,/);
    await Deno.writeTextFile(path, `${head}\nc.open(1).close();`);
    assertEquals((await run(path)).code, 0);
  } finally {
    await Deno.remove(path);
  }
  assertMatch((await run("--jason")).noted, /Cannot take --jason/);
  assertEquals((await run("/no/such/file.ts")).code, 2);
});
