import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { readCommand } from "../options/command_options.ts";
import { COMMAND, optionsOf } from "./main.ts";
import { endedModule } from "../../machine/ended.ts";
import { compilerProblem } from "../../../scenarios/native/native_library.ts";

Deno.test("optionsOf() reads a header and names, and says what is wrong", () => {
  const parse = (args: readonly string[]) => optionsOf(readCommand(args, COMMAND));
  assertEquals(
    parse(["a/zlib-ng.h", "--also", "b.h", "--import", "./x.ts", "--nullable", "FILE"]),
    {
      header: "a/zlib-ng.h",
      name: "zlib_ng",
      importFrom: "./x.ts",
      library: undefined,
      also: ["b.h"],
      define: [],
      nullable: ["FILE"],
      copied: [],
      kept: [],
      include: [],
    },
  );
  const wrong = [
    [[], "HEADER: beside options there is nothing"],
    [["a.h", "b.h"], "there is a.h b.h"],
    [["a.h", "--name", "a-b"], "must be a name: current value is a-b"],
    [["a.h", "--names", "a"], "has no option --names"],
  ] as const;
  for (const [args, text] of wrong) {
    assertThrows(() => parse(args), SyntaxError, text);
  }
});

Deno.test({
  name: "declare writes a module and a list, or says why it cannot read the header",
  ignore: compilerProblem() !== undefined,
  async fn() {
    const header = await Deno.makeTempFile({ suffix: ".h" });
    await Deno.writeTextFile(
      header,
      "#include <stdarg.h>\n#if WIDTH != 8\n#error no WIDTH\n#endif\nint add(int a, int b) __attribute__((pure));\nint v(va_list a);\n",
    );
    const run = (...args: readonly string[]) =>
      endedModule(new URL("./main.ts", import.meta.url), ...args);
    const [good, bad, system, width] = await Promise.all(
      [
        run(header, "--name", "m", "--define", "WIDTH=8"),
        run("no/such.h"),
        run("sys/stat.h"),
        run(header),
      ],
    );
    assertStringIncludes(good.out, "  add: fn([i32, i32], i32),\n");
    assertStringIncludes(good.error, "1 declared, 0 guesses to check, 1 not said");
    const [, page] = good.error.match(/serveLibrary: (\S+)\n$/)!;
    const text = await Deno.readTextFile(new URL(`../../../${page}`, import.meta.url));
    for (const told of ["serveLibrary", "deno task declare"]) assertStringIncludes(text, told);
    assertStringIncludes(bad.error, "no/such.h");
    assertStringIncludes(width.error, "no WIDTH");
    assertStringIncludes(system.out, "  mkdir: fn([string, u32], i32),\n");
    assertEquals([good.code, bad.code, system.code, width.code], [0, 2, 0, 2]);
    await Deno.remove(header);
  },
});
