/** Option of `prctl`: which signal this process gets when its parent has ended. */
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * Has the system end this process when the one that started it ends, however that ends. Otherwise a
 * point that hangs would hold its processors for ever once the sweep has been killed. Does nothing on
 * systems other than Linux.
 *
 * @param parentPid of the process that started this one; if it is gone already, this one ends here
 */
export function endWithParent(parentPid: number): void {
  if (Deno.build.os !== "linux") return;
  const library = openLibc();
  library?.symbols.prctl(PR_SET_PDEATHSIG, BigInt(SIGKILL));
  library?.close();
  if (Deno.ppid !== parentPid) Deno.exit(1);
}

type Libc = Deno.DynamicLibrary<{
  readonly prctl: { readonly parameters: readonly ["i32", "usize"]; readonly result: "i32" };
}>;

function openLibc(): Libc | undefined {
  try {
    return Deno.dlopen("libc.so.6", { prctl: { parameters: ["i32", "usize"], result: "i32" } });
  } catch {
    return undefined; // another C library: the process may outlive its parent
  }
}
