import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { compileNative, compilerProblem } from "./native_library.ts";

Deno.test("compilerProblem() names the program that is not there", () => {
  assertStringIncludes(compilerProblem("no_such_compiler")!, "no_such_compiler");
  assertEquals(compilerProblem(Deno.execPath()), undefined);
});

Deno.test({
  name: "compileNative() says what the compiler says, and leaves nothing behind",
  ignore: compilerProblem() !== undefined,
  async fn() {
    await assertRejects(() => compileNative("int x = ;"), Error, "expected expression");
    const { path } = await compileNative("int x;").then(async (compiled) => {
      await compiled[Symbol.asyncDispose]();
      return compiled;
    });
    await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
  },
});
