import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { PrintfError } from "./printf_error.ts";
import { withPrintf } from "./with_printf.ts";

const MAIN = "@compute @workgroup_size(1) fn main()";

function errorOf(device: GPUDevice, source: string): Promise<PrintfError> {
  return assertRejects(async () => await withPrintf(source).compile(device), PrintfError);
}

onDevice(
  "a wrong argument is shown at its printf, with the types that it takes",
  async ({ device }) => {
    // The type of what a texture holds is left to the compiler.
    const source = `@group(0) @binding(0) var t: texture_2d<u32>;\n${MAIN} {
  let a = textureLoad(t, vec2(), 0).x;
  ; printf("%d %v2f",
    a, vec2f());\n}`;
    const { message, line, column } = await errorOf(device, source);
    assertEquals([line, column], [5, 5]);
    assertStringIncludes(message, "this printf takes i32, vec2<f32>");
    assertStringIncludes(message, "5 |     a, vec2f()");
  },
);

onDevice("an error behind a printf on its line has its own column", async ({ device }) => {
  const source = `${MAIN} {\n  printf("a long text %s", "and more"); let x: i32 = nowhere;\n}`;
  const { line, column } = await errorOf(device, source);
  assertEquals([line, column], [2, source.split("\n")[1]!.indexOf("nowhere") + 1]);
});

onDevice("an error behind what is inserted has the author's column", async ({ device }) => {
  const source = `${MAIN} { printf("a"); let x: i32 = nowhere; }`;
  const { line, column } = await errorOf(device, source);
  assertEquals([line, column], [1, source.indexOf("nowhere") + 1]);
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

onDevice("a function without its end is told by its name", async ({ device }) => {
  const { message, line } = await errorOf(device, `\n${MAIN} {\n  printf("a");\n`);
  assertEquals(line, 2);
  assertStringIncludes(message, "the end of main is missing: some bracket is not closed");
});

onDevice("a shader that compiles gives its module", async ({ device }) => {
  const module = await withPrintf(`${MAIN} { printf("%f", 1); }`).compile(device);
  assertEquals(module instanceof GPUShaderModule, true);
});

onDevice("an error in what is generated says so", async ({ device }) => {
  // The generated part uses the builtin types, which a text can hide.
  const { message } = await errorOf(device, `fn arrayLength() {} ${MAIN} { printf("a"); }`);
  assertStringIncludes(message, "what is generated around the text does not fit");
});
