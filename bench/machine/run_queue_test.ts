import { assert, assertEquals } from "@std/assert";
import { openRunQueue } from "./run_queue.ts";

Deno.test("openRunQueue() is nothing where there is no account, or one of another kind", async () => {
  assertEquals(openRunQueue("/no/such/file"), undefined);
  const path = await Deno.makeTempFile();
  for (const text of ["", "12", "a b c"]) {
    await Deno.writeTextFile(path, text);
    assertEquals(openRunQueue(path), undefined, text);
  }
  await Deno.writeTextFile(path, "7 2500000000 3\n");
  using queue = openRunQueue(path);
  assertEquals(queue!.waitedSeconds(), 2.5);
  await Deno.writeTextFile(path, "7 3500000000 3\n");
  assertEquals(queue!.waitedSeconds(), 3.5);
  await Deno.remove(path);
});

Deno.test({
  name: "openRunQueue() does not grow while a thread sleeps",
  ignore: Deno.build.os !== "linux",
  async fn() {
    using queue = openRunQueue();
    if (queue === undefined) return; // a system without the account
    const before = queue.waitedSeconds();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const waited = queue.waitedSeconds() - before;
    assert(waited >= 0 && waited < 0.04, `${waited} s`);
  },
});
