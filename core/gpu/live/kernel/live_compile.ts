import { type Fault, faultOf, type Said } from "../../compile/compile_wgsl.ts";
import { type AuthoredModule, compileModuleWith } from "../../wgsl/kernel_compile.ts";
import { type BufferPlace, liveSpirv } from "../spirv/live_spirv.ts";
import type { LimitedSource } from "../rounds/round_limit.ts";
import { SHARED_BUFFERS } from "./live_source.ts";

/**
 * Translates WGSL to SPIR-V. What it throws for a text that is wrong has `message`, `kind` (`"parse"` or
 * `"validation"`) and `formatted`, which draws the place: so has `translate` of the package naga-wasm.
 */
export type WgslToSpirv = (source: string) => Uint32Array;

/** @throws {TypeError} when it is no function, as where a program in JavaScript leaves it out */
export function checkTranslator(translate: unknown): void {
  if (typeof translate === "function") return;
  throw new TypeError(
    "Cannot compile live kernels as translate must be a function from WGSL to SPIR-V, such as " +
      '(source) => translate({ from: "wgsl", to: "spirv", source }) by the package naga-wasm: ' +
      `current value is ${translate}`,
  );
}

/**
 * Compiles the module of a live kernel.
 *
 * @param module its text, and by `edited` what runs in place of it if it compiles
 * @param shared the buffers that others use while it runs
 * @throws {KernelCompileError} with the author's own line
 * @throws {TypeError} when there is no translator
 */
export function compileLive(
  module: AuthoredModule & { readonly edited?: LimitedSource["edited"] | undefined },
  translate: WgslToSpirv,
  shared: readonly BufferPlace[] = SHARED_BUFFERS,
): Promise<Uint32Array> {
  checkTranslator(translate);
  const tryText = (code: string) => tryTranslate(code, translate);
  return compileModuleWith(module, async (code): Promise<Uint32Array | Fault> => {
    const whole = tryText(code);
    if (!("text" in whole)) {
      return liveSpirv(module.edited ? translate(module.edited(code)) : whole, shared);
    }
    return await faultOf(code, whole, tryText);
  });
}

function tryTranslate(code: string, translate: WgslToSpirv): Uint32Array | Said {
  try {
    return translate(code);
  } catch (error) {
    const { kind, message, formatted } = error as Partial<Record<string, unknown>>;
    if (typeof formatted !== "string" || typeof message !== "string") throw error;
    // As Deno says it of a device's compiler, which is the same.
    const head = kind === "validation" ? "Shader validation error: " : "Shader '' parsing error: ";
    // The drawing has the place.
    const position = { line: 0, column: 0 };
    return { text: head + formatted.replace(/^\s*error: /, ""), position };
  }
}
