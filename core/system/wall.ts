import {
  checked,
  cText,
  errnoOf,
  type Libc,
  MAP_FIXED,
  MAP_PRIVATE_ANONYMOUS,
  mapPages,
  openLibc,
  ownPid,
  PROT_READ_WRITE,
  readText,
} from "./libc.ts";
import { limitTasks } from "./task_group.ts";
import { type Processor, SECCOMP_CALL, systemCallFilter } from "./system_calls.ts";

/** What a process may use up from now on. */
export interface WallLimits {
  /** Memory beyond what it has now, in bytes. */
  readonly memoryBytes: number;
  /** Time of processors, of all its threads, since it began, in seconds; `Infinity` for no limit. */
  readonly cpuSeconds: number;
}

// Of Linux, the same for all processors that Deno runs on.
const RLIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4, openFiles: 7, memoryLock: 8, queues: 12 };
const PR_SET_PDEATHSIG = 1;
const PR_SET_DUMPABLE = 4;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9n;
const SECCOMP_SET_MODE_FILTER = 1n;
/** Also for the threads that there are. */
const SECCOMP_FILTER_FLAG_TSYNC = 1n;
const F_GETFD = 1;
const FD_CLOEXEC = 1;
const O_RDWR_CLOEXEC = 0o2000002;
/** Where descriptors are looked for: Linux lets a process have so many unless told otherwise. */
const DESCRIPTORS_MAX = 65_536;
const STREAMS = 3;
/** The runtime has some twenty, and makes itself a pair of sockets later. */
const OPEN_FILES_MAX = 64n;
const STATM_BYTES = 256;
/** A line is some hundred, and a process of the runtime has some hundreds. */
const MAPS_BYTES = 1 << 20;
/** The field of `/proc/self/statm` that counts pages of data. */
const DATA_FIELD = 5;

/**
 * Puts this process behind a wall of the system's, once and for good: no descriptors but the standard
 * streams, limits of memory and time, and of threads where `limitTasks` can, no new privileges, an end with its parent, and system calls for its own
 * memory and threads only.
 *
 * @returns what the system does not have, such as a filter of system calls; nothing where it has all
 * @throws {ErrnoError} when the system refuses a limit
 * @throws {Error} when the parent has ended already
 */
export function raiseWall(limits: WallLimits, parentPid: number): readonly string[] {
  using stack = new DisposableStack();
  const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
  bindTo(libc, parentPid);
  libc.setsid(); // of its terminal's signals, its parent decides
  limitTasks(libc, ownPid());
  closeFiles(libc);
  ownMappedFiles(libc);
  limit(libc, RLIMIT.data, BigInt(dataBytes(libc) + limits.memoryBytes));
  const { cpuSeconds } = limits;
  if (Number.isFinite(cpuSeconds)) {
    const most = BigInt(Math.ceil(cpuSeconds));
    limit(libc, RLIMIT.cpu, most, most + 1n); // SIGXCPU says why, before SIGKILL does not
  }
  for (const one of [RLIMIT.fileSize, RLIMIT.core, RLIMIT.memoryLock, RLIMIT.queues]) {
    limit(libc, one, 0n);
  }
  limit(libc, RLIMIT.openFiles, OPEN_FILES_MAX);
  libc.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n);
  libc.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n);
  return filterSystemCalls(libc) ? [] : [`a filter of system calls (errno ${errnoOf(libc)})`];
}

/**
 * Ends this process with its parent, whatever it does then.
 *
 * @throws {Error} when the parent has ended already
 */
export function endWithParent(parentPid: number): void {
  using stack = new DisposableStack();
  bindTo(stack.adopt(openLibc(), (it) => it.close()).symbols, parentPid);
}

function bindTo(libc: Libc, parentPid: number): void {
  libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0n, 0n, 0n);
  if (libc.getppid() !== parentPid) throw new Error("Cannot go on as the parent has ended");
}

function filterSystemCalls(libc: Libc): boolean {
  const processor = Deno.build.arch as Processor;
  const filter = systemCallFilter(processor, ownPid());
  const program = new BigUint64Array(2); // struct sock_fprog
  program[0] = BigInt(filter.length / 8);
  program[1] = pointerOf(filter);
  const call = BigInt(SECCOMP_CALL[processor]);
  const flags = SECCOMP_FILTER_FLAG_TSYNC;
  return libc.syscall(call, SECCOMP_SET_MODE_FILTER, flags, pointerOf(program)) === 0n;
}

function pointerOf(bytes: BufferSource): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
}

function limit(libc: Libc, resource: number, most: bigint, hardest = most): void {
  const result = libc.setrlimit(resource, new BigUint64Array([most, hardest]));
  checked(libc, `limit resource ${resource} to ${most}`, result);
}

/**
 * Closes what was inherited, which is not marked to be closed, and puts nothing in the place of files that the
 * runtime has opened, such as its caches.
 */
function closeFiles(libc: Libc): void {
  const nothing = checked(libc, "open", libc.open(cText("/dev/null"), O_RDWR_CLOEXEC, 0));
  const target = new Uint8Array(1);
  for (let file = STREAMS; file < DESCRIPTORS_MAX; file++) {
    const flags = libc.fcntl(file, F_GETFD, 0n);
    if (flags < 0 || file === nothing) continue;
    if ((flags & FD_CLOEXEC) === 0) libc.close(file);
    else if (libc.readlink(cText(`/proc/self/fd/${file}`), target, 1n) === 1n) {
      if (target[0] === "/".charCodeAt(0)) libc.dup2(nothing, file);
    }
  }
  libc.close(nothing);
}

/** A mapping of a file that is the same for all, but for the channels' own. */
const SHARED_FILE = /^([0-9a-f]+)-([0-9a-f]+) \S{3}s \S+ \S+ \d+ +\/(?!memfd:portlab)/gm;

/**
 * Puts zeros of this process's own in place of files that it shares with others by memory: the runtime's caches,
 * which are broken then, so that it goes on without.
 */
function ownMappedFiles(libc: Libc): void {
  const maps = readText(libc, "/proc/self/maps", MAPS_BYTES);
  for (const [, first, end] of maps.matchAll(SHARED_FILE)) {
    const [address, endAddress] = [BigInt(`0x${first}`), BigInt(`0x${end}`)];
    const [protection, flags] = [PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | MAP_FIXED];
    mapPages(libc, endAddress - address, { protection, flags, address });
  }
}

/** How much memory of its own this process has asked for. */
function dataBytes(libc: Libc): number {
  const pages = readText(libc, "/proc/self/statm", STATM_BYTES).split(" ")[DATA_FIELD];
  return Number(pages) * libc.getpagesize();
}
