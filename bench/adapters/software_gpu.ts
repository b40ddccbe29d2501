/**
 * Gives this process a GPU adapter where the machine has none. For its effect:
 *
 * ```sh
 * deno test -A --preload=bench/adapters/software_gpu.ts
 * ```
 *
 * or as the first import of a program, from any folder. Afterwards `navigator.gpu.requestAdapter()` finds the
 * machine's hardware adapter if there is one, and otherwise SwiftShader, a conformant software Vulkan
 * driver that comes in an npm package. Where the user has chosen a driver through `VK_DRIVER_FILES` or
 * `VK_ICD_FILENAMES`, nothing is changed.
 *
 * @module
 */
import { WorkerLink } from "../../core/worker/worker_link.ts";
import type { AdapterRequest } from "./adapter_worker.ts";
import type { AdapterSummary } from "./adapter_summary.ts";
import { swiftShaderObstacle, unpackSwiftShader } from "./swiftshader.ts";

/** Which adapter this process uses, and why. */
export interface SoftwareGpu {
  /**
   * `hardware`: the machine's own; `chosen`: whatever the user's environment names;
   * `swiftshader`: SwiftShader, from the package; `software`: a software adapter that the system
   * has, where SwiftShader does not run; `none`: there is no adapter, and `detail` says why.
   */
  readonly kind: "hardware" | "chosen" | "swiftshader" | "software" | "none";
  /** One sentence for a person. */
  readonly detail: string;
}

/** The variables by which a person chooses a Vulkan driver; the loader reads either. */
export const DRIVER_VARIABLES = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] as const;
/** The variable that limits Deno to one graphics API. */
export const BACKEND_VARIABLE = "DENO_WEBGPU_BACKEND";
/** The variable that switches off Mesa's layer which orders adapters by display. */
const LAYER_VARIABLE = "NODEVICE_SELECT";
/** Set when this module has chosen SwiftShader: tells its other isolates and its child processes. */
const MARK = "PORTLAB_SOFTWARE_GPU";

/** Environment variables without those that this module has set, here or in the parent process. */
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
  // Otherwise Deno tries OpenGL too. That takes up to 400 ms and finds at best a software
  // rasterizer, which is no better than SwiftShader.
  if (Deno.build.os === "linux" && !Deno.env.get(BACKEND_VARIABLE)) {
    Deno.env.set(BACKEND_VARIABLE, "vulkan");
  }
  // Without a display the layer has nothing to order and prints a complaint.
  if (!Deno.env.get("XDG_RUNTIME_DIR")) Deno.env.set(LAYER_VARIABLE, "1");
  return await askWorker();
}

/**
 * Asks for the adapter in a Worker. An isolate that has asked once keeps the list of drivers that it
 * found, and this isolate must not have done so before SwiftShader is on that list.
 */
async function askWorker(): Promise<AdapterSummary | undefined> {
  const url = new URL("./adapter_worker.ts", import.meta.url);
  const link = new WorkerLink<AdapterRequest>(url);
  try {
    return await link.ask<AdapterSummary | undefined>("adapter");
  } catch {
    return undefined; // A driver that fails is no adapter; the doctor finds out why.
  } finally {
    link.terminate();
  }
}

async function openSwiftShader(): Promise<SoftwareGpu> {
  try {
    const { libraryPath, driverPath } = await unpackSwiftShader();
    // The mark comes first: an isolate that saw the other variables without it would take them for
    // the user's choice.
    Deno.env.set(MARK, "swiftshader");
    for (const name of DRIVER_VARIABLES) Deno.env.set(name, driverPath);
    // Opened and never closed: the runtime opens the Vulkan loader by its name later, and gets the
    // one that is already open.
    Deno.dlopen(libraryPath, {});
    return { kind: "swiftshader", detail: `the machine has no hardware adapter: ${driverPath}` };
  } catch (error) {
    const { message } = error as Error;
    return { kind: "none", detail: `SwiftShader cannot be brought in: ${message}` };
  }
}
