import { assertEquals } from "@std/assert";
import { readSources } from "./tidy/source.ts";

interface Config {
  readonly imports: Readonly<Record<string, string>>;
}

interface Lock {
  readonly specifiers: Readonly<Record<string, string>>;
}

/** Packages that a fresh clone would have to look up, and so might find in another version. */
function missingFrom(lock: Lock, config: Config): string[] {
  return Object.values(config.imports).filter((target) =>
    target.startsWith("npm:") && !(target in lock.specifiers)
  );
}

/** A file as it was committed. Deno adds what is missing to the file on disk before any test starts. */
async function committed(path: string): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["show", `HEAD:./${path}`],
      cwd: new URL("..", import.meta.url),
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const config = await committed("deno.json");
const lock = await committed("deno.lock");

Deno.test({
  name: "deno.lock pins what deno.json imports",
  ignore: config === undefined || lock === undefined,
  fn: () => assertEquals(missingFrom(JSON.parse(lock!), JSON.parse(config!)), []),
});

Deno.test("deno.lock pins what deno.json imports, or the check says so", () => {
  const known = "np" + "m:known@1.0.0";
  const imports = { known, unknown: "np" + "m:unknown@1.0.0", "@std/x": "jsr:@std/x@1" };
  assertEquals(missingFrom({ specifiers: { [known]: "1.0.0" } }, { imports }), [imports.unknown]);
});

/** Names that no module mentions: what a clone downloads for nothing. */
function unusedIn(config: Config, texts: readonly string[]): string[] {
  return Object.keys(config.imports).filter((name) =>
    !texts.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`))
  );
}

Deno.test("deno.json imports what the modules use", async () => {
  const root = new URL("..", import.meta.url);
  const texts = readSources(root).filter(({ path }) => path.endsWith(".ts"));
  const config = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  assertEquals(unusedIn(config, texts.map(({ text }) => text)), []);
});

Deno.test("deno.json imports what the modules use, or the check says so", () => {
  const imports = { used: "", "@sub/path": "", unused: "" };
  assertEquals(unusedIn({ imports }, ['from "used"', 'from "@sub/path/x"']), ["unused"]);
});
