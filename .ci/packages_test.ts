/** Which packages the tree names, and what a clone downloads for a command. */
import { assertEquals } from "@std/assert";
import { ended } from "../bench/machine/ended.ts";
import { ScratchFolder } from "../core/testing/fixtures/scratch_folder.ts";
import { readSources } from "./tidy/source.ts";

const ROOT = new URL("../", import.meta.url);

interface ImportMap {
  readonly imports: Readonly<Record<string, string>>;
}

interface Lock {
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<Record<string, unknown>>;
}

async function read<File>(path: string): Promise<File> {
  return JSON.parse(await Deno.readTextFile(new URL(path, ROOT)));
}

/** The package and its version of a target: `npm:a@1.0.0` of `npm:/a@1.0.0/` and of `npm:a@1.0.0/b`. */
function packageOf(target: string): string {
  const [, name] = /^npm:\/?((?:@[^/]+\/)?[^/]+)/.exec(target)!;
  return `npm${":"}${name}`;
}

/** Packages that a lock file does not pin: a fresh clone may find them in another version. */
function missingFrom(lock: Lock, { imports }: ImportMap): string[] {
  return Object.values(imports).filter((target) => target.startsWith("npm:")).map(packageOf)
    .filter((name) => !(name in lock.specifiers));
}

/** As those that nobody imports any more: Deno downloads whatever a lock file lists. */
function idleIn(lock: Lock, wanted: readonly string[]): string[] {
  const known = new Set(wanted.filter((target) => target.startsWith("npm:")).map(packageOf));
  return Object.keys(lock.specifiers).filter((name) => !known.has(name));
}

/** What stands in for @std, by vendor/std. */
const STD = "npm:deno-std@1.4.0";

Deno.test(".ci/deno.lock pins what import_map.json names, and nothing else", async () => {
  const map = await read<ImportMap>("import_map.json");
  const lock = await read<Lock>(".ci/deno.lock");
  assertEquals(missingFrom(lock, map), []);
  assertEquals(idleIn(lock, [STD, ...Object.values(map.imports)]), []);
});

interface Graph {
  readonly roots: readonly string[];
  readonly redirects: Readonly<Record<string, string>>;
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
  }[];
}

/** The packages that a program loads: those that only its types name are left out. */
async function packagesOf(entry: string): Promise<string[]> {
  const args = ["info", "--json", "--lock=.ci/deno.lock", entry];
  const { roots, redirects, modules }: Graph = JSON.parse(
    (await ended(Deno.execPath(), args, { cwd: ROOT })).out,
  );
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const seen = new Set(roots);
  for (const specifier of seen) {
    for (const { code } of known.get(redirects[specifier] ?? specifier)?.dependencies ?? []) {
      if (code?.specifier !== undefined) seen.add(code.specifier);
    }
  }
  return [...new Set([...seen].filter((one) => one.startsWith("npm:")).map(packageOf))];
}

/** The main command, and the process that it starts for each point. */
const MAIN = ["bench/cli/main.ts", "bench/sweep/isolated_point.ts"];

Deno.test("deno.lock pins what the main command loads, and nothing else", async () => {
  const wanted = (await Promise.all(MAIN.map(packagesOf))).flat();
  const lock = await read<Lock>("deno.lock");
  assertEquals(wanted.filter((name) => !(name in lock.specifiers)), []);
  assertEquals(idleIn(lock, wanted), []);
});

Deno.test("the main command runs with deno.lock as it is, and leaves it so", async () => {
  using scratch = new ScratchFolder();
  const lock = await Deno.readTextFile(new URL("deno.lock", ROOT));
  const args = ["run", "-A", "--frozen", "bench/cli/main.ts", "--scenario", "ping_pong", "--quick"];
  const { code, error } = await ended(
    Deno.execPath(),
    [...args, "--out", scratch.path],
    { cwd: ROOT },
  );
  assertEquals([code, code === 0 ? "" : error], [0, ""]);
  assertEquals(await Deno.readTextFile(new URL("deno.lock", ROOT)), lock);
});

Deno.test("what a lock file lacks or lists for nobody is told", () => {
  const npm = (name: string) => `${"np" + "m:"}${name}`;
  const lock = { specifiers: { [npm("known@1.0.0")]: "1.0.0" }, npm: {} };
  const imports = {
    ...{ a: npm("known@1.0.0"), "a/b": npm("known@1.0.0/b"), "a/": npm("/known@1.0.0/") },
    ...{ c: npm("@s/unknown@1.0.0/x"), "@std/x": "jsr:@std/x@1" },
  };
  assertEquals(missingFrom(lock, { imports }), [npm("@s/unknown@1.0.0")]);
  assertEquals(idleIn(lock, [imports.c]), [imports.a]);
});

/** Names that no module mentions: what a clone downloads for nothing. */
function unusedIn({ imports }: ImportMap, texts: readonly string[]): string[] {
  return Object.keys(imports).filter((name) =>
    !texts.some((text) => text.includes(name.endsWith("/") ? `"${name}` : `"${name}"`))
  );
}

Deno.test("import_map.json names what the modules use", async () => {
  const texts = readSources(ROOT).filter(({ path }) => path.endsWith(".ts"));
  assertEquals(unusedIn(await read("import_map.json"), texts.map(({ text }) => text)), []);
});

Deno.test("import_map.json names what the modules use, or the check says so", () => {
  const imports = { used: "", "sub/": "", "sub/y": "", unused: "" };
  assertEquals(unusedIn({ imports }, ['from "used"', 'from "sub/x"']), ["sub/y", "unused"]);
});
