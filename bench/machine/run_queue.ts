/** How long this thread has waited for a processor that others had, since it began. */
export interface RunQueue extends Disposable {
  /** Grows while the thread is ready and does not run; not while it sleeps. */
  waitedSeconds(): number;
}

/** Of the calling thread: time on a processor, time ready without one, turns; in nanoseconds. */
const PATH = "/proc/thread-self/schedstat";
const NANOSECONDS = 1e9;

/**
 * Opens the account that Linux keeps of the calling thread; to be read by that thread. A wall clock alone
 * does not tell a call that took long from a thread that was taken off its processor.
 *
 * @returns nothing on other systems, and where Linux keeps no account
 */
export function openRunQueue(path: string = PATH): RunQueue | undefined {
  try {
    const file = Deno.openSync(path);
    const bytes = new Uint8Array(128);
    const waitedSeconds = () => {
      file.seekSync(0, Deno.SeekMode.Start);
      return parseWaited(new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes) ?? 0)));
    };
    if (Number.isFinite(waitedSeconds())) {
      return {
        waitedSeconds,
        [Symbol.dispose]: () => file.close(),
      };
    }
    file.close();
  } catch {
    // another system, or one that does not let it be read
  }
  return undefined;
}

function parseWaited(text: string): number {
  return Number(text.split(" ")[1]) / NANOSECONDS;
}
