import type { SoftwareGpu } from "./software_gpu.ts";

/**
 * Gives this process a GPU adapter where the machine has none: imports `software_gpu.ts`, which does
 * it while it loads. In a file of its own, so that programs can name the function without that
 * effect, and call it only where a scenario needs an adapter.
 *
 * Call it before the first use of `navigator.gpu` in this isolate.
 *
 * @example
 * ```ts
 * import { bringGpu } from "./bring_gpu.ts";
 * const { kind, detail } = await bringGpu();
 * if (kind === "none" && detail === "") throw new Error("it says why there is none");
 * ```
 */
export async function bringGpu(): Promise<SoftwareGpu> {
  return (await import("./software_gpu.ts")).softwareGpu;
}
