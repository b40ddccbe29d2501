import { assertEquals } from "@std/assert";
import { softwareGpu } from "../adapters/software_gpu.ts";

Deno.test({
  name: "hello prints a line for each lane of each wave",
  ignore: softwareGpu.kind === "none",
  async fn() {
    const program = new URL("./hello.ts", import.meta.url).href;
    const command = new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--quiet", program] });
    const lines = new TextDecoder().decode((await command.output()).stdout).trim().split("\n");
    assertEquals(lines.length, 8);
    assertEquals(lines[5], "Hello world! I am lane 1 of wave 1");
  },
});
