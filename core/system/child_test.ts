import { assert, assertEquals, assertThrows } from "@std/assert";
import { Child, type ChildStream, endProcess, TimeLimit, whyNoChild } from "./child.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

onLinux(
  "Child sends values and rings, hears lines and rings, and tells the signal that ends it",
  async () => {
    const heard: Record<ChildStream, string[]> = { stdout: [], stderr: [] };
    let ringCount = 0;
    const child = new Child({
      program: new URL("./testdata/echo.ts", import.meta.url),
      flags: ["--allow-all"],
      shapes: [{ portCount: 1, laneCount: 1 }],
      onRing: (count) => ringCount += count,
      onLine: (stream, line) => heard[stream].push(line),
    });
    const [mapped] = child.channels;
    child.ring();
    child.post({ text: `a\nb${"x".repeat(2000)}` });
    assertThrows(() => child.post(() => {}), TypeError);
    child.post({ text: "last", isLast: true });
    assertEquals(await child.ended, { signal: "SIGABRT", code: 134 });
    assertEquals(heard.stdout, ["1", "rung"]);
    assertEquals(heard.stderr.map(({ length }) => length), [1, 1024, 977, 4]);
    assertEquals([ringCount, mapped!.channel.takeOwnerId()], [2, 2]); // of one memory
    child.kill();
    child.ring();
    assertEquals(whyNoChild(), undefined);
  },
);

onLinux("Child ends by kill(), whatever it does", async () => {
  const child = new Child({
    program: new URL("data:text/javascript,for(;;);"),
    flags: [],
    onLine() {},
  });
  child.kill();
  const { signal, code } = await child.ended;
  assert(signal === "SIGKILL" && code === 137);
});

Deno.test("TimeLimit ends a process that takes longer, and endProcess() one that has ended: not at all", async () => {
  const start = (code: string) =>
    new Deno.Command(Deno.execPath(), { args: ["eval", code], stdout: "null" }).spawn();
  const hanging = start("for (;;);");
  const quick = start("0");
  using short = new TimeLimit(hanging, 0.2);
  using long = new TimeLimit(quick, 30);
  assertEquals((await hanging.status).signal, "SIGKILL");
  assertEquals((await quick.status).code, 0);
  endProcess(quick);
  assertEquals([short.isOver, long.isOver], [true, false]);
});
