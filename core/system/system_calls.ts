/** How a filter of system calls is told which processor's numbers are meant. */
export type Processor = "x86_64" | "aarch64";

/** Of the header `linux/audit.h`. */
const AUDIT_ARCH: Readonly<Record<Processor, number>> = {
  x86_64: 0xc000003e,
  aarch64: 0xc00000b7,
};

/**
 * What a guest's process does in its own memory, with its own threads, and on what is open: numbers of both
 * processors. Nothing that names a file, a socket, a program or another process.
 */
const ALLOWED: Readonly<Record<Processor, readonly number[]>> = {
  x86_64: [
    ...[0, 1, 19, 20, 45, 53], // read write readv writev recvfrom socketpair
    ...[3, 5, 7, 8, 271], // close fstat poll lseek ppoll
    ...[10, 11, 12, 25, 28], // mprotect munmap brk mremap madvise
    ...[13, 14, 15, 131], // rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack
    ...[24, 35, 230, 202, 219], // sched_yield nanosleep clock_nanosleep futex restart_syscall
    ...[143, 145], // sched_getparam sched_getscheduler
    ...[96, 201, 228, 229], // gettimeofday time clock_gettime clock_getres
    ...[39, 186, 98, 204, 309, 318], // getpid gettid getrusage sched_getaffinity getcpu getrandom
    79, // getcwd, without which Deno waits for ever before it refuses to start a program
    ...[60, 231, 273, 334, 324], // exit exit_group set_robust_list rseq membarrier
    ...[232, 233, 281, 441], // epoll_wait epoll_ctl epoll_pwait epoll_pwait2
    ...[329, 330, 331], // pkey_mprotect pkey_alloc pkey_free
  ],
  aarch64: [
    ...[63, 64, 65, 66, 207, 199],
    ...[57, 80, 62, 73],
    ...[226, 215, 214, 216, 233],
    ...[134, 135, 139, 132],
    ...[124, 101, 115, 98, 128],
    ...[121, 120],
    ...[169, 113, 114],
    ...[172, 178, 165, 123, 168, 278],
    17,
    ...[93, 94, 99, 293, 283],
    ...[21, 22, 441],
    ...[288, 289, 290],
  ],
};

/** Those that are looked at more closely. */
const JUDGED: Readonly<Record<Processor, Readonly<Record<Judged, number>>>> = {
  x86_64: { mmap: 9, fcntl: 72, clone: 56, clone3: 435, tgkill: 234, prctl: 157 },
  aarch64: { mmap: 222, fcntl: 25, clone: 220, clone3: 435, tgkill: 131, prctl: 167 },
};
type Judged = "mmap" | "fcntl" | "clone" | "clone3" | "tgkill" | "prctl";

/** The number of `seccomp`, by which a filter is put up. */
export const SECCOMP_CALL: Readonly<Record<Processor, number>> = { x86_64: 317, aarch64: 277 };

// Of BPF and seccomp: "load a word of the call", "is equal", "has a bit", "return".
const LOAD = 0x20;
const IS_EQUAL = 0x15;
const HAS_BITS = 0x45;
const RETURN = 0x06;
const NUMBER_BYTE = 0;
const ARCH_BYTE = 4;
const ARGUMENTS_BYTE = 16;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const FAIL = 0x00050000;
const EPERM = 1;
/** The call says that all is well, and does nothing. */
const NOTHING_DONE = 0;
const ENOSYS = 38;
const INSTRUCTION_BYTES = 8;

/** Memory that no limit of the system's counts: shared with others, or a stack that grows by itself. */
const MAP_UNCOUNTED = 1 | 0x100; // MAP_SHARED, MAP_GROWSDOWN
const F_DUPFD_CLOEXEC = 1030;
/** Locks a file: one of the runtime's caches, of which nothing is left. Refused, it would try for ten seconds. */
const F_SETLK = 6;
const CLONE_THREAD = 0x10000;
const PR_SET_NAME = 15;
/** Names a region of memory. */
const PR_SET_VMA = 0x53564d41;

/** A step of the filter: how far to jump if it is so, and if not. */
interface Step {
  readonly code: number;
  readonly then?: number;
  readonly else?: number;
  readonly value: number;
}

/**
 * A filter of system calls as the kernel takes it, an array of `sock_filter`: what is not listed fails with
 * `EPERM`. A lock of a file is said to be had, and is none. Memory is mapped for the process alone, and as data, so that its limit counts it; what is cloned is
 * a thread; a signal goes to the process itself.
 */
export function systemCallFilter(processor: Processor, pid: number): Uint8Array<ArrayBuffer> {
  const judged = JUDGED[processor];
  const steps: Step[] = [
    { code: LOAD, value: ARCH_BYTE },
    { code: IS_EQUAL, value: AUDIT_ARCH[processor], then: 1 },
    { code: RETURN, value: KILL_PROCESS },
    { code: LOAD, value: NUMBER_BYTE },
    ...ALLOWED[processor].flatMap((number) => when(number, [{ code: RETURN, value: ALLOW }])),
    // The C library asks the older call then, whose flags are no memory that could change meanwhile.
    ...when(judged.clone3, [{ code: RETURN, value: FAIL | ENOSYS }]),
    ...when(judged.mmap, unless(3, [{ code: HAS_BITS, value: MAP_UNCOUNTED, else: 1 }])),
    ...when(judged.fcntl, [
      { code: LOAD, value: ARGUMENTS_BYTE + 8 },
      { code: IS_EQUAL, value: F_SETLK, else: 1 },
      { code: RETURN, value: FAIL | NOTHING_DONE },
      { code: IS_EQUAL, value: F_DUPFD_CLOEXEC, then: 1 },
      { code: RETURN, value: FAIL | EPERM },
      { code: RETURN, value: ALLOW },
    ]),
    ...when(judged.clone, unless(0, [{ code: HAS_BITS, value: CLONE_THREAD, then: 1 }])),
    ...when(judged.tgkill, unless(0, [{ code: IS_EQUAL, value: pid, then: 1 }])),
    ...when(
      judged.prctl,
      unless(0, [
        { code: IS_EQUAL, value: PR_SET_NAME, then: 2 },
        { code: IS_EQUAL, value: PR_SET_VMA, then: 1 },
      ]),
    ),
    { code: RETURN, value: FAIL | EPERM },
  ];
  return bytesOf(steps);
}

/** What is done where the call has this number. */
function when(number: number, steps: readonly Step[]): Step[] {
  return [{ code: IS_EQUAL, value: number, else: steps.length }, ...steps];
}

/** Lets a call pass whose argument passes the last test, by a jump over the refusal. */
function unless(argument: number, tests: readonly Step[]): Step[] {
  return [
    { code: LOAD, value: ARGUMENTS_BYTE + 8 * argument },
    ...tests,
    { code: RETURN, value: FAIL | EPERM },
    { code: RETURN, value: ALLOW },
  ];
}

function bytesOf(steps: readonly Step[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(steps.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, step] of steps.entries()) {
    const byte = index * INSTRUCTION_BYTES;
    view.setUint16(byte, step.code, true);
    view.setUint8(byte + 2, step.then ?? 0);
    view.setUint8(byte + 3, step.else ?? 0);
    view.setUint32(byte + 4, step.value, true);
  }
  return bytes;
}
