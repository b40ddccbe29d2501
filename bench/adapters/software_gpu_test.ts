import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { softwareGpu, withoutOwnChoice } from "./software_gpu.ts";
import { swiftShaderObstacle } from "./swiftshader.ts";
import { ended } from "../machine/ended.ts";

const PROGRAM = `
  import { softwareGpu } from ${JSON.stringify(import.meta.resolve("./software_gpu.ts"))};
  const adapter = await navigator.gpu.requestAdapter();
  console.log(softwareGpu.kind + ": " + adapter?.info.description);
`;

async function runProgram(env: Record<string, string>): Promise<string> {
  const configPath = join(import.meta.dirname!, "..", "..", "deno.json");
  const args = ["eval", "--ext=ts", "--config", configPath, PROGRAM];
  const { out, error } = await ended(Deno.execPath(), args, { env, clearEnv: true });
  return out || error;
}

Deno.test("software_gpu gives this isolate an adapter, or says why not", async () => {
  const adapter = await navigator.gpu.requestAdapter();
  assertEquals(softwareGpu.kind === "none", adapter === null, softwareGpu.detail);
  assertEquals(softwareGpu.detail.length > 0, true);
});

Deno.test({
  name: "software_gpu brings SwiftShader in where no hardware is",
  ignore: softwareGpu.kind !== "swiftshader",
  async fn() {
    assertStringIncludes(
      await runProgram(withoutOwnChoice(Deno.env.toObject())),
      "swiftshader: SwiftShader",
    );
  },
});

Deno.test({
  name: "software_gpu leaves a driver alone that the user has chosen",
  ignore: swiftShaderObstacle() !== undefined,
  async fn() {
    const env = {
      ...withoutOwnChoice(Deno.env.toObject()),
      VK_DRIVER_FILES: "/nowhere.json",
      DENO_WEBGPU_BACKEND: "vulkan",
    };
    assertEquals((await runProgram(env)).trim(), "chosen: undefined");
  },
});
