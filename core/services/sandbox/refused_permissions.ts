/** The part of Deno that is tried. */
interface Runtime {
  readonly readDirSync: (path: string) => unknown;
  readonly removeSync: (path: string) => unknown;
  readonly listen: (options: { hostname: string; port: number }) => { close(): void };
  readonly env: { get(name: string): unknown };
  readonly hostname: () => unknown;
  readonly Command: new (name: string) => { outputSync(): unknown };
  readonly dlopen: (path: string, symbols: Record<string, never>) => unknown;
}

/** What needs each permission, and does no harm where there is one. */
const ATTEMPTS: Readonly<Record<string, (runtime: Runtime) => unknown>> = {
  read: (runtime) => runtime.readDirSync("/"),
  write: (runtime) => runtime.removeSync("/proc/none"),
  net: (runtime) => runtime.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  env: (runtime) => runtime.env.get("PATH"),
  sys: (runtime) => runtime.hostname(),
  run: (runtime) => new runtime.Command("/proc/none").outputSync(),
  ffi: (runtime) => runtime.dlopen("/proc/none", {}),
};

/**
 * What this worker may still do, by attempts; nothing when it has no permissions.
 *
 * @param runtime the global `Deno`; absent in a runtime that has no permissions to lose
 */
export function permissionsLeft(runtime: unknown): string[] {
  return Object.entries(ATTEMPTS)
    .filter(([, attempt]) => !isRefused(() => attempt(runtime as Runtime)))
    .map(([name]) => name);
}

function isRefused(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    return (error as Error).name === "NotCapable";
  }
}
