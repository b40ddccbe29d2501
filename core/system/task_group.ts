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
 * alone. Only where this program may make one, as in most containers and as an administrator.
 *
 * @returns whether there is such a group now; {@linkcode removeTaskGroup} takes it away after the process
 */
export function limitTasks(libc: Libc, pid: number, tasksMax = TASKS_MAX): boolean {
  return foldersOf(libc, pid).some((folder) => {
    libc.rmdir(cText(folder)); // of a process that had this number, and whose parent was killed
    if (libc.mkdir(cText(folder), MODE) !== 0) return false;
    if (put(libc, `${folder}/pids.max`, tasksMax) && put(libc, `${folder}/cgroup.procs`, pid)) {
      return true;
    }
    libc.rmdir(cText(folder));
    return false;
  });
}

/**
 * Takes the group of a process away that has ended; where there is none, nothing.
 *
 * @returns whether there was one
 */
export async function removeTaskGroup(pid: number): Promise<boolean> {
  using stack = new DisposableStack();
  const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
  for (const folder of foldersOf(libc, "self", pid)) {
    // The last of its threads may be on its way out although the process was reaped.
    for (let looksLeft = LOOKS_MAX; looksLeft > 0; looksLeft--) {
      if (libc.rmdir(cText(folder)) === 0) return true;
      if (errnoOf(libc) !== Errno.EBUSY) break;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  return false;
}

/**
 * Where a group for a process could be: beside the one that a process is in, where the system bounds tasks in groups
 * of that folder, or below it.
 */
function foldersOf(libc: Libc, of: number | "self", pid = of): string[] {
  const lines = readText(libc, `/proc/${of}/cgroup`, LIST_BYTES).split("\n").map((line) =>
    line.split(":")
  );
  const counts = ([, controllers]: readonly string[]) => controllers?.split(",").includes("pids");
  const first = lines.find(counts);
  const [root, own = "/"] = first
    ? ["/sys/fs/cgroup/pids", first[2]]
    : ["/sys/fs/cgroup", lines.find(([number]) => number === "0")?.[2]];
  const beside = own.slice(0, own.lastIndexOf("/"));
  const parents = new Set([beside, own === "/" ? "" : own]);
  return [...parents].map((parent) => `${root}${parent}/portlab_${pid}`);
}

function put(libc: Libc, path: string, number: number): boolean {
  const file = libc.open(cText(path), O_WRONLY_CLOEXEC, 0);
  if (file < 0) return false;
  const text = new TextEncoder().encode(`${number}`);
  const count = libc.write(file, text, BigInt(text.length));
  libc.close(file);
  return count === BigInt(text.length);
}
