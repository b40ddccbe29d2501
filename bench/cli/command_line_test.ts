import { assertEquals, assertMatch, assertNotMatch, assertThrows } from "@std/assert";
import { refuseOthers, refuseTwice, write } from "./command_line.ts";
import { endedModule } from "../machine/ended.ts";

Deno.test("write() goes on after a stream took a part", () => {
  const taken: number[] = [];
  const stream = {
    writeSync(bytes: Uint8Array) {
      taken.push(...bytes.subarray(0, 3));
      return Math.min(3, bytes.length);
    },
  };
  write(stream, "eleven byte");
  assertEquals(new TextDecoder().decode(new Uint8Array(taken)), "eleven byte");
});

Deno.test("write() leaves out what nobody reads any more, and throws what else is wrong", () => {
  const failing = (error: Error) => ({
    writeSync() {
      throw error;
    },
  });
  write(failing(new Deno.errors.BrokenPipe("Broken pipe (os error 32)")), "text");
  assertThrows(() => write(failing(new Error("no space")), "text"), Error, "no space");
});

/** Runs a program that does its work by `exitStatusOf()`. */
async function statusOf(work: string) {
  const module = new URL("./command_line.ts", import.meta.url);
  const program =
    `import { exitStatusOf, tellAll } from "${module}"; Deno.exit(await exitStatusOf(${work}));`;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const args = [
    "run",
    "--allow-read",
    "--no-check",
    "--config",
    config,
    `data:text/typescript,${encodeURIComponent(program)}`,
  ];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  return [code, new TextDecoder().decode(stderr)];
}

Deno.test("exitStatusOf() is what the work returns, or with the reason of what it threw 2, or 1 for the system's", async () => {
  assertEquals(await statusOf("async () => 1"), [1, ""]);
  assertEquals(await statusOf("async () => {}"), [0, ""]);
  assertEquals(await statusOf("() => 1"), [1, ""]);
  assertEquals(await statusOf("() => { throw new TypeError('no file') }"), [2, "no file\n"]);
  assertEquals(await statusOf("async () => { throw new TypeError('no file') }"), [2, "no file\n"]);
  assertEquals(await statusOf("async () => { throw new Error('disk full') }"), [1, "disk full\n"]);
});

Deno.test("tellAll() tells ten lines, and how many more there are", async () => {
  const [, text] = await statusOf("() => tellAll(Array(12).fill('a'))");
  assertEquals(text, "a\n".repeat(10) + "... and 2 more like these\n");
});

Deno.test("exitStatusOf() tells what the system refused in the grammar of other errors", async () => {
  const told = await statusOf("() => Deno.readDirSync('/no/such')");
  assertEquals(told[0], 2);
  assertMatch(String(told[1]), /^Cannot .* as the system says/);
});

Deno.test("refuseOthers() names the nearest option, and leaves files alone", () => {
  const unknown = refuseOthers(["--out", "--help"]);
  unknown("file.jsonl");
  assertThrows(
    () => unknown("--oot=a", "oot"),
    SyntaxError,
    'it has no option --oot=a: options are --out, --help; the nearest is "--out"',
  );
});

Deno.test("every command refuses an option that it does not have with 2, and names it", async () => {
  const programs = [
    ...["main", "compare", "report", "merge", "doctor", "hello", "wgsl", "run/main"],
    ...["history/main", "../../.ci/notebooks", "../../.ci/pack", "../../.ci/wasm"],
  ];
  const ended = await Promise.all(programs.map(async (name) => {
    const { code, out, error } = await endedModule(
      new URL(`./${name}.ts`, import.meta.url),
      "--nope",
    );
    return [name, code, out, /--nope/.test(error)];
  }));
  assertEquals(ended, programs.map((name) => [name, 2, "", true]));
});

Deno.test("every task reads its options by the one parser", async () => {
  const root = new URL("../../", import.meta.url);
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  for (const [name, { command }] of Object.entries<{ readonly command: string }>(tasks)) {
    const [path] = /[^ $"/]+\/[^ "]+\.ts/.exec(command.replace(/--lock=\S+ |\$ROOT\//g, "")) ?? [];
    const text = await Deno.readTextFile(new URL(path!, root));
    assertMatch(text, /(runCommand|readOptions|parse\w*Options|runCheck)\(/, name);
    assertNotMatch(text, /parseArgs/, name);
  }
});

Deno.test("refuseTwice() names an option that is there twice, unless it is a list", () => {
  for (const args of [["--out", "a", "--out=b"], ["--quick", "x", "--quick"]]) {
    assertThrows(() => refuseTwice(args), SyntaxError, `as ${args[0]} is there twice`);
  }
  refuseTwice(["--axis", "a", "--axis=b"], ["--axis"]);
  refuseTwice(["--out", "a", "--", "--out", "--out"]);
});
