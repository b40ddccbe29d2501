import { assertEquals, assertNotEquals } from "@std/assert";
import { openLibc, ownPid } from "../../system/libc.ts";
import { processStart } from "./process_start.ts";

Deno.test({
  name: "processStart() is a process's own, and none of one that is dead, asked for or not",
  ignore: Deno.build.os !== "linux",
  async fn() {
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
    // The program's name holds what it likes.
    assertEquals(processStart(libc, 2 ** 30), undefined);
  },
});
