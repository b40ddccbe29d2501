import { Errno } from "../signature/declare/errno.ts";
import { cText, errnoOf, type Libc, openLibc, readText } from "./libc.ts";

/** Threads and processes of a group: the runtime itself may start some hundred to wait for files. */
export const TASKS_MAX = 1024;

const O_WRONLY_CLOEXEC = 0o2000001;
const MODE = 0o755;
/** A millisecond each. */
const LOOKS_MAX = 1000;
/** Room for `/proc/PID/cgroup`, a line for each of a dozen hierarchies. */
const LIST_BYTES = 8192;

/**
 * Bounds the threads and processes that a process may have, for good: by a group of the system's (cgroup) for it
 * alone, below the one that it is in, whose limits stay. Only where this program may make one, and the system
 * bounds tasks there: in the first version's hierarchy of `pids`, and in the second where a group hands `pids` on.
 *
 * @returns whether there is such a group now; {@linkcode removeTaskGroup} takes it away after the process
 */
export function limitTasks(libc: Libc, pid: number, tasksMax = TASKS_MAX): boolean {
  const folder = folderOf(libc, pid);
  libc.rmdir(cText(folder)); // of a process that had this number, and whose parent was killed
  if (libc.mkdir(cText(folder), MODE) !== 0) return false;
  if (put(libc, `${folder}/pids.max`, tasksMax) && put(libc, `${folder}/cgroup.procs`, pid)) {
    return true;
  }
  libc.rmdir(cText(folder));
  return false;
}

/**
 * Takes the group of a child away that has ended; where there is none, nothing.
 *
 * @returns whether there was one
 */
export async function removeTaskGroup(pid: number): Promise<boolean> {
  using stack = new DisposableStack();
  const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
  const folder = cText(folderOf(libc, pid));
  // The last of its threads may be on its way out although the process was reaped.
  for (let looksLeft = LOOKS_MAX; looksLeft > 0; looksLeft--) {
    if (libc.rmdir(folder) === 0) return true;
    if (errnoOf(libc) !== Errno.EBUSY) return false;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return false;
}

/** Where the group of this process or a child is: below that of this process, in which its children begin. */
function folderOf(libc: Libc, pid: number): string {
  const lines = readText(libc, "/proc/self/cgroup", LIST_BYTES).split("\n");
  const groups = lines.map((line) => line.split(":"));
  const first = groups.find(([, controllers]) => controllers?.split(",").includes("pids"));
  const [, , own = "/"] = first ?? groups.find(([number]) => number === "0") ?? [];
  return `/sys/fs/cgroup${first ? "/pids" : ""}${own === "/" ? "" : own}/portlab_${pid}`;
}

function put(libc: Libc, path: string, number: number): boolean {
  const file = libc.open(cText(path), O_WRONLY_CLOEXEC, 0);
  if (file < 0) return false;
  const text = new TextEncoder().encode(`${number}`);
  const count = libc.write(file, text, BigInt(text.length));
  libc.close(file);
  return count === BigInt(text.length);
}
