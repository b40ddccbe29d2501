import { assertEquals, assertNotEquals } from "@std/assert";
import plugin from "./lint.ts";
import { foundFindings, markedFindings } from "./lint/testdata/marked_source.ts";

const BAD = `
import { TypedClient } from "${new URL("./mod.ts", import.meta.url).pathname}";
const client = new TypedClient(channel);
const port = client.open(1);
const sent = port.send(); //! unconsumed-port
port.use(fill); //! use-after-move
port.close(); //! double-move
client.tryOpen(1).value.close(); //! unchecked-maybe
`;

Deno.test("the plugin has a rule for every way to misuse a port", () => {
  const found = foundFindings(BAD).toSorted();
  assertEquals(found, markedFindings(BAD).toSorted());
  const rules = new Set(found.map((one) => one.split(" ")[1]!));
  assertEquals([...rules].toSorted(), Object.keys(plugin.rules).toSorted());
});

Deno.test("the plugin says what to do", () => {
  for (const { hint, message } of Deno.lint.runPlugin(plugin, "bad.ts", BAD)) {
    assertNotEquals(hint ?? "", "", message);
  }
});

/** Runs `deno lint` on a program in a folder with nothing but the plugin; returns the rules. */
async function lintedRules(program: string): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir();
  try {
    const lint = { plugins: [new URL("./lint.ts", import.meta.url).href], rules: { tags: [] } };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ lint }));
    await Deno.writeTextFile(`${folder}/main.ts`, program);
    const command = { args: ["lint", "--json"], cwd: folder };
    const { stdout } = await new Deno.Command(Deno.execPath(), command).output();
    const { diagnostics } = JSON.parse(new TextDecoder().decode(stdout));
    return diagnostics.map(({ code }: { readonly code: string }) => code);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("deno lint runs the plugin in a project that names it", async () => {
  const rules = Object.keys(plugin.rules).map((one) => `linear/${one}`);
  assertEquals((await lintedRules(BAD)).toSorted(), rules.toSorted());
});

Deno.test("the plugin follows the text that is open, not the one that is saved", () => {
  const head = BAD.split("\n").slice(0, 3).join("\n");
  const rulesIn = (text: string) =>
    Deno.lint.runPlugin(plugin, "open.ts", text).map(({ id }) => id);
  const leak = `${head}\nclient.open(1);`;
  assertEquals(rulesIn(leak), ["linear/unconsumed-port"]);
  assertEquals(rulesIn(`${head}\nclient.open(1).close();`), []);
  assertEquals(rulesIn(leak), ["linear/unconsumed-port"]);
});
