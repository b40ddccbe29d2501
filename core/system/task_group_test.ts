import { assertEquals } from "@std/assert";
import { openLibc } from "./libc.ts";
import { limitTasks, removeTaskGroup } from "./task_group.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

onLinux(
  "limitTasks() bounds what a process starts, where this program may make a group",
  async () => {
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    const script = "exec 3<&0; read go; for n in 1 2 3 4 5 6; do cat <&3 & done";
    const shell = new Deno.Command("sh", { args: ["-c", script], stdin: "piped", stderr: "piped" })
      .spawn();
    const isLimited = limitTasks(libc, shell.pid, 4);
    const writer = shell.stdin.getWriter();
    await writer.write(new TextEncoder().encode("go\n"));
    await shell.status;
    await writer.close(); // which ends all that it started
    const hasRefused = /fork/i.test(await new Response(shell.stderr).text());
    // Where no group can be made, nothing is limited, and nothing left to remove.
    assertEquals(hasRefused, isLimited);
    assertEquals(await removeTaskGroup(shell.pid), isLimited);
    assertEquals(await removeTaskGroup(shell.pid), false);
  },
);
