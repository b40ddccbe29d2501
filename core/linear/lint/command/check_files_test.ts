import { assert, assertEquals } from "@std/assert";
import { checkFiles } from "./check_files.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;

Deno.test("checkFiles() follows ports through the files of a program", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const texts: Readonly<Record<string, string>> = {
      "kit.ts": `import { TypedClient } from "${LIBRARY}"; export declare const rpc: TypedClient;`,
      "main.ts": 'import { rpc } from "#kit";\nconst port = rpc.open(1);\nport.close();\n' +
        "port.close();\n// deno-lint-ignore linear/use-after-move\nport.use(() => {});",
      "plain.ts": "export const port = { close() {} }; port.close(); port.close();",
      "deno.json": '{ "imports": { "#kit": "./kit.ts" } }',
    };
    for (const [name, text] of Object.entries(texts)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const paths = ["kit.ts", "main.ts", "plain.ts"].map((one) => `${folder}/${one}`);
    const report = await checkFiles(paths, { config: `${folder}/deno.json` });
    const found = report.findings.map(({ file, line, column, rule }) => [file, line, column, rule]);
    assertEquals(found, [[`${folder}/main.ts`, 4, 1, "double-move"]]);
    assertEquals([report.fileCount, report.portFileCount], [3, 2]);

    // What is kept is for these rules, and no others.
    const cachePath = `${folder}/cache.json`;
    await checkFiles(paths, { config: `${folder}/deno.json`, cachePath });
    const { inputs } = JSON.parse(await Deno.readTextFile(cachePath)).run;
    assert(inputs.includes(new URL("../path/run.ts", import.meta.url).pathname));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
