/**
 * Gives this process a GPU adapter where the machine has none. For its effect:
 *
 * ```sh
 * deno test -A --preload=bench/adapters/software_gpu.ts
 * ```
 *
 * or as the first import of a program. Afterwards `navigator.gpu.requestAdapter()` finds the
 * machine's hardware adapter if there is one, and else SwiftShader, a conformant software Vulkan
 * driver that is unpacked out of an npm package. A driver that the user has chosen through
 * `VK_DRIVER_FILES` or `VK_ICD_FILENAMES` is left alone.
 *
 * @module
 */
import type { AdapterReply } from "./adapter_worker.ts";
import type { AdapterSummary } from "./adapter_summary.ts";
import { swiftShaderObstacle, unpackSwiftShader } from "./swiftshader.ts";

/** How this process comes by an adapter. */
export interface SoftwareGpu {
  /**
   * `hardware`: the machine's own; `chosen`: whatever the user's environment names;
   * `swiftshader`: brought in; `software`: the system's own software adapter, where SwiftShader
   * cannot be brought in; `none`: there is no adapter, and `detail` says why.
   */
  readonly kind: "hardware" | "chosen" | "swiftshader" | "software" | "none";
  /** One sentence for a person. */
  readonly detail: string;
}

/** The variables by which a person chooses a Vulkan driver; the loader reads either. */
export const DRIVER_VARIABLES = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] as const;
/** Which variable limits Deno to one graphics API. */
export const BACKEND_VARIABLE = "DENO_WEBGPU_BACKEND";
const LAYER_VARIABLE = "NODEVICE_SELECT";
/** Set when this module has chosen, for the other isolates of the process and its children. */
const MARK = "PORTLAB_SOFTWARE_GPU";

/** The environment of a process, without what this module has set in it or in its parent. */
export function withoutOwnChoice(env: Readonly<Record<string, string>>): Record<string, string> {
  if (env[MARK] === undefined) return { ...env };
  const own: readonly string[] = [MARK, BACKEND_VARIABLE, LAYER_VARIABLE, ...DRIVER_VARIABLES];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.includes(name)));
}

/** The outcome in this isolate; awaited while the module loads. */
export const softwareGpu: SoftwareGpu = await bringSoftwareGpu();

async function bringSoftwareGpu(): Promise<SoftwareGpu> {
  if (Deno.env.get(MARK) === undefined) {
    const chosen = DRIVER_VARIABLES.find((name) => Deno.env.get(name));
    if (chosen) return { kind: "chosen", detail: `${chosen} is ${Deno.env.get(chosen)}` };
    const found = await systemAdapter();
    const obstacle = swiftShaderObstacle();
    if (found && !found.isSoftware) return { kind: "hardware", detail: found.description };
    if (found && obstacle) return { kind: "software", detail: `${found.description}: ${obstacle}` };
    if (obstacle) return { kind: "none", detail: obstacle };
  }
  return await openSwiftShader();
}

async function systemAdapter(): Promise<AdapterSummary | undefined> {
  // Deno would also try OpenGL, which takes up to 400 ms to say that a software rasterizer is
  // there: no match for a Vulkan driver, whether hardware or SwiftShader.
  if (Deno.build.os === "linux" && !Deno.env.get(BACKEND_VARIABLE)) {
    Deno.env.set(BACKEND_VARIABLE, "vulkan");
  }
  // Mesa's layer that orders adapters by display only complains where there is none.
  if (!Deno.env.get("XDG_RUNTIME_DIR")) Deno.env.set(LAYER_VARIABLE, "1");
  return await askWorker();
}

/**
 * Asks in a Worker: an isolate that has asked for an adapter keeps the drivers it found then, so
 * that the question would spoil this one for the driver that is about to be brought in.
 */
async function askWorker(): Promise<AdapterSummary | undefined> {
  const worker = new Worker(new URL("./adapter_worker.ts", import.meta.url), { type: "module" });
  try {
    const reply = await new Promise<AdapterReply>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<AdapterReply>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        resolve({ kind: "failed", message: event.message });
      };
    });
    return reply.kind === "done" ? reply.adapter : undefined;
  } finally {
    worker.terminate();
  }
}

async function openSwiftShader(): Promise<SoftwareGpu> {
  try {
    const { libraryPath, driverPath } = await unpackSwiftShader();
    // Marked first: an isolate that found the drivers without the mark would take them for chosen.
    Deno.env.set(MARK, "swiftshader");
    for (const name of DRIVER_VARIABLES) Deno.env.set(name, driverPath);
    // Opened and never closed: the runtime looks the loader up by its name, and finds this one.
    Deno.dlopen(libraryPath, {});
    return { kind: "swiftshader", detail: `the machine has no hardware adapter: ${driverPath}` };
  } catch (error) {
    const { message } = error as Error;
    return { kind: "none", detail: `SwiftShader cannot be brought in: ${message}` };
  }
}
