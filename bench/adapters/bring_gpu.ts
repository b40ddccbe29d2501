import type { SoftwareGpu } from "./software_gpu.ts";

/**
 * Gives this process a GPU adapter where the machine has none, as importing `software_gpu.ts` does,
 * but when it is called. Before the first use of `navigator.gpu` in this isolate.
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
