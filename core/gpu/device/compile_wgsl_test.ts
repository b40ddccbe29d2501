import { assert, assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { requestGpuDevice } from "./device.ts";
import { onDevice } from "./on_device_test.ts";
import { Kernel } from "../epochs/kernel.ts";
import type { Fault } from "../text/fault.ts";
import { Lines } from "../text/lines.ts";
import { kernelOf, WRONG_TEXTS } from "../text/testdata/wrong_texts.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { compileWgsl } from "./compile_wgsl.ts";

/** A shader that is all its author's. */
function shader(outside: string, body: string): string {
  return `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
${outside}
@compute @workgroup_size(1)
fn main(@builtin(local_invocation_index) lane: u32) {
  let idx = lane;
${body}
  out[4] = idx;
}
`;
}

function split(marked: string): readonly [string, number] {
  return [marked.replace("§", ""), new Lines(marked).positionAt(marked.indexOf("§")).line];
}

async function faultOf(device: GPUDevice, code: string): Promise<Fault> {
  const result = await compileWgsl(device, code);
  assert(!(result instanceof GPUShaderModule), code);
  return result;
}

onDevice("compileWgsl() names the line of the statement that is wrong", async ({ device }) => {
  for (const [outside, body] of WRONG_TEXTS) {
    const [code, line] = split(shader(outside, body));
    const { position, reason } = await faultOf(device, code);
    assertEquals(position.line, line, `${code}\n${reason}`);
  }
});

onDevice("a kernel's steps are told by the author's lines, whatever ends them", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const ends = ["\n", "\r\n", "\r", "\n", "\u2028"];
  for (const [index, [outside, body]] of WRONG_TEXTS.entries()) {
    if (index % 2 > 0) continue; // each takes some 50 ms
    const [text, line] = split(kernelOf(outside, body));
    const indented = index % 4 === 0 ? text : text.replaceAll("\n  ", "\n\t\t");
    const source = `\ufeff${indented.replaceAll("\n", ends[index % ends.length]!)}`;
    const error = await assertRejects(
      () => Kernel.create(gpu, { channel, waveCount: 1, source }),
      KernelCompileError,
    );
    assertEquals(error.line, line, `${text}\n${error.message}`);
    assertEquals(error.message.endsWith(`\n${line} | ${indented.split("\n")[line - 1]}`), true);
  }
});

onDevice("compileWgsl() names the argument that has the wrong type, and both types", async (
  { device },
) => {
  const h = "fn h(x: u32, y: f32, p: ptr<function, f32>) {}";
  const cases = [
    ["var f = 1.5; h(idx, §idx, &f);", "f32 is taken here and u32 is given: write f32(...)"],
    [
      "var f = 1.5; h(idx,\n   f,\n §&idx2);",
      "ptr<function, f32> is taken here and a pointer to u32 is given",
    ],
    ["var f = 1.5; h(\t§f, f, &f);", "u32 is taken here and f32 is given: write u32(...)"],
  ] as const;
  for (const [body, wanted] of cases) {
    const marked = shader(h, `var idx2 = idx; ${body}`);
    const { position, reason } = await faultOf(device, marked.replace("§", ""));
    assertEquals({ position, reason }, {
      position: new Lines(marked).positionAt(marked.indexOf("§")),
      reason: wanted,
    });
  }
});

onDevice(
  "compileWgsl() names both types of an assignment, also to a member",
  async ({ device }) => {
    const outside = "struct P { at: array<vec2f, 2> } var<private> p: P;\n" +
      "fn pair() -> vec2u { return vec2u(); } fn sized() -> array<f32, 3> { return array<f32, 3>(); }";
    const cases = [
      ["var a = idx; a = §pair();", "u32 is taken here and vec2<u32> is given"],
      ["p.at[idx] = §sized();", "vec2<f32> is taken here and array<f32, 3> is given"],
      ["p = §P().at;", "P is taken here and array<vec2<f32>, 2> is given"],
    ] as const;
    for (const [body, wanted] of cases) {
      const marked = shader(outside, body);
      const { position, reason } = await faultOf(device, marked.replace("§", ""));
      const found = new Lines(marked).positionAt(marked.indexOf("§"));
      assertEquals({ position, reason }, { position: found, reason: wanted });
    }
  },
);

onDevice("compileWgsl() says that a device was lost", async () => {
  const { device } = await requestGpuDevice();
  device.destroy();
  await new Promise((resolve) => setTimeout(resolve));
  await assertRejects(
    () => compileWgsl(device, "fn f() {}"),
    DOMException,
    "Cannot compile the text as the device was lost: destroyed",
  );
});

onDevice("compileWgsl() gives the module of a text that is right", async ({ device }) => {
  assertEquals(await compileWgsl(device, shader("", "")) instanceof GPUShaderModule, true);
});
