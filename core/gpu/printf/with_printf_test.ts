import { assertEquals, assertThrows } from "@std/assert";
import { PrintfError } from "./printf_error.ts";
import { withPrintf } from "./with_printf.ts";

const SOURCE = `// first
@group(0) @binding(0) var<storage> a: array<f32>;
fn f(x: f32) { printf("x = %f %s\\n", x, "text"); let y = x; }
@compute @workgroup_size(8)
fn main() {
  printf(
    "a"
  );
  f(a[0]); } // last`;

Deno.test("withPrintf() keeps lines and columns", () => {
  const { source } = withPrintf(SOURCE);
  const lines = source.split("\n");
  SOURCE.split("\n").forEach((line, index) => {
    if (index === 4) return;
    assertEquals(lines[index]!.length, line.length, line);
    const kept = line.replaceAll(/printf|"[^"]*"|,/g, (text) => " ".repeat(text.length));
    for (const [at, letter] of [...kept].entries()) {
      if (letter !== " ") assertEquals(lines[index]![at], letter, line);
    }
  });
  assertEquals(lines[2]!.includes('"'), false);
});

Deno.test("withPrintf() inserts into the line of an entry point only", () => {
  const line = withPrintf(SOURCE).source.split("\n")[4]!;
  assertEquals(/^fn main\(@builtin.*\) \{ printf_place = .*;$/.test(line), true, line);
});

Deno.test("withPrintf() says where the ring is bound", () => {
  const { group, binding, source } = withPrintf(SOURCE);
  assertEquals([group, binding], [1, 0]);
  assertEquals(source.includes("@group(1) @binding(0) var<storage, read_write> printf_ring"), true);
  const chosen = withPrintf(SOURCE, { group: 0, binding: 5 });
  assertEquals(chosen.source.includes("@group(0) @binding(5) var<storage, read_write>"), true);
});

Deno.test("withPrintf() refuses more arguments than a function of WGSL has", () => {
  const source = (count: number) =>
    `fn f() { printf("${"%u".repeat(count)}"${", 1".repeat(count)}); }`;
  withPrintf(source(255));
  assertThrows(() => withPrintf(source(256)), PrintfError, "at most 255 arguments");
});

Deno.test("withPrintf() refuses more calls than it has names", () => {
  const source = `fn f() { ${'printf("");'.repeat(4097)} }`;
  assertThrows(() => withPrintf(source), PrintfError, "at most 4096 calls of printf");
});

Deno.test("withPrintf() of any text gives a text, or says where it is wrong", () => {
  const source = `${SOURCE}
    let v = vec2f(1); printf("%v %*d", v.yx, 2, -3); for (printf("a"); true; printf("b")) { }
  }
  struct In { @builtin(position) at: vec4f }
  @fragment fn fs(in: In) { f(1.5); }`;
  const refusals = new Set<string>();
  const parts = (at: number) => [
    source.slice(0, at),
    source.slice(at),
    source.slice(0, at) + source.slice(at + 1),
    `${source.slice(0, at)})${source.slice(at)}`,
  ];
  for (const text of Array.from(source, (_, at) => parts(at)).flat()) {
    try {
      withPrintf(text);
    } catch (error) {
      assertEquals(error instanceof PrintfError, true, `${error} of ${text}`);
      refusals.add((error as Error).message.split("\n")[0]!.replace(/.* wrong: /, ""));
    }
  }
  assertEquals(refusals.size > 10, true, "many kinds of mistakes were made");
});
