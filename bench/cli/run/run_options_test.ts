import { assertEquals, assertThrows } from "@std/assert";
import { parseRunOptions, RUN_USAGE } from "./run_options.ts";

Deno.test("parseRunOptions() has a default for everything but the file", () => {
  assertEquals(parseRunOptions(["a.wgsl"]), {
    path: "a.wgsl",
    args: ["a.wgsl"],
    threadCount: 1,
    blockCount: 1,
    heapBytes: 1 << 20,
    isUniform: false,
    isTimed: false,
  });
});

Deno.test("parseRunOptions() leaves to the program what stands behind --", () => {
  const line =
    "--time --threads=32 a.wgsl --blocks 4 --uniform --heap 64K --root data -- -x --time";
  const command = parseRunOptions([...line.split(" "), "two words", ""]);
  assertEquals(command, {
    path: "a.wgsl",
    args: ["a.wgsl", "-x", "--time", "two words", ""],
    threadCount: 32,
    blockCount: 4,
    heapBytes: 1 << 16,
    root: "data",
    isUniform: true,
    isTimed: true,
  });
  assertEquals(parseRunOptions(["--help", "a.wgsl"]), undefined);
});

Deno.test("parseRunOptions() takes numbers as they are written", () => {
  assertEquals(parseRunOptions(["--heap", "1024", "7"])?.path, "7");
  assertEquals(parseRunOptions(["--heap", "2m", "a"])?.heapBytes, 2 << 20);
  assertEquals(parseRunOptions(["a", "--", "1", "2e3"])?.args, ["a", "1", "2e3"]);
});

Deno.test("parseRunOptions() refuses what it cannot follow, with a way out", () => {
  const wrong: readonly (readonly [line: string, reason: string])[] = [
    ["", "no file is named\n\nUsage: deno task run"],
    ["a.wgsl b", "what is for the program stands behind --"],
    ["--thread 3 a.wgsl", 'the nearest is "--threads"'],
    ["--threads 0 a.wgsl", 'at least 1: current value is "0"'],
    ["--threads 1.5 a.wgsl", "must be a whole number"],
    ["--blocks -1 a.wgsl", "with -1 as counts and sizes are at least 1"],
    ["--heap 3x a.wgsl", 'such as 65536, 64K or 16M: current value is "3x"'],
    ["--root= a.wgsl", "it must name a folder"],
  ];
  for (const [line, reason] of wrong) {
    const args = line.split(" ").filter((part) => part !== "");
    assertThrows(() => parseRunOptions(args), SyntaxError, reason);
  }
});

Deno.test("the page of the loader tells each option", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/loader.md", import.meta.url));
  const options = [...RUN_USAGE.matchAll(/^ {2}(--\w+(?: [A-Z]+)?)/gm)].map(([, option]) =>
    option!
  );
  assertEquals(options.length, 7);
  assertEquals(options.filter((option) => !page.includes(`| \`${option}\``)), []);
});
