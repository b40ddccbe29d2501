import { functionsOf, type HostApi, hostApi } from "../../signature/declare/signature.ts";
import { wgslStubs } from "../../signature/wgsl/wgsl_stubs.ts";
import { nearest } from "../../text/nearest.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import { type Service, servicesOf } from "../kernel/services.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Call } from "../text/syntax.ts";
import { authorModule, inText, refuseHandles, refuseProblem } from "../wgsl/kernel_compile.ts";
import { type LaterCall, laterCalls } from "./later_calls.ts";
import { type BufferVariable, type OverrideValues, readyText } from "./ready_text.ts";

/** The author's text, made ready for `Kernel`. */
export interface RunText {
  /** The text, followed by stubs, with what it leaves out. */
  readonly text: KernelText;
  readonly buffers: readonly BufferVariable[];
  /** The functions of the host that the text declares. */
  readonly services: readonly Service[];
  /** Those that it calls without waiting. */
  readonly later: readonly LaterCall[];
  /** The APIs whose functions the text calls. */
  readonly apis: readonly HostApi[];
}

/**
 * Reads a kernel and adds what the author may leave out: `@group(1) @binding(0)` of a buffer, the
 * opcode after `@service`, `begin_` and `end_` of the functions that it calls without waiting, and stubs
 * for those of APIs.
 *
 * @throws {KernelCompileError} at the author's line and column
 */
export function runText(
  written: string,
  { apis, laneWords, constants = {} }: {
    readonly apis: readonly HostApi[];
    readonly laneWords: number;
    /** Values of `override` constants. */
    readonly constants?: OverrideValues;
  },
): RunText {
  const author = authorModule(written);
  refuseProblem(author);
  return inText(author, () => {
    refuseHandles(author);
    const used = calledApis(author, apis);
    const { text, buffers } = readyText(author, constants);
    const services = [...servicesOf(text, laneWords).values()];
    checkOpcodes(services);
    const { text: laterText, callsIn } = laterCalls(text, services, laneWords);
    const stubs = laterText + (used.length > 0 ? `\n${wgslStubs(...used)}` : "");
    const whole = stubs === "" ? text : text.followedBy(stubs);
    checkStubs(whole);
    return { text: whole, buffers, services, later: callsIn(whole), apis: used };
  });
}

/** Stubs mean functions of kernels by their names, even where the author has others of those names. */
function checkStubs({ module, endOfAuthor }: KernelText): void {
  for (const one of module.functions) {
    if (one.start < endOfAuthor) continue;
    for (const { callee: { declared, text } } of module.calls.get(one)!) {
      if (!declared || declared.start >= endOfAuthor) continue;
      refuse(declared, `${text} is a function that libraries call: give yours another name`);
    }
  }
}

/** Reduces APIs to the functions that are used, as every stub costs compile time. */
export function usedOf(
  apis: readonly HostApi[],
  isUsed: (api: string, key: string) => boolean,
): HostApi[] {
  return apis.map((api) => {
    const found = functionsOf(api).filter(([key]) => isUsed(api.name, key));
    const signatures = found.map(([key, { signature }]) => [key, signature]);
    return hostApi(api.name, Object.fromEntries(signatures));
  }).filter(({ functions }) => Object.keys(functions).length > 0);
}

/** Like {@linkcode usedOf}, for a text that calls functions by names such as `math_hypot`. */
function calledApis(author: Module, apis: readonly HostApi[]): HostApi[] {
  const called = new Map<string, Call>();
  for (const call of [...author.calls.values()].flat().toReversed()) {
    if (call.callee.declared?.kind !== "function") called.set(call.text, call);
  }
  for (const api of apis) {
    const keys = functionsOf(api).map(([key]) => key);
    for (const [name, call] of called) {
      if (!name.startsWith(`${api.name}_`)) continue;
      const key = name.slice(api.name.length + 1);
      const near = keys.includes(key) ? undefined : nearest(key, keys);
      if (near === undefined) continue;
      refuse(call, `${api.name} has no function ${key}: did you mean ${api.name}_${near}`);
    }
  }
  return usedOf(apis, (api, key) => called.has(`${api}_${key}`));
}

/** Rejects two functions with one opcode, as each is registered by its own. */
function checkOpcodes(services: readonly Service[]): void {
  for (const [at, { name, of, opcodeNumber }] of services.entries()) {
    const other = services.slice(0, at).find((one) => one.opcodeNumber === opcodeNumber);
    if (!other) continue;
    refuse(of, `${name} has the opcode of ${other.name}: leave it out, as in @service fn`);
  }
}
