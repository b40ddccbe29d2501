import { Errno } from "../signature/declare/errno.ts";
import { cText, errnoOf, type Libc, readText } from "./libc.ts";

/** Enough for the line of `/proc/PID/stat`, whose name of the program has 64 bytes at most. */
const STAT_BYTES = 1024;
/** Fields behind the program's name, which is in parentheses and may hold any byte. */
const STATE_FIELD = 0;
const START_FIELD = 19;
/** Of a signal that is none: it asks whether there is such a process. */
const NO_SIGNAL = 0;

/**
 * When a process began, as the system counts, from 1; 0 where the system does not tell, as to who has no free
 * descriptor. `undefined` for one that is dead, also while its parent has not yet asked for its end: the system
 * says so then. A number of a process that is given again has another beginning.
 */
export function processStart(libc: Libc, pid: number): number | undefined {
  const line = readText(libc, `/proc/${pid}/stat`, STAT_BYTES);
  if (line === "") return isAbsent(libc, pid) ? undefined : 0;
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  if (/[ZXx]/.test(fields[STATE_FIELD]!)) return undefined;
  return Number(BigInt.asIntN(31, BigInt(fields[START_FIELD]!))) || 1;
}

/** The number of this process's PID namespace: the numbers of processes mean something within it alone. 0 if unknown. */
export function pidNamespace(libc: Libc): number {
  const bytes = new Uint8Array(STAT_BYTES);
  const count = Number(libc.readlink(cText("/proc/self/ns/pid"), bytes, BigInt(STAT_BYTES)));
  const text = new TextDecoder().decode(bytes.subarray(0, Math.max(count, 0)));
  return Number(/^pid:\[(\d+)\]$/.exec(text)?.[1] ?? 0) | 0;
}

/** Whether the system says that there is no such process: nothing else buries one, no limit of this process's either. */
function isAbsent(libc: Libc, pid: number): boolean {
  return libc.kill(pid, NO_SIGNAL) < 0 && errnoOf(libc) === Errno.ESRCH;
}
