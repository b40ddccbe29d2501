import { assertEquals } from "@std/assert";
import { bringGpu } from "./bring_gpu.ts";

Deno.test("bringGpu() brings what requestAdapter() finds afterwards", async () => {
  const { kind } = await bringGpu();
  assertEquals(await navigator.gpu.requestAdapter() === null, kind === "none");
});
