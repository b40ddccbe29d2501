const MASK_BYTES = 128;
const SYMBOLS = {
  sched_getaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
} as const;
/** Stands for the calling thread in both functions. */
const THIS_THREAD = 0;

/**
 * The processors that the calling thread may run on; empty where this cannot be known or changed:
 * on systems other than Linux, and without permission for foreign functions.
 */
export function allowedCpus(): readonly number[] {
  const mask = new Uint8Array(MASK_BYTES);
  const outcome = withLibc((libc) => libc.sched_getaffinity(THIS_THREAD, BigInt(MASK_BYTES), mask));
  if (outcome !== 0) return [];
  return Array.from({ length: MASK_BYTES * 8 }, (_, cpu) => cpu)
    .filter((cpu) => (mask[cpu >> 3]! >> (cpu & 7)) & 1);
}

/**
 * Keeps the calling thread, and threads that it starts later, on some processors.
 *
 * Two threads that wait for each other in busy loops look equally busy to a scheduler, on one core or
 * on two. It may leave both on one core for seconds, and each round trip then takes two of its time
 * slices: the figure would be the scheduler's.
 *
 * @returns whether the system did it
 */
export function keepOnCpus(cpus: readonly number[]): boolean {
  const mask = new Uint8Array(MASK_BYTES);
  for (const cpu of cpus) mask[cpu >> 3]! |= 1 << (cpu & 7);
  return withLibc((libc) => libc.sched_setaffinity(THIS_THREAD, BigInt(MASK_BYTES), mask)) === 0;
}

type Libc = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

function withLibc<Result>(work: (libc: Libc) => Result): Result | undefined {
  if (Deno.build.os !== "linux") return undefined;
  let library: Deno.DynamicLibrary<typeof SYMBOLS>;
  try {
    library = Deno.dlopen("libc.so.6", SYMBOLS);
  } catch {
    return undefined; // another C library, or no permission: threads stay where they are
  }
  try {
    return work(library.symbols);
  } finally {
    library.close();
  }
}
