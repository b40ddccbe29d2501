import { assertEquals, assertNotEquals } from "@std/assert";
import { openLibc, ownPid } from "./libc.ts";
import { pidNamespace, processStart } from "./process_start.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

onLinux(
  "processStart() is a process's own, and none of one that is dead, asked for or not",
  async () => {
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    const own = processStart(libc, ownPid());
    assertEquals(processStart(libc, ownPid()), own);
    await using child = new Deno.Command("sleep", { args: ["60"] }).spawn();
    const start = processStart(libc, child.pid);
    assertNotEquals(start, undefined);
    assertEquals(start! >= own!, true);
    child.kill("SIGKILL");
    const { signal } = await child.status;
    assertEquals([signal, processStart(libc, child.pid)], ["SIGKILL", undefined]);
    assertEquals(processStart(libc, 2 ** 30), undefined);
    const openCount = () => [...Deno.readDirSync("/proc/self/fd")].length;
    const before = openCount();
    for (let look = 0; look < 20; look++) processStart(libc, ownPid());
    assertEquals(openCount(), before);
  },
);

onLinux(
  "processStart() takes nobody for dead whom it cannot look at, and who has died for nothing else",
  () => {
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    const own = processStart(libc, ownPid());
    for (const failing of [{ open: () => -1 }, { pread: () => -1n }, { pread: () => 0n }]) {
      const blind = { ...libc, ...failing } as typeof libc;
      assertEquals([processStart(blind, ownPid()), processStart(blind, 2 ** 30)], [0, undefined]);
    }
    // The program's name holds what it likes.
    const stat = (state: string) => `7 (a) Z (b) ${state} ${Array(18).fill(1).join(" ")} ${own} 0`;
    const told = (state: string) => ({
      ...libc,
      pread: (_: number, bytes: Uint8Array, _bytes: bigint, at: bigint) =>
        BigInt(new TextEncoder().encodeInto(stat(state).slice(Number(at)), bytes).written),
    } as unknown as typeof libc);
    for (const state of "RSDTt") assertEquals(processStart(told(state), ownPid()), own);
    for (const state of "ZXx") assertEquals(processStart(told(state), ownPid()), undefined);
    const link = Deno.readLinkSync("/proc/self/ns/pid");
    assertEquals(`pid:[${pidNamespace(libc) >>> 0}]`, link);
    const unknown = { ...libc, readlink: () => -1n } as unknown as typeof libc;
    assertEquals(pidNamespace(unknown), 0);
  },
);
