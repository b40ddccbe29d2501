import { assertEquals } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { kernelPrintf } from "./kernel_printf.ts";

const adapter = await navigator.gpu.requestAdapter();

Deno.test({
  name: "kernel_printf prints checked lines in each form, and names its adapter",
  ignore: adapter === null,
  async fn() {
    await using partner = new Partner();
    for (const form of ["kernel_1024", "kernel_64", "shader"] as const) {
      await using trial = await kernelPrintf.setup({ form, laneCount: 1 }, partner);
      await trial.run(1);
      assertEquals(typeof trial.adapter, "string");
    }
  },
});
