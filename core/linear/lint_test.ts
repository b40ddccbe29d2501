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

Deno.test("the plugin's cases fail when a mark is wrong", () => {
  assertNotEquals(foundFindings(BAD), markedFindings(BAD.replace(" //! double-move", "")));
  assertNotEquals(foundFindings(BAD.replace("port.use(fill);", "")), markedFindings(BAD));
});

/** Runs `deno lint` with the project's configuration; returns the codes of this plugin. */
async function lintedCodes(...args: readonly string[]): Promise<readonly string[]> {
  const root = new URL("../../", import.meta.url);
  const config = new URL("deno.json", root).pathname;
  const command = { args: ["lint", "--json", "--config", config, ...args], cwd: root };
  const { stdout } = await new Deno.Command(Deno.execPath(), command).output();
  const { diagnostics } = JSON.parse(new TextDecoder().decode(stdout));
  const codes = diagnostics.map(({ code }: { readonly code: string }) => code);
  return codes.filter((code: string) => code.startsWith("linear/"));
}

Deno.test("the project's lint runs the plugin, and has nothing to say of what is right", async () => {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, BAD);
    assertEquals((await lintedCodes(path)).length, 4);
    assertEquals(await lintedCodes("core/linear/typed_client.ts", "core/linear/mod.ts"), []);
  } finally {
    await Deno.remove(path);
  }
});
