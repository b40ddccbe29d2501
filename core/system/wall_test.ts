import { assertEquals } from "@std/assert";
import { Child, type ChildEnd } from "./child.ts";
import { cText, openLibc } from "./libc.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

/** Runs a child to its end; returns that, and what it printed. */
async function run(program: string, messages: readonly unknown[] = []) {
  const lines: string[] = [];
  const child = new Child({
    program: new URL(`./testdata/${program}`, import.meta.url),
    flags: ["-A"],
    onLine: (stream, line) => lines.push(`${stream}: ${line}`),
  });
  for (const message of messages) child.post(message);
  const end: ChildEnd = await child.ended;
  return { lines, end };
}

onLinux(
  "behind a wall nothing is opened, started, signalled or shared, whatever code runs",
  async () => {
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    const inherited = libc.open(cText("/etc/passwd"), 0, 0); // a program's own child would have it
    stack.defer(() => libc.close(inherited));
    const { lines, end } = await run("walled.ts");
    assertEquals([lines.length, end], [1, { signal: null, code: 0 }], lines.join("\n"));
    const { missing, made, large, isAlive } = JSON.parse(
      lines[0]!.slice("stdout: ".length),
    );
    assertEquals([missing, made, large, isAlive], [[], [], "RangeError", true]);
  },
);
