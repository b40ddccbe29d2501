/** What needs each permission, and does no harm where there is one. */
const ATTEMPTS: Readonly<Record<string, (runtime: typeof Deno) => unknown>> = {
  read: (runtime) => runtime.readDirSync("/"),
  write: (runtime) => runtime.removeSync("/proc/none"),
  net: (runtime) => runtime.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  env: (runtime) => runtime.env.get("PATH"),
  sys: (runtime) => runtime.hostname(),
  run: (runtime) => new runtime.Command("/proc/none").outputSync(),
  ffi: (runtime) => runtime.dlopen("/proc/none", {}),
};

/** All that Deno can give and take. */
const PERMISSIONS = ["read", "write", "net", "env", "sys", "run", "ffi", "import"] as const;

/** Gives every permission of this process back, for good where nobody can be asked. */
export function revokePermissions(): void {
  for (const name of PERMISSIONS) {
    Deno.permissions.revokeSync({ name } as Deno.PermissionDescriptor);
  }
}

/**
 * Checks by attempts that this isolate has no permissions.
 *
 * @param runtime the global `Deno`; absent in a runtime that has no permissions to lose
 * @throws {TypeError} with those that it has
 */
export function checkRefused(runtime: unknown = globalThis.Deno): void {
  if (!runtime) throw new TypeError("this runtime has no permissions that a worker could lose");
  const left = Object.entries(ATTEMPTS)
    .filter(([, attempt]) => !isRefused(() => attempt(runtime as typeof Deno)))
    .map(([name]) => name);
  if (left.length > 0) throw new TypeError(`it still has permissions: ${left.join(", ")}`);
}

function isRefused(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    return (error as Error).name === "NotCapable";
  }
}
