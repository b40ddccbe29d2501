import { assertEquals } from "@std/assert";
import { join } from "@std/path";

/** Looks at a process at most so often, 50 ms apart, until it is gone. */
const LOOKS_MAX = 200;
const LOOK_MILLISECONDS = 50;

async function until(isDone: () => boolean): Promise<boolean> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    if (isDone()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  return false;
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

Deno.test({
  name: "endWithParent() ends a point that hangs when the sweep is killed",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const pidFile = join(folder, "pid");
      const program = `
        import { measureIsolated } from "${new URL("isolated_point.ts", import.meta.url)}";
        import { divideBudget } from "${new URL("budget.ts", import.meta.url)}";
        await measureIsolated({
          scenario: "misbehaving",
          moduleUrl: "${new URL("testdata/misbehaving.ts", import.meta.url)}",
          pointId: "way=hangs;size=1",
          budget: divideBudget([], { seconds: 1, isQuick: true })(),
        });`;
      const parent = new Deno.Command(Deno.execPath(), {
        args: ["run", "--allow-all", "--no-check", "--ext=js", "-"],
        env: { PORTLAB_PID_FILE: pidFile },
        stdin: "piped",
        stdout: "null",
        stderr: "null",
      }).spawn();
      const writer = parent.stdin.getWriter();
      await writer.write(new TextEncoder().encode(program));
      await writer.close();
      assertEquals(await until(() => read(pidFile) !== ""), true, "the point has begun");
      const command = () => read(`/proc/${read(pidFile)}/cmdline`);
      assertEquals(command().includes("isolated_point.ts"), true);
      parent.kill("SIGKILL");
      await parent.status;
      assertEquals(await until(() => command() === ""), true, "the point has ended");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
