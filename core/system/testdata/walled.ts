/** A child behind the wall that has what no guest finds: the runtime, and functions of C. It tells what it could do. */
import { cText } from "../libc.ts";
import { Parent } from "../child.ts";
import { raiseWall } from "../wall.ts";

const { symbols: c } = Deno.dlopen("libc.so.6", {
  open: { parameters: ["buffer", "i32", "u32"], result: "i32" },
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  fork: { parameters: [], result: "i32" },
  execve: { parameters: ["buffer", "pointer", "pointer"], result: "i32" },
  kill: { parameters: ["i32", "i32"], result: "i32" },
  ptrace: { parameters: ["i64", "i64", "i64", "i64"], result: "i64" },
  process_vm_readv: {
    parameters: ["i32", "pointer", "u64", "pointer", "u64", "u64"],
    result: "i64",
  },
  mmap: { parameters: ["u64", "u64", "i32", "i32", "i32", "i64"], result: "i64" },
  memfd_create: { parameters: ["buffer", "u32"], result: "i32" },
  setrlimit: { parameters: ["i32", "buffer"], result: "i32" },
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  fcntl: { parameters: ["i32", "i32", "i64"], result: "i32" },
  setuid: { parameters: ["u32"], result: "i32" },
  chdir: { parameters: ["buffer"], result: "i32" },
  lseek: { parameters: ["i32", "i64", "i32"], result: "i64" },
  getpid: { parameters: [], result: "i32" },
});
const parent = new Parent();
const missing = raiseWall({ memoryBytes: 1 << 28, cpuSeconds: 60 }, parent.pid);

const F_SETOWN = 8;
const SEEK_END = 2;
const attempts: Readonly<Record<string, () => unknown>> = {
  "open a file": () => c.open(cText("/etc/passwd"), 0, 0),
  "open its own memory": () => c.open(cText("/proc/self/mem"), 2, 0),
  "make a socket": () => c.socket(2, 1, 0),
  "fork": () => c.fork(),
  "run a program": () => c.execve(cText("/bin/true"), null, null),
  "kill its parent": () => c.kill(parent.pid, 9),
  "kill everybody": () => c.kill(-1, 9),
  "trace its parent": () => c.ptrace(16n, BigInt(parent.pid), 0n, 0n),
  "read its parent": () => c.process_vm_readv(parent.pid, null, 0n, null, 0n, 0n),
  "share memory beyond its limit": () => c.mmap(0n, 4096n, 3, 0x21, -1, 0n),
  "have a stack beyond its limit": () => c.mmap(0n, 4096n, 3, 0x122, -1, 0n),
  "make a file in memory": () => c.memfd_create(cText("x"), 0),
  "raise a limit": () => c.setrlimit(2, new BigUint64Array([2n ** 63n, 2n ** 63n])),
  "be looked into": () => c.prctl(4, 1n, 0n, 0n, 0n),
  "live without its parent": () => c.prctl(1, 0n, 0n, 0n, 0n),
  "have signals sent by a file": () => c.fcntl(0, F_SETOWN, BigInt(parent.pid)),
  "find a file that was open": () =>
    Array.from({ length: 256 }, (_, file) => c.lseek(file, 0n, SEEK_END)).find((end) => end > 0n) ??
      -1,
  "change its user": () => c.setuid(1),
  "go elsewhere": () => c.chdir(cText("/tmp")),
  "read by the runtime": () => Deno.readTextFileSync("/etc/passwd").length,
  "listen by the runtime": () => Deno.listen({ port: 0 }).close(),
  "start by the runtime": () => new Deno.Command("/bin/true").outputSync().code,
};
const made = Object.entries(attempts).filter(([, attempt]) => {
  try {
    const result = attempt();
    return typeof result !== "number" && typeof result !== "bigint" ? true : result >= 0;
  } catch {
    return false;
  }
}).map(([name]) => name);
const large = (() => {
  try {
    return new Uint8Array(1 << 29).length;
  } catch (error) {
    return (error as Error).name;
  }
})();
console.log(JSON.stringify({ missing, made, large, isAlive: c.getpid() > 0 }));
