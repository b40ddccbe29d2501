import { type Fault, faultOf, isSaid, type Said } from "../../text/fault.ts";
import { type AuthoredModule, compileModuleWith } from "../../wgsl/kernel_compile.ts";
import { type BufferPlace, liveSpirv } from "../spirv/live_spirv.ts";
import { type LiveSource, SHARED_BUFFERS } from "./live_source.ts";

/**
 * Translates WGSL to SPIR-V. What it throws for a text that is wrong has `message`, `kind` (`"parse"` or
 * `"validation"`) and `formatted`, which draws the place: so has `translate` of the package naga-wasm.
 */
export type WgslToSpirv = (source: string) => Uint32Array;

/** @throws {TypeError} when it is no function, as where a program in JavaScript leaves it out */
export function checkTranslator(translate: unknown): void {
  if (typeof translate !== "function") throw noTranslator(`current value is ${translate}`);
}

function noTranslator(reason: string, cause?: unknown): TypeError {
  const wanted =
    "Cannot compile live kernels as translate must be a function from WGSL to SPIR-V, " +
    'such as (source) => translate({ from: "wgsl", to: "spirv", source }) by the package naga-wasm';
  return new TypeError(`${wanted}: ${reason}`, { cause });
}

/**
 * Translates a text of this library's own.
 *
 * @throws {TypeError} when what does it is no such function
 */
export function translated(source: string, translate: WgslToSpirv): Uint32Array {
  const result = tryTranslate(source, translate);
  if (isSaid(result)) throw noTranslator(`it refused a text: ${result.text}`);
  return result;
}

/**
 * Compiles the module of a live kernel.
 *
 * @param module its text, and what runs in place of it if that compiles: `direct`, or what `edited` makes
 * @param shared the buffers that others use while it runs
 * @throws {KernelCompileError} with the author's own line
 * @throws {TypeError} when there is no translator
 */
export function compileLive(
  module: AuthoredModule & Partial<Pick<LiveSource, "direct" | "edited">>,
  translate: WgslToSpirv,
  shared: readonly BufferPlace[] = SHARED_BUFFERS,
): Promise<Uint32Array> {
  checkTranslator(translate);
  const tryText = (code: string) => tryTranslate(code, translate);
  return compileModuleWith(module, async (code): Promise<Uint32Array | Fault> => {
    const direct = module.direct === undefined ? undefined : tryText(module.direct);
    if (direct && !isSaid(direct)) return liveSpirv(direct, shared);
    const whole = tryText(code);
    if (!isSaid(whole)) {
      const { edited } = module;
      return liveSpirv(edited ? translated(edited(code), translate) : whole, shared);
    }
    return await faultOf(code, whole, tryText);
  });
}

function tryTranslate(code: string, translate: WgslToSpirv): Uint32Array | Said {
  let result: unknown;
  try {
    result = translate(code);
  } catch (error) {
    const { kind, formatted } = Object(error) as Partial<Record<string, unknown>>;
    // No fault of the text, as where a translator wants to be handed it in another way.
    if (typeof formatted !== "string") throw noTranslator(`it threw ${error}`, error);
    // As Deno says it of a device's compiler, which is the same.
    const head = kind === "validation" ? "Shader validation error: " : "Shader '' parsing error: ";
    // The drawing has the place.
    const position = { line: 0, column: 0 };
    return { text: head + formatted.replace(/^\s*error: /, ""), position };
  }
  if (result instanceof Uint32Array) return result;
  throw noTranslator(`it gave back ${result}`);
}
