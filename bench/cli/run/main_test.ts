import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { liveObstacle } from "../../../core/gpu/live/device/on_live_device_test.ts";
import { softwareGpu } from "../../adapters/software_gpu.ts";
import { ended, endedModule, LOCK } from "../../machine/ended.ts";
import { ScratchFolder } from "../../../core/testing/fixtures/scratch_folder.ts";

const PROGRAM = new URL("./main.ts", import.meta.url).href;
const ignore = softwareGpu.kind === "none";
const ignoreLive = ignore || liveObstacle !== undefined;
const decoder = new TextDecoder();

function command(args: readonly string[]): Deno.Command {
  const options = { stdout: "piped", stderr: "piped", stdin: "null" } as const;
  return new Deno.Command(Deno.execPath(), {
    ...options,
    args: ["run", "-A", "--quiet", LOCK, PROGRAM, ...args],
  });
}

function run(...args: readonly string[]) {
  return endedModule(PROGRAM, ...args);
}

/** Runs a test with a file that has this text. */
async function withFile(text: string, test: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".wgsl" });
  try {
    await Deno.writeTextFile(path, text);
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("run tells its options, and what it cannot read", async () => {
  const help = await run("--help");
  assertEquals([help.code, help.error], [0, ""]);
  assertStringIncludes(help.out, "Usage: deno task run [options] FILE.wgsl");
  const absent = await run("/nowhere/a.wgsl");
  const reason = "Cannot read /nowhere/a.wgsl: no such file or directory\n";
  assertEquals(absent, { code: 2, out: "", error: reason });
});

Deno.test({
  name: "run ends with the results of all threads, or says which of them disagree",
  ignore,
  fn: () =>
    withFile(
      'fn main() -> i32 { printf("a"); return i32(1u << thread_index()); }',
      async (path) => {
        const timed = await run("--threads", "3", "--time", path);
        assertEquals([timed.code, timed.out], [7, "aaa"]);
        assertStringIncludes(timed.error, "calls   1 packets in 1 epochs");
        const { code, error } = await run("--blocks=2", "--threads=2", "--uniform", path);
        assertEquals(code, 70);
        assertStringIncludes(
          error,
          "main returned 1 in thread 0 of block 0, and 2 in thread 1 of block 0",
        );
      },
    ),
});

Deno.test({
  name: "run shows where a program does not compile",
  ignore,
  fn: () =>
    withFile("fn begin() {}\nfn main() -> i32 { return y; }", async (path) => {
      const { code, error } = await run(path);
      assertEquals(code, 65);
      assertStringIncludes(error, `${path}:2:27: `);
      assertStringIncludes(error, "\nfn main() -> i32 { return y; }\n");
    }),
});

Deno.test({
  name: "wc ends with 1 where it cannot read what it opened",
  ignore,
  fn: async () => {
    const wc = new URL("../../../scenarios/kernels/wc.wgsl", import.meta.url).pathname;
    const { code, error } = await run(wc, "--", ".");
    assertEquals([code, error], [1, ".: a directory\n"]);
  },
});

Deno.test({
  name: "a signal ends a program whose kernel never ends, and the loader says so",
  ignore: ignore || Deno.build.os === "windows",
  fn: () =>
    withFile(ENDLESS, async (path) => {
      const child = command([path]).spawn();
      const reader = child.stdout.getReader();
      const { value } = await reader.read();
      assertEquals(decoder.decode(value), "go\n");
      await reader.cancel();
      // Not SIGINT: where the tests run in the background, a shell may have it ignored.
      child.kill("SIGTERM");
      const { code, signal } = await child.status;
      assertEquals([code, signal], [143, "SIGTERM"]);
      const said = await new Response(child.stderr).text();
      assertEquals(said, "Cannot go on with the program as SIGTERM has ended it\n");
    }),
});

/**
 * What it prints goes to the host before another call. Compilers may leave a loop out that only computes, and
 * did: this one changes memory that others see, and no sum of twos is odd.
 */
const ENDLESS = `
  var<storage, read_write> sums: array<atomic<u32>, 1>;
  fn main() {
    printf("go\\n");
    let address = malloc(4u);
    loop { if atomicAdd(&sums[0], 2u) == 1u { break; } }
  }`;

Deno.test({
  name: "a program whose reader has gone ends as SIGPIPE would end it",
  ignore,
  fn: () =>
    withFile('fn main() { loop { printf("line\\n"); } }', async (path) => {
      const child = command([path]).spawn();
      const reader = child.stdout.getReader();
      assert((await reader.read()).value);
      await reader.cancel();
      assertEquals((await child.status).code, 141);
      assertEquals(await new Response(child.stderr).text(), "");
    }),
});

Deno.test({
  name: "run --root leaves a program the files of one folder, and no commands",
  ignore: ignore || Deno.build.os !== "linux",
  fn: () =>
    withFile(ROOTED, async (path) => {
      using scratch = new ScratchFolder();
      const root = scratch.path;
      const { code, error } = await run("--root", root, path, "--", path);
      assertEquals([code, error], [7, `${path}: permission denied\n`]);
      assertEquals(await Deno.readTextFile(`${root}/own.txt`), "own");
    }),
});

const ROOTED = `
  fn main(argc: u32, argv: u32) -> i32 {
    let own = fopen("own.txt", "w");
    fputs("own", own);
    let name = heap_u32(argv + 4u);
    if is_null(fopen(name, "r")) { perror(name); }
    return select(0, 7, system("true") == -1);
  }`;

Deno.test({
  name: "the task takes paths from the folder where it is called",
  ignore,
  fn: () =>
    withFile("fn main() -> i32 { return 5; }", async (path) => {
      const [, folder, name] = /^(.*)\/(.*)$/.exec(path)!;
      const config = new URL("../../../deno.json", import.meta.url).pathname;
      // Of a task that runs these tests, whose folder would be taken for this one's.
      const { INIT_CWD: _, ...env } = Deno.env.toObject();
      const { code } = await new Deno.Command(Deno.execPath(), {
        args: ["task", "--quiet", "--config", config, "run", name!],
        cwd: folder!,
        clearEnv: true,
        env,
        stderr: "null",
      }).output();
      assertEquals(code, 5);
    }),
});

/** With arguments, standard input, a file, lines of all threads, the environment and an exit in one thread. */
const WHOLE = `
  var<storage, read_write> total: atomic<u32>;
  fn begin(argc: u32, argv: u32) {
    let room = malloc(100u);
    while fgets(room, 100u, stdin()) != 0u { fputs(room, stdout()); }
    let file = fopen(heap_u32(argv + 4u), "r");
    if is_null(file) { perror(heap_u32(argv + 4u)); }
    printf("%u\\n", argc);
  }
  fn main(argc: u32, argv: u32) -> i32 {
    atomicAdd(&total, u32(atoi(heap_u32(argv + 8u))) * thread_index());
    return 64;
  }
  fn end() { exit(i32(atomicLoad(&total))); puts("nothing goes on"); }`;

Deno.test({
  name: "run --live does with a program what run does",
  ignore: ignoreLive,
  fn: () =>
    withFile(WHOLE, async (path) => {
      const outcomeOf = async (...options: readonly string[]) => {
        const child = new Deno.Command(Deno.execPath(), {
          args: [
            ...["run", "-A", "--quiet", LOCK, PROGRAM, "--threads", "5", ...options],
            ...[path, "--", "absent.txt", "7"],
          ],
          stdin: "piped",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        const writer = child.stdin.getWriter();
        await writer.write(new TextEncoder().encode("one line\nanother"));
        await writer.close();
        const { code, stdout, stderr } = await child.output();
        return { code, out: decoder.decode(stdout), error: decoder.decode(stderr) };
      };
      const [live, epochs] = await Promise.all([outcomeOf("--live"), outcomeOf()]);
      const expected = {
        code: 70,
        out: "one line\nanother3\n",
        error: "absent.txt: no such file or directory\n",
      };
      assertEquals([live, epochs], [expected, expected]);
    }),
});

Deno.test({
  name: "run --live ends as its faults say",
  ignore: ignoreLive,
  fn: () =>
    withFile("fn main() {\n  heap_set_u32(18u, 7u);\n}", async (path) => {
      const bad = await run("--live", path);
      assertEquals([bad.code, bad.out], [70, ""]);
      assertStringIncludes(bad.error, "an address that does not lie in the heap");
      const nowhere = await run("--live", "--device", "Voodoo 2", path);
      assertEquals(nowhere.code, 69);
      assertStringIncludes(nowhere.error, "there is no device named Voodoo 2: there are 0 ");
      const args = ["run", "-A", "--deny-ffi", "--quiet", LOCK, PROGRAM, "--live", path];
      const { code, error } = await ended(Deno.execPath(), args);
      assertEquals(code, 69);
      assertStringIncludes(error, "the permission for FFI is missing: run with");
    }),
});

Deno.test({
  name: "a signal ends a program that never ends, and that runs live",
  ignore: ignoreLive || Deno.build.os === "windows",
  fn: () =>
    withFile(ENDLESS, async (path) => {
      const child = command(["--live", path]).spawn();
      const reader = child.stdout.getReader();
      assertEquals(decoder.decode((await reader.read()).value), "go\n");
      await reader.cancel();
      child.kill("SIGTERM");
      const { code, signal } = await child.status;
      assertEquals([code, signal], [143, "SIGTERM"]);
      await child.stderr.cancel();
    }),
});
