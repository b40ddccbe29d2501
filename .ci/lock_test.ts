import { assertEquals } from "@std/assert";

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
