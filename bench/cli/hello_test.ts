import { assertEquals } from "@std/assert";
import { softwareGpu } from "../adapters/software_gpu.ts";
import { endedModule } from "../machine/ended.ts";

Deno.test({
  name: "hello prints a line for each lane of each wave",
  ignore: softwareGpu.kind === "none",
  async fn() {
    const { out } = await endedModule(new URL("./hello.ts", import.meta.url));
    const lines = out.trim().split("\n");
    assertEquals(lines.length, 8);
    assertEquals(lines[5], "Hello world! I am lane 1 of wave 1");
  },
});
