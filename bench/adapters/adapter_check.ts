// Run as a program, this module checks the adapter that its process gets, and writes the result as
// one line of JSON. A process of its own, because a broken driver may crash it.
import { basename, join } from "@std/path";
import { requestGpuDevice } from "../../core/gpu/device/device.ts";
import { probeEagerReadback, type ReadbackProbe } from "../../core/gpu/device/create_readback.ts";
import { type AdapterSummary, summarizeAdapter } from "./adapter_summary.ts";

export type AdapterCheck =
  | { readonly kind: "none" }
  | FailedCheck
  | { readonly kind: "adapter"; readonly adapter: AdapterSummary; readonly probe: ReadbackProbe };

if (import.meta.main) {
  const check = await checkAdapter().catch(({ message }: Error) => ({ kind: "failed", message }));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(check) + "\n"));
  Deno.exit();
}

async function checkAdapter(): Promise<AdapterCheck> {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) return { kind: "none" };
  const { device } = await requestGpuDevice();
  const probe = await probeEagerReadback(device);
  return { kind: "adapter", adapter: summarizeAdapter(adapter), probe };
}

/**
 * Checks the adapter that a new process gets.
 *
 * @param env all its environment variables
 * @param options `preload` is a module that it loads first
 */
export async function checkAdapterWith(
  env: Readonly<Record<string, string>>,
  options: { readonly preload?: string } = {},
): Promise<AdapterCheck> {
  return await checkInProcess<AdapterCheck>(import.meta.url, { ...options, env });
}

/** What a check says whose process has ended early. */
export interface FailedCheck {
  readonly kind: "failed";
  readonly message: string;
}

/** Runs a program that writes what it finds as one line of JSON. */
export async function checkInProcess<T>(
  program: string,
  { env, preload }: {
    readonly env: Readonly<Record<string, string>>;
    readonly preload?: string;
  },
): Promise<T | FailedCheck> {
  const first = preload ? [`--preload=${preload}`] : [];
  const args = ["run", "-A", "--quiet", "--no-lock", ...first, program];
  const command = new Deno.Command(Deno.execPath(), { args, env, clearEnv: true });
  const { code, signal, stdout, stderr } = await command.output();
  const line = new TextDecoder().decode(stdout).trim();
  if (line !== "") return JSON.parse(line) as T;
  const reason = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  return { kind: "failed", message: `the process ended with ${signal ?? code}: ${reason}` };
}

/** The file that describes an installed Vulkan driver. */
export interface DriverFile {
  /** Its name without the ending. */
  readonly name: string;
  readonly path: string;
}

/**
 * The Vulkan drivers that are installed on this machine: the JSON files in the folders where the
 * Vulkan loader of Linux looks. Empty on systems that have no such files.
 */
export function driverFiles(): DriverFile[] {
  const home = Deno.env.get("HOME") ?? "";
  const shares = (Deno.env.get("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(":");
  const folders = ["/etc", join(home, ".local", "share"), ...shares]
    .map((parent) => join(parent, "vulkan", "icd.d"));
  const paths = [...new Set(folders)].flatMap(jsonFilesOf);
  return paths.map((path) => ({ name: basename(path, ".json"), path }));
}

function jsonFilesOf(folder: string): string[] {
  try {
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
