/** A library that crashes, waits and calls back in a process of its own. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { CallError } from "../../call/call_error.ts";
import * as s from "../../signature/mod.ts";
import { cApi, cSource } from "./testdata/c_library.ts";
import { withLibrary } from "./testdata/with_library.ts";

/** Calls of the API, by a server on this event loop. */
async function withProcess(
  use: (c: s.HostStubs<typeof cApi extends s.HostApi<infer Fs> ? Fs : never>) => Promise<void>,
  options: { readonly timeoutSeconds?: number } = {},
): Promise<void> {
  const callbacks = {
    ascending: (left: bigint, right: bigint) => left < right ? -1 : 1, // by their places
    failing: () => {
      throw new RangeError("not today");
    },
  };
  const checks = { memfrob: () => {} };
  await withLibrary(cApi, { ...cSource, checks, process: options, callbacks }, use);
}

onLinux("a library in a process calls back", () =>
  withProcess(async (c) => {
    const numbers = Uint8Array.of(3, 1, 2);
    await c.qsort.async(numbers, 3n, 1n, "ascending");
    assertEquals(numbers.length, 3);
    const call = () => c.qsort.async(numbers, 3n, 1n, "failing");
    await assertRejects(call, CallError, "Cannot answer c.qsort as its callback");
  }));

onLinux(
  "a library that crashes fails the call that it crashed in, and the next has a new process",
  () =>
    withProcess(async (c) => {
      const kept = await c.malloc.async(8n);
      const crash = assertRejects(
        () => c.lengthOfNothing.async(null),
        CallError,
        "Cannot answer c.lengthOfNothing as SIGSEGV ended the process of its library",
      );
      // What waits for the crash is served by the next process.
      const [, absolute] = await Promise.all([crash, c.labs.async(-1n)]);
      assertEquals(absolute, 1n);
      await assertRejects(
        () => c.malloc_usable_size.async(kept),
        CallError,
        "the handle is of process 1 of the library, which has ended: this is process 2",
      );
      await assertRejects(() => c.abort.async(), CallError, "c.abort as SIGABRT ended");
      const mine = await c.malloc.async(8n);
      assert(await c.malloc_usable_size.async(mine) >= 8n);
    }),
);

onLinux(
  "who waits in a library holds nobody up, and who waits too long is ended",
  () =>
    withProcess(async (c) => {
      const began = performance.now();
      const waiting = c.usleep.async(400_000);
      for (let count = 0; count < 5; count++) await c.labs.async(-1n);
      assert(performance.now() - began < 350);
      assertEquals(await waiting, 0);
      await assertRejects(
        () => c.pause.async(),
        CallError,
        "Cannot answer c.pause as SIGKILL ended the process of its library: it took longer than 0.5 s",
      );
      assertEquals(await c.labs.async(-2n), 2n);
    }, { timeoutSeconds: 0.5 }),
);
