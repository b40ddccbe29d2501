import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { compilerProblem } from "../../../scenarios/native/native_library.ts";
import { parseDeclareOptions } from "./main.ts";

Deno.test("parseDeclareOptions() reads a header and names, and says what is wrong", () => {
  assertEquals(parseDeclareOptions(["--help"]), undefined);
  assertEquals(parseDeclareOptions(["a/zlib-ng.h", "--also", "b.h", "--import", "./x.ts"]), {
    header: "a/zlib-ng.h",
    name: "zlib_ng",
    importFrom: "./x.ts",
    library: undefined,
    also: ["b.h"],
    include: [],
  });
  const wrong = [
    [[], "HEADER: beside options there is nothing"],
    [["a.h", "b.h"], "there is a.h b.h"],
    [["a.h", "--name", "a-b"], "must be a name: current value is a-b"],
    [["a.h", "--names", "a"], "has no option --names"],
  ] as const;
  for (const [args, text] of wrong) {
    assertThrows(() => parseDeclareOptions(args), SyntaxError, text);
  }
});

Deno.test({
  name: "declare writes a module and a list, or says why it cannot read the header",
  ignore: compilerProblem() !== undefined,
  async fn() {
    const header = await Deno.makeTempFile({ suffix: ".h" });
    await Deno.writeTextFile(
      header,
      "#include <stdarg.h>\nint add(int a, int b) __attribute__((pure));\nint v(va_list a);\n",
    );
    const run = (...args: readonly string[]) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", new URL("./main.ts", import.meta.url).href, ...args],
      }).output();
    const [good, bad, system] = await Promise.all(
      [run(header, "--name", "m"), run("no/such.h"), run("sys/stat.h")],
    );
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assertStringIncludes(text(good.stdout), "  add: fn([i32, i32], i32),\n");
    assertStringIncludes(text(good.stderr), "1 declared, 0 guesses to check, 1 not said");
    assertStringIncludes(text(bad.stderr), "no/such.h");
    assertStringIncludes(text(system.stdout), "  mkdir: fn([string, u32], i32),\n");
    assertEquals([good.code, bad.code, system.code], [0, 2, 0]);
    await Deno.remove(header);
  },
});
