import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { PrintfError } from "../../core/gpu/print/printf_error.ts";
import { KernelCompileError } from "../../core/gpu/wgsl/kernel_compile.ts";
import { generatedSource } from "./wgsl.ts";
import { endedModule } from "../machine/ended.ts";

const STEPS = 'fn step_0() { put("Hello"); print(); }';
const PRINTF = '@compute @workgroup_size(1) fn main() { printf("Hello"); }';

function run(...args: string[]) {
  return endedModule(new URL("./wgsl.ts", import.meta.url), ...args);
}

Deno.test("generatedSource() knows a kernel of steps from a shader with printf", () => {
  assertStringIncludes(generatedSource(STEPS, 8), "@workgroup_size(8)\nfn portlab_entry(");
  assertStringIncludes(generatedSource(PRINTF, 8), "fn printf_reserve(");
  const kernel = generatedSource("fn kernel() { print(); }", 8);
  assertStringIncludes(kernel, "fn step_kernel_1() {");
  assertStringIncludes(kernel, "// SavedFrame takes 4 bytes a lane.");
  assertStringIncludes(generatedSource("fn step_ask() { print(); }", 8), "const STEP_ASK = 0u;");
  assertStringIncludes(generatedSource('fn kernel() { _ = "a"; }', 8), "fn heap_u8(");
  assertEquals(kernel.includes("fn heap_u8("), false);
  const named = 'fn kernel() {} fn step_by() { printf("a"); } @fragment fn main() { step_by(); }';
  assertStringIncludes(generatedSource(named, 8), "fn printf_reserve(");
  const comment = `// fn step_0() {}\n${PRINTF}`;
  assertStringIncludes(generatedSource(comment, 8), "fn printf_reserve(");
  assertThrows(() => generatedSource('fn f() { printf("%d"); }', 8), PrintfError);
});

Deno.test("generatedSource() writes what a kernel may leave out, and tells errors where they stand", () => {
  const source = (last: string) =>
    `var<storage, read_write> a: u32; @service fn f(x: u32) -> u32; fn kernel() { a = f(1u); ${last} }`;
  const code = generatedSource(source(""), 8);
  assertStringIncludes(code, "@group(1) @binding(0) var<storage, read_write> a: u32;");
  assertStringIncludes(code, "call(65535)");
  const wrong = source("textureBarrier();");
  const { column } = assertThrows(() => generatedSource(wrong, 8), KernelCompileError);
  assertEquals(column, wrong.indexOf("textureBarrier") + 1);
});

Deno.test("wgsl shows the source of a file, and says what is wrong with one", async () => {
  const path = await Deno.makeTempFile({ suffix: ".wgsl" });
  try {
    await Deno.writeTextFile(path, STEPS);
    assertEquals(await run(path), { code: 0, out: generatedSource(STEPS, 32), error: "" });
    await Deno.writeTextFile(path, '\nfn f() { printf("%d"); }');
    const { code, error } = await run(path);
    assertEquals(code, 1);
    assertStringIncludes(error, "Cannot print as line 2, column 10 is wrong");
  } finally {
    await Deno.remove(path);
  }
  assertStringIncludes((await run("--help")).out, "Usage: deno task wgsl FILE");
  const wrong: readonly (readonly [args: readonly string[], text: string])[] = [
    [[], "deno task wgsl FILE [LANES]: beside options there is nothing"],
    [["a", "1", "b"], "there is a 1 b"],
    [["--lanes", "a"], "no option --lanes"],
    [["nowhere.wgsl"], "Cannot read 'nowhere.wgsl' as the system says"],
    [["nowhere.wgsl", "many"], 'a whole number from 1: current value is "many"'],
  ];
  for (const [args, text] of wrong) {
    const { code, error } = await run(...args);
    assertEquals(code, 2);
    assertStringIncludes(error, text);
  }
});
