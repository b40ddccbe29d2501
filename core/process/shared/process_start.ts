import { cText, type Libc } from "../../system/libc.ts";

const O_RDONLY_CLOEXEC = 0o2000000;
/** Enough for the line of `/proc/PID/stat`, whose name of the program has 64 bytes at most. */
const STAT_BYTES = 1024;
/** Fields behind the program's name, which is in parentheses and may hold any byte. */
const STATE_FIELD = 0;
const START_FIELD = 19;

/**
 * When a process began, as the system counts, from 1; `undefined` for one that is dead, also while its
 * parent has not yet asked for its end. A number of a process that is given again has another beginning.
 */
export function processStart(libc: Libc, pid: number): number | undefined {
  const file = libc.open(cText(`/proc/${pid}/stat`), O_RDONLY_CLOEXEC, 0);
  if (file < 0) return undefined;
  const bytes = new Uint8Array(STAT_BYTES);
  const count = Number(libc.pread(file, bytes, BigInt(STAT_BYTES), 0n));
  libc.close(file);
  if (count <= 0) return undefined;
  const line = new TextDecoder().decode(bytes.subarray(0, count));
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  if (/[ZXx]/.test(fields[STATE_FIELD]!)) return undefined;
  return Number(BigInt.asIntN(31, BigInt(fields[START_FIELD]!))) || 1;
}
