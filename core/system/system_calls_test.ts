import { assertEquals } from "@std/assert";
import { type Processor, systemCallFilter } from "./system_calls.ts";

const PID = 4242;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const NOTHING_DONE = 0x00050000;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const ARCH = { x86_64: 0xc000003e, aarch64: 0xc00000b7 };

/** Runs a filter as the kernel does, on a call with such arguments. */
function verdict(filter: Uint8Array<ArrayBuffer>, arch: number, number: number, args: number[]) {
  const view = new DataView(filter.buffer);
  const words = new Map([
    [0, number],
    [4, arch],
    ...args.map((arg, at) => [16 + 8 * at, arg] as const),
  ]);
  let held = 0;
  for (let at = 0;;) {
    const [code, value] = [view.getUint16(at * 8, true), view.getUint32(at * 8 + 4, true)];
    const jump = (isSo: boolean) => at += 1 + view.getUint8(at * 8 + (isSo ? 2 : 3));
    if (code === 0x06) return value;
    if (code === 0x20) held = (at++, words.get(value) ?? 0);
    else jump(code === 0x15 ? held === value : (held & value) !== 0);
  }
}

/** Calls by their numbers on both processors, with arguments, and what becomes of them. */
const CALLS: readonly (readonly [x86: number, arm: number, args: number[], verdict: number])[] = [
  [0, 63, [0], ALLOW], // read
  [202, 98, [], ALLOW], // futex
  [257, 56, [], EPERM], // openat
  [59, 221, [], EPERM], // execve
  [41, 198, [], EPERM], // socket
  [62, 129, [1], EPERM], // kill
  [18, 68, [], EPERM], // pwrite64
  [425, 425, [], EPERM], // io_uring_setup
  [435, 435, [], ENOSYS], // clone3
  [56, 220, [0x3d0f00], ALLOW], // clone: a thread
  [56, 220, [17], EPERM], // clone: a process
  [234, 131, [PID], ALLOW], // tgkill
  [234, 131, [PID + 1], EPERM],
  [9, 222, [0, 0, 3, 0x22], ALLOW], // mmap: private
  [9, 222, [0, 0, 3, 0x21], EPERM], // mmap: shared
  [9, 222, [0, 0, 3, 0x122], EPERM], // mmap: a stack that grows
  [9, 222, [0, 0, 3, 0x20123], EPERM],
  [72, 25, [0, 1030], ALLOW], // fcntl: a copy
  [72, 25, [0, 8], EPERM], // fcntl: an owner
  [72, 25, [0, 6], NOTHING_DONE], // fcntl: a lock
  [72, 25, [0, 7], EPERM], // fcntl: to wait for one
  [157, 167, [15], ALLOW], // prctl: a name
  [157, 167, [0x53564d41], ALLOW],
  [157, 167, [4], EPERM], // prctl: dumpable
];

for (const processor of ["x86_64", "aarch64"] as const) {
  Deno.test(`systemCallFilter() lets a process of ${processor} do what is its own`, () => {
    const filter = systemCallFilter(processor satisfies Processor, PID);
    const found = CALLS.map(([x86, arm, args]) =>
      verdict(filter, ARCH[processor], processor === "x86_64" ? x86 : arm, args)
    );
    assertEquals(found, CALLS.map((call) => call[3]));
    const other = processor === "x86_64" ? ARCH.aarch64 : 0x40000003;
    assertEquals(verdict(filter, other, 0, []), KILL);
    assertEquals(verdict(filter, ARCH[processor], 0x40000000, [0]), EPERM);
  });
}
