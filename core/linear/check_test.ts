import { assertEquals, assertMatch } from "@std/assert";
import { checkFiles } from "./check.ts";

const LIBRARY = new URL("./mod.ts", import.meta.url).href;
const HEAD = `import { TypedClient } from "${LIBRARY}"; declare const c: TypedClient;`;

/** Files in a folder of their own. */
async function withFiles(
  texts: Readonly<Record<string, string>>,
  work: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const [name, text] of Object.entries(texts)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("checkFiles() follows ports through the files of a program", async () => {
  const texts = {
    "kit.ts": `import { TypedClient } from "${LIBRARY}"; export declare const rpc: TypedClient;`,
    "main.ts": 'import { rpc } from "#kit";\nconst port = rpc.open(1);\nport.close();\n' +
      "port.close();\n// deno-lint-ignore linear/use-after-move\nport.use(() => {});",
    "plain.ts": "export const port = { close() {} }; port.close(); port.close();",
    "deno.json": '{ "imports": { "#kit": "./kit.ts" } }',
  };
  await withFiles(texts, (folder) => {
    const paths = ["kit.ts", "main.ts", "plain.ts"].map((one) => `${folder}/${one}`);
    const { findings, fileCount, portFileCount } = checkFiles(paths, folder);
    const found = findings.map(({ file, line, column, rule }) => [file, line, column, rule]);
    assertEquals(found, [["main.ts", 4, 1, "double-move"]]);
    assertEquals([fileCount, portFileCount], [3, 2]);
  });
});

/** Runs the command in a folder. */
async function run(folder: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--no-lock",
      new URL("./check.ts", import.meta.url).href,
      ...args,
    ],
    cwd: folder,
    env: { GITHUB_ACTIONS: "", NO_COLOR: "1" },
  }).output();
  const [printed, noted] = [stdout, stderr].map((one) => new TextDecoder().decode(one).trim());
  return { code, printed: printed!, noted: noted! };
}

Deno.test("the command ends with 0, 1 or 2, and says why", async () => {
  const texts = {
    "leak.ts": `${HEAD}\nc.open(1);`,
    "clean.ts": `${HEAD}\nc.open(1).close();`,
    "gone.ts":
      'import { TypedClient } from "./gone/mod.ts"; declare const c: TypedClient; c.open(1);',
    "half.ts": `${HEAD}\nconst half = ;`,
    "deno.json": '{ "exclude": ["half.ts"] }',
  };
  await withFiles(texts, async (folder) => {
    const json = await run(folder, "leak.ts", "--json");
    const [finding] = JSON.parse(json.printed).findings;
    assertEquals([json.code, finding.line, finding.rule], [1, 2, "unconsumed-port"]);
    assertMatch(
      (await run(folder, "leak.ts", "--github")).printed,
      /^::error file=leak\.ts,line=2,col=1,title=linear\/unconsumed-port::Port is dropped/,
    );
    const clean = await run(folder, "clean.ts");
    assertEquals([clean.code, clean.printed], [0, "0 findings in 1 file with ports of 1"]);
    const gone = await run(folder, "gone.ts");
    assertEquals(gone.code, 2);
    assertMatch(gone.printed, /^gone\.ts: '\.\/gone\/mod\.ts' is not on this machine, and ports/);
    const half = await run(folder, "half.ts");
    assertEquals(half.code, 2);
    assertMatch(half.noted, /^Cannot check, see --help: Cannot read \S+half\.ts:2: Expression exp/);
    const all = await run(folder);
    assertMatch(all.printed, /1 finding in 2 files with ports of 3$/);
    assertEquals((await run(folder, "absent.ts")).code, 2);
    assertMatch((await run(folder, "--jason")).noted, /^Cannot check, see --help: .*'--jason'/);
    assertMatch((await run(folder, "-h")).printed, /^Usage: deno task linear/m);
  });
});
