// Looks at the adapter that this process gets, and writes what it found as one line of JSON. A
// process of its own, because a driver that is broken may take the process with it.
import { requestGpuDevice } from "../../core/gpu/device/device.ts";
import { probeEagerReadback, type ReadbackProbe } from "../../core/gpu/device/readback_probe.ts";
import { type AdapterSummary, summarizeAdapter } from "./adapter_summary.ts";

/** What the check found. */
export type AdapterCheck =
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "adapter"; readonly adapter: AdapterSummary; readonly probe: ReadbackProbe };

if (import.meta.main) {
  const found = await checkAdapter().catch(({ message }: Error) => ({ kind: "failed", message }));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(found) + "\n"));
  Deno.exit();
}

/** Checks the adapter of this process. */
export async function checkAdapter(): Promise<AdapterCheck> {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) return { kind: "none" };
  const { device } = await requestGpuDevice();
  const probe = await probeEagerReadback(device);
  return { kind: "adapter", adapter: summarizeAdapter(adapter), probe };
}

/** Checks the adapter of a process with other environment variables. */
export async function checkAdapterWith(
  env: Readonly<Record<string, string>>,
  options: { readonly preload?: string } = {},
): Promise<AdapterCheck> {
  const preload = options.preload ? [`--preload=${options.preload}`] : [];
  const args = ["run", "-A", "--quiet", ...preload, import.meta.url];
  const command = new Deno.Command(Deno.execPath(), { args, env, clearEnv: true });
  const { code, signal, stdout, stderr } = await command.output();
  const line = new TextDecoder().decode(stdout).trim();
  if (line !== "") return JSON.parse(line) as AdapterCheck;
  const reason = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  return { kind: "failed", message: `the process ended with ${signal ?? code}: ${reason}` };
}
