import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { PrintfError } from "./printf_error.ts";
import { withPrintf } from "./with_printf.ts";
import { onDevice } from "../device/on_device_test.ts";

const SOURCE = `// first
@group(0) @binding(0) var<storage> a: array<f32>;
fn f(x: f32) { printf("x = %f %s\\n", x, "text"); let y = x; }
@compute @workgroup_size(8)
fn main() {
  printf(
    "a"
  );
  f(a[0]); } // last`;

Deno.test("withPrintf() keeps lines, and leads each word back to its column", () => {
  const { source, authorPosition } = withPrintf(SOURCE);
  const lines = source.split("\n");
  assertEquals(source.slice(0, source.indexOf("// last")).includes('"'), false);
  let count = 0;
  for (const [index, line] of SOURCE.split("\n").entries()) {
    // Strings are not printed, and other names stand in the place of calls.
    const kept = line.replaceAll(/"[^"]*"|printf/g, (text) => " ".repeat(text.length));
    for (const { 0: word, index: at } of kept.matchAll(/\w+/g)) {
      const places = lines[index]!.matchAll(new RegExp(`\\b${word}\\b`, "g")).map((found) =>
        authorPosition({ line: index + 1, column: found.index + 1 })
      );
      const isFound = places.some((one) => one.line === index + 1 && one.column === at + 1);
      assertEquals(isFound, true, `${word} of ${line}`);
      count++;
    }
  }
  assertEquals(count > 20, true);
});

Deno.test("withPrintf() says where the ring is bound", () => {
  const { group, binding, source } = withPrintf(SOURCE);
  assertEquals([group, binding], [1, 0]);
  assertEquals(source.includes("@group(1) @binding(0) var<storage, read_write> printf_ring"), true);
  const chosen = withPrintf(SOURCE, { group: 0, binding: 5 });
  assertEquals(chosen.source.includes("@group(0) @binding(5) var<storage, read_write>"), true);
});

Deno.test("a wrong option is told with the right ones", () => {
  const reason = "there is no option grup: did you mean group";
  assertThrows(() => withPrintf(SOURCE, { grup: 1 } as object), TypeError, reason);
  assertThrows(() => withPrintf(SOURCE, null as never), TypeError, "there is no option null");
  assertThrows(() => withPrintf(5 as never), TypeError, "it must be a text of WGSL");
  const { attach } = withPrintf(SOURCE);
  assertThrows(() => attach(undefined as never), TypeError, "attach() takes a GPUDevice");
  const place = { group: 1, binding: 0 };
  const taken = "@group(1) @binding(0) var<uniform> a: u32;";
  assertEquals(assertThrows(() => withPrintf(taken, place), PrintfError).column, 36);
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

const MAIN = "@compute @workgroup_size(1) fn main()";

function errorOf(device: GPUDevice, source: string): Promise<PrintfError> {
  return assertRejects(async () => await withPrintf(source).compile(device), PrintfError);
}

onDevice(
  "a wrong argument is shown at its printf, with the types that it takes",
  async ({ device }) => {
    // What has no value at all is left to the compiler.
    const source = `@group(0) @binding(0) var t: texture_2d<u32>;\n${MAIN} {
  let a = 1;
  ; printf("%d %v2f",
    t, vec2f());\n}`;
    const { message, line, column } = await errorOf(device, source);
    assertEquals([line, column], [5, 5]);
    assertStringIncludes(message, "this printf takes i32, vec2<f32>");
    assertStringIncludes(message, "5 |     t, vec2f()");
  },
);

onDevice("an error behind a printf on its line has its own column", async ({ device }) => {
  const source = `${MAIN} {\n  printf("a long text %s", "and more"); let x: i32 = nowhere;\n}`;
  const { line, column } = await errorOf(device, source);
  assertEquals([line, column], [2, source.split("\n")[1]!.indexOf("nowhere") + 1]);
});

onDevice("authorPosition() leads back what another compiler has found", async ({ device }) => {
  const source = `${MAIN} { printf("a"); let x: i32 = nowhere; }`;
  const shader = withPrintf(source);
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: shader.source });
  await device.popErrorScope();
  const [message] = (await module.getCompilationInfo()).messages;
  const found = { line: message!.lineNum, column: message!.linePos };
  assertEquals(found.column > source.length, true, "the text was made longer");
  assertEquals(shader.authorPosition(found), { line: 1, column: source.indexOf("nowhere") + 1 });
});

Deno.test("withPrintf() says where a bracket is not closed", () => {
  const source = `\n${MAIN} {\n  printf("a");\n`;
  const { message, offset } = assertThrows(() => withPrintf(source), PrintfError);
  assertEquals(offset, source.indexOf("{"));
  assertStringIncludes(message, "this bracket is not closed: } is missing");
});
