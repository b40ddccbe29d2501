/** For `dlopen`: load it now, and keep it whatever is closed. */
const NOW_FOR_GOOD = 0x1002;

/**
 * Keeps a library in the process until that ends, for libraries with code that runs later than a worker
 * that used them: at the end of its thread, or of the program. Does nothing outside of Linux.
 *
 * @param files its names: the first that can be opened is kept
 */
export function keepLoaded(files: readonly string[]): void {
  if (Deno.build.os !== "linux") return;
  const libc = Deno.dlopen("libc.so.6", {
    dlopen: { parameters: ["buffer", "i32"], result: "pointer" },
  });
  files.find((file) => libc.symbols.dlopen(new TextEncoder().encode(`${file}\0`), NOW_FOR_GOOD));
  libc.close();
}
