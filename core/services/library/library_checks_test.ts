import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import * as s from "../../signature/mod.ts";
import { type LibrarySource, serveLibrary } from "./serve_library.ts";

function linuxTest(name: string, run: () => Promise<void>): void {
  Deno.test({ name, ignore: Deno.build.os !== "linux", fn: run });
}

/** Calls of an API by a server of this thread. */
async function withLibrary<Fs extends s.Functions>(
  api: s.HostApi<Fs>,
  source: LibrarySource<Fs>,
  use: (stubs: s.HostStubs<Fs>) => Promise<void>,
): Promise<void> {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  using _library = serveLibrary(new s.ApiServer(server), api, source);
  const served = server.serveAsync();
  await use(s.connectApi(new Client(channel), api));
  channel.shutDown();
  await served;
}

linuxTest("bytes need a declared length for C, and null has none", async () => {
  const open = s.hostApi("c", { memfrob: s.fn([s.bytes("inout"), s.usize], s.nothing) });
  const files = ["libc.so.6"];
  const apis = () => new s.ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
  assertThrows(
    () => serveLibrary(apis(), open, { files }),
    TypeError,
    "Cannot serve c.memfrob of a library as parameter 0 is bytes whose length C cannot know",
  );
  const same = (bytes: Uint8Array, count: bigint) => {
    if (BigInt(bytes.length) !== count) throw new RangeError("not as many");
  };
  await withLibrary(open, { files, checks: { memfrob: same } }, async ({ memfrob }) => {
    const bytes = Uint8Array.of(42);
    await memfrob.async(bytes, 1n);
    assertEquals(bytes, Uint8Array.of(0));
    await assertRejects(() => memfrob.async(bytes, 2n), CallError, "not as many");
  });
  const or = s.nullable(s.bytes("inout", s.lengthOf(1)));
  const null0 = s.hostApi("c", { memfrob: s.fn([or, s.usize], s.nothing) });
  await withLibrary(null0, { files }, async ({ memfrob }) => {
    await memfrob.async(null, 0n);
    await assertRejects(
      () => memfrob.async(null, 4096n),
      CallError,
      "Cannot call c.memfrob as argument 0 is null: the others say 4096 bytes",
    );
  });
});

linuxTest("what a library frees is nobody's any more, however often it was returned", async () => {
  const memory = s.handle("Memory");
  const api = s.hostApi("c", {
    malloc: s.fn([s.usize], memory),
    same: s.fn([memory, s.constant(s.i32, 0), s.constant(s.usize, 0n)], memory),
    free: s.fn([s.ends("Memory")], s.nothing),
    ended: s.fn([s.nullable(s.ends("Other|Memory"))], s.nothing),
    size: s.fn([memory], s.usize),
  });
  const symbols = { same: "memset", ended: "free", size: "malloc_usable_size" };
  await withLibrary(api, { files: ["libc.so.6"], symbols }, async (c) => {
    for (const end of [c.free, c.ended]) {
      const made = await c.malloc.async(64n);
      assertEquals(await c.same.async(made), made);
      assertEquals(await c.size.async(made) >= 64n, true);
      await end.async(made);
      await assertRejects(() => c.size.async(made), CallError, "has ended or never was");
      await assertRejects(() => c.free.async(made), CallError, "has ended or never was");
    }
    await c.ended.async(null);
  });
});

linuxTest("a source names files, and functions that there are", () => {
  const api = s.hostApi("m", { sqrt: s.fn([s.f64], s.f64) });
  const apis = () => new s.ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
  const sources = [
    [{ files: [] }, "files must be an array of names: current value is []"],
    [{ files: "libm.so.6" }, 'files must be an array of names: current value is "libm.so.6"'],
    [{ files: ["libm.so.6"], symbols: { sqtr: "x" } }, "m has no function sqtr: did you mean sqrt"],
    [{ files: ["libm.so.6"], checks: { cbrt: () => {} } }, "m has no function cbrt"],
    [{ files: ["libm.so.6"], checks: { sqrt: 5 } }, "there must be a function: current value is 5"],
  ] as const;
  for (const [source, text] of sources) {
    assertThrows(() => serveLibrary(apis(), api, source as never), TypeError, text);
  }
  assertThrows(() => serveLibrary(apis(), {} as never, sources[0][0]), TypeError, "hostApi()");
  return Promise.resolve();
});
