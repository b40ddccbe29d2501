/** A library that crashes, waits and calls back in a process of its own. */
import { isOver } from "./library_process.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import * as s from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { serveLibrary } from "./serve_library.ts";
import { cApi, cSource } from "./testdata/c_library.ts";
import { withLibrary } from "./testdata/with_library.ts";

const ignore = Deno.build.os !== "linux";
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

Deno.test({
  name: "a library in a process takes and gives what one beside its callers does",
  ignore,
  fn: () =>
    withProcess(async (c) => {
      assertEquals(await c.labs.async(-(2n ** 62n)), 2n ** 62n);
      assertEquals(await c.div.async(-7, 2), { quot: -3, rem: -1 });
      const exponent = { value: 0 };
      assertEquals([await c.frexp.async(48, exponent), exponent], [0.75, { value: 6 }]);
      assertEquals(await c.ldexp10.async(2), 2048);
      assertEquals(await c.strlen.async("ä€"), 5n);
      assertEquals(await c.getenv.async("PORTLAB_NOWHERE"), null);
      assertEquals(await c.getenv.async("PATH"), Deno.env.get("PATH"));
      const bytes = new Uint8Array(100_000).fill(42);
      await c.memfrob.async(bytes, 100_000n);
      assert(bytes.every((byte) => byte === 0));
      const made = { memory: null as s.Handle<"Memory"> | null };
      assertEquals([await c.posix_memalign.async(made, 3n, 8n), made.memory], [22, null]);
      assertEquals(await c.posix_memalign.async(made, 64n, 100n), 0);
      assert(await c.malloc_usable_size.async(made.memory!) >= 100n);
      await c.free.async(made.memory);
      await assertRejects(() => c.malloc_usable_size.async(made.memory!), CallError, "has ended");
      await c.free.async(null);
      const error = await assertRejects(() => c.fopen.async("/none", "r"), s.ErrnoError);
      assertEquals([error.code, c.fopen.errno], ["ENOENT", 2]);
      assertEquals(await c.fclose.async((await c.fopen.async("/dev/null", "r"))!), 0);
      const numbers = Uint8Array.of(3, 1, 2);
      await c.qsort.async(numbers, 3n, 1n, "ascending");
      assertEquals(numbers.length, 3);
      await assertRejects(
        () => c.qsort.async(numbers, 3n, 1n, "failing"),
        CallError,
        "Cannot answer c.qsort as its callback",
      );
    }),
});

Deno.test({
  name: "a library that crashes fails the call that it crashed in, and the next has a new process",
  ignore,
  fn: () =>
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
});

Deno.test({
  name: "who waits in a library holds nobody up, and who waits too long is ended",
  ignore,
  fn: () =>
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
});

Deno.test({
  name: "a library that cannot be opened in a process says why at once",
  ignore,
  fn() {
    const apis = () => new s.ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
    const absent = s.hostApi("absent", { nowhere: s.fn([], s.nothing) });
    const source = { files: ["libportlab_absent.so.1"], process: true };
    assertThrows(() => serveLibrary(apis(), absent, source), Error, "libportlab_absent.so.1: ");
    const libm = { files: ["libm.so.6"], process: true };
    assertThrows(() => serveLibrary(apis(), absent, libm), Error, "nowhere");
  },
});

Deno.test({
  name: "isOver() believes the system alone that a process has ended",
  ignore: Deno.build.os !== "linux",
  fn() {
    const { readTextFileSync } = Deno;
    const failing = (error: Error) => {
      Deno.readTextFileSync = () => {
        throw error;
      };
      try {
        return isOver(Deno.pid);
      } finally {
        Deno.readTextFileSync = readTextFileSync;
      }
    };
    assertEquals([isOver(Deno.pid), isOver(2 ** 30)], [false, true]);
    assertEquals(failing(new Error("Too many open files (os error 24)")), false);
    assertEquals(failing(new Deno.errors.NotFound("No such process")), true);
  },
});
