import { openLibc, readText, watchTimer } from "./libc.ts";

/** What a process holds. */
export interface ProcessUse {
  /** Memory and the system's tables of it, in bytes; of files that it maps, what it has read. */
  readonly memoryBytes: number;
  readonly threadCount: number;
}

const LOOK_MILLISECONDS = 100;
/** Room for `/proc/PID/status`. */
const STATUS_BYTES = 8192;

/**
 * Looks ten times a second at what a process holds, also where no limit of the system's counts it: pages that were
 * written and may be no longer, stacks, tables of pages, threads. Says so as long as it is too much.
 *
 * @returns ends it
 */
export function watchUse(
  pid: number,
  most: ProcessUse,
  onExcess: (what: string) => void,
): () => void {
  const libc = openLibc();
  const stop = watchTimer(() => {
    const { memoryBytes, threadCount } = useIn(
      readText(libc.symbols, `/proc/${pid}/status`, STATUS_BYTES),
    );
    const what = memoryBytes > most.memoryBytes
      ? `${memoryBytes} bytes of memory`
      : threadCount > most.threadCount
      ? `${threadCount} threads`
      : undefined;
    if (what) onExcess(what);
  }, LOOK_MILLISECONDS);
  return () => {
    stop();
    libc.close();
  };
}

/** Whether a process has a filter of system calls that this one has not, as the system says. */
export function hasFilter(pid: number): boolean {
  using stack = new DisposableStack();
  const { symbols } = stack.adopt(openLibc(), (it) => it.close());
  const [child, own] = [pid, "self"].map((one) =>
    filtersIn(readText(symbols, `/proc/${one}/status`, STATUS_BYTES))
  );
  return child! > own!;
}

/** Kernels before 5.9 say no number. */
function filtersIn(status: string): number {
  const count = /^Seccomp_filters:\s*(\d+)/m.exec(status)?.[1];
  return count === undefined ? Number(/^Seccomp:\s*2$/m.test(status)) : Number(count);
}

/** What the system says of a process; nothing of one that has ended. */
export function useIn(status: string): ProcessUse {
  const numberOf = (name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const kibibytes = ["VmRSS", "VmSwap", "VmPTE"].map(numberOf).reduce((sum, one) => sum + one, 0);
  return { memoryBytes: kibibytes * 1024, threadCount: numberOf("Threads") };
}
