import {
  type DeviceChoice,
  type LiveGpu,
  openLiveGpu,
  type WgslToSpirv,
} from "../../core/gpu/live/mod.ts";
import { loadTranslator } from "../../scenarios/live/live_lab.ts";

/**
 * Opens a GPU that runs kernels live, with the lab's translator: naga, of the package naga-wasm.
 *
 * @throws {DOMException} `NotSupportedError` where there is no Vulkan, no such device, or no permission
 * for FFI
 *
 * @example
 * ```ts
 * import { openNagaGpu } from "./open_naga_gpu.ts";
 * const gpu = await openNagaGpu({ name: "swiftshader" }).catch(() => undefined); // where there is none
 * if (gpu?.isSoftware === false) throw new Error(gpu.adapterName);
 * gpu?.[Symbol.dispose]();
 * ```
 */
export function openNagaGpu(choice: DeviceChoice = {}): Promise<LiveGpu> {
  return openLiveGpu({ ...choice, translate: wgslToSpirv });
}

/** Translates WGSL to SPIR-V by naga. */
export const wgslToSpirv: WgslToSpirv = await loadTranslator();
