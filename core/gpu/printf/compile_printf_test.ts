import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { PrintfError } from "./printf_error.ts";
import { withPrintf } from "./with_printf.ts";

const MAIN = "@compute @workgroup_size(1) fn main()";

function errorOf(device: GPUDevice, source: string): Promise<PrintfError> {
  return assertRejects(() => withPrintf(source).compile(device), PrintfError);
}

onDevice(
  "a wrong argument is shown at its printf, with the types that it takes",
  async ({ device }) => {
    const source =
      `fn f() {}\n${MAIN} {\n  let a = 1u;\n  f(); printf("%d %v2f",\n    a, vec2f());\n}`;
    const { message, line, column } = await errorOf(device, source);
    assertEquals([line, column], [4, 8]);
    assertStringIncludes(message, "this printf takes i32, vec2<f32>");
    assertStringIncludes(message, '4 |   f(); printf("%d %v2f",');
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

onDevice("a shader that compiles gives its module", async ({ device }) => {
  const module = await withPrintf(`${MAIN} { printf("%f", 1); }`).compile(device);
  assertEquals(module instanceof GPUShaderModule, true);
});

onDevice("an error in what is generated says so", async ({ device }) => {
  // The generated part uses the builtin types, which a text can hide.
  const { message } = await errorOf(device, `fn arrayLength() {} ${MAIN} { printf("a"); }`);
  assertStringIncludes(message, "what is generated around the text does not fit");
});
