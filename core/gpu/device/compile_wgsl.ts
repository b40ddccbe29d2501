import { type Fault, faultOf, isSaid, type Said } from "../text/fault.ts";
import { lostError } from "./device.ts";

/** How many texts of a device are kept. */
const KEPT_MAX = 8;
/** What became of the last texts of a device, the most recently used last. */
const compiled = new WeakMap<GPUDevice, Map<string, Promise<GPUShaderModule | Fault>>>();

/**
 * Compiles a text, or finds out what is wrong where. The last texts of a device are compiled only once,
 * even if that is asked for at the same time.
 *
 * @throws {DOMException} `OperationError` when the device was lost
 */
export function compileWgsl(device: GPUDevice, code: string): Promise<GPUShaderModule | Fault> {
  const kept = compiled.get(device) ?? new Map<string, Promise<GPUShaderModule | Fault>>();
  compiled.set(device, kept);
  const compiling = kept.get(code) ?? compileOnce(device, code);
  kept.delete(code);
  kept.set(code, compiling);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return compiling;
}

async function compileOnce(device: GPUDevice, code: string): Promise<GPUShaderModule | Fault> {
  const whole = await tryText(device, code);
  if (!isSaid(whole)) return whole;
  // The message may arrive before the promise `lost` resolves.
  const isLost = whole.position.line === 0 && /\bdevice is lost\b/.test(whole.text);
  const lost = await Promise.race([device.lost, ...isLost ? [] : [undefined]]);
  if (lost) throw lostError("compile the text", lost);
  return faultOf(code, whole, (text) => tryText(device, text));
}

async function tryText(device: GPUDevice, code: string): Promise<GPUShaderModule | Said> {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const scopeError = await device.popErrorScope();
  const { messages } = await module.getCompilationInfo();
  const message = messages.find(({ type }) => type === "error");
  if (!message && !scopeError) return module;
  const position = { line: message?.lineNum ?? 0, column: message?.linePos ?? 0 };
  return { text: message?.message ?? scopeError!.message, position };
}
