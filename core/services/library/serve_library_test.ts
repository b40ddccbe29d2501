import * as s from "../../signature/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { startServer } from "../../worker/start_server.ts";
import { serveLibrary } from "./serve_library.ts";
import { byInt, cApi, cSource } from "./testdata/c_library.ts";
import { idleServer, twiceTest, withLibrary } from "./testdata/with_library.ts";

type CStubs = s.HostStubs<typeof cApi extends s.HostApi<infer Fs> ? Fs : never>;

const files = ["libc.so.6"];

/** The functions of C in a server worker, whose library is there, and on this event loop, with one in a process. */
function cTest(name: string, use: (c: CStubs) => Promise<void>): void {
  onLinux(`${name}, in a worker`, async () => {
    const channel = Channel.create({ portCount: 4, laneCount: 1 });
    const services = [new URL("./testdata/c_library.ts", import.meta.url)];
    await using _server = await startServer(channel, { services });
    await use(s.connectApi(new Client(channel), cApi));
  });
  onLinux(`${name}, in a process`, () => withLibrary(cApi, { ...cSource, process: true }, use));
}

cTest("a library's functions take scalars, texts, structs and constants", async (c) => {
  assertEquals(await c.strlen.async("12 bytes: ä"), 12n);
  assertEquals(await c.div.async(-17, 5), { quot: -3, rem: -2 });
  assertEquals(await c.labs.async(-(2n ** 62n)), 2n ** 62n);
  assertEquals(await c.ldexp10.async(0.75), 768);
  const exponent = { value: 0 };
  assertEquals([await c.frexp.async(48, exponent), exponent.value], [0.75, 6]);
  assertEquals(await c.getenv.async("PORTLAB_ABSENT"), null);
  assertEquals(await c.getenv.async("PATH"), Deno.env.get("PATH"));
  const bytes = new Uint8Array(100_000).fill(43);
  await c.memfrob.async(bytes, 100_000n);
  assert(bytes.every((byte) => byte === 1));
});

cTest("a library's pointers are handles, and its failures carry errno", async (c) => {
  const path = await Deno.makeTempFile();
  const file = (await c.fopen.async(path, "w+"))!;
  assertEquals(await c.fwrite.async(new TextEncoder().encode("0123456789"), 1n, 10n, file), 10n);
  assertEquals(await c.fseek.async(file, 4n, 0), 0);
  const read = new Uint8Array(6);
  assertEquals(await c.fread.async(read, 2n, 3n, file), 3n);
  assertEquals(new TextDecoder().decode(read), "456789");
  assertEquals(await c.fclose.async(file), 0);
  await assertRejects(() => c.fclose.async(file), CallError, "has ended");
  await Deno.remove(path);
  const error = await assertRejects(() => c.fopen.async(path, "r"), s.ErrnoError, "no such file");
  assertEquals([error.errno, error.code, c.fopen.errno], [2, "ENOENT", 2]);
  const made = { memory: null as s.Handle<"Memory"> | null };
  const align = (bytes: bigint) => c.posix_memalign.async(made, bytes, 100n);
  assertEquals([await align(3n), made.memory], [22, null]); // 3 is no alignment
  assertEquals(await align(64n), 0);
  const memory = made.memory!;
  assert(await c.malloc_usable_size.async(memory) >= 100n);
  await c.free.async(memory);
  await assertRejects(() => c.malloc_usable_size.async(memory), CallError, "has ended");
  await c.free.async(null);
});

onLinux("a library calls back, beside its callers", async () => {
  const callbacks = { byInt };
  await withLibrary(cApi, { ...cSource, callbacks }, async ({ qsort }) => {
    const numbers = new Int32Array([5, -3, 9, 0]);
    await qsort.async(new Uint8Array(numbers.buffer), 4n, 4n, "byInt");
    assertEquals([...numbers], [-3, 0, 5, 9]);
  });
});

onLinux("a callback's throw reaches the caller, wherever C called it last", async () => {
  let [count, thrownAt] = [0, 0];
  const callbacks = {
    descending: (left: bigint, right: bigint) => {
      if (++count === thrownAt) throw new RangeError(`at ${count}`);
      return left < right ? 1 : -1;
    },
  };
  await withLibrary(cApi, { ...cSource, callbacks }, async ({ qsort }) => {
    for (thrownAt of [1, 2, 4]) {
      count = 0;
      const error = await assertRejects(
        () => qsort.async(new Uint8Array(32), 4n, 8n, "descending"),
        CallError,
        `Cannot answer c.qsort as its callback descending threw: at ${thrownAt}`,
      );
      const { stack } = error.cause as Error;
      assertEquals([stack?.includes(`Caused by: RangeError: at ${count}`), count], [
        true,
        thrownAt,
      ]);
    }
  });
});

onLinux("a check stands before the library, and has to be synchronous", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  const math = s.hostApi("m", s.fns({}, "sqrt cbrt: f64 -> f64"));
  const refuse = (value: number) => {
    if (value < 0) throw new RangeError(`${value} is negative`);
  };
  const late = async (value: number) => refuse(await value);
  using library = serveLibrary(new s.ApiServer(server), math, {
    files: ["libm.so.6"],
    checks: { sqrt: refuse, cbrt: late },
  });
  const served = server.runAsync();
  const { sqrt, cbrt } = s.connectApi(new Client(channel), math);
  assertEquals(await sqrt.async(9), 3);
  await assertRejects(() => sqrt.async(-1), CallError, "-1 is negative");
  await assertRejects(() => cbrt.async(-1), CallError, "a check of serveLibrary that returns");
  library[Symbol.dispose](); // and once more at the end
  await assertRejects(() => sqrt.async(9), CallError, "no handler for it: m.sqrt");
  channel.shutDown();
  await served;
});

onLinux("an absent library and an absent function are told apart, and variadics refused", () => {
  const api = s.hostApi("absent", { nowhere: s.fn([], s.nothing) });
  const absentFiles = ["libportlab_absent.so.1", "libportlab_absent.so.2"];
  const source = { files: absentFiles, packageHint: "the Debian package libabsent" };
  for (const process of [false, true]) {
    const serve = (of: typeof source | { readonly files: readonly string[] }) => () =>
      serveLibrary(idleServer(), api, { ...of, process });
    const absent = assertThrows(serve(source), Error, "libabsent");
    for (const file of absentFiles) assertEquals(absent.message.includes(`${file}: `), true);
    assertThrows(serve({ files: ["libm.so.6"] }), Error, "nowhere");
  }
  const variadic = s.hostApi("c", { printf: s.fn([s.string, s.variadic], s.i32) });
  assertThrows(() => serveLibrary(idleServer(), variadic, { files }), TypeError, "variadic");
});

onLinux("bytes need a declared length for C, and null has none", async () => {
  const open = s.hostApi("c", { memfrob: s.fn([s.bytes("inout"), s.usize], s.nothing) });
  assertThrows(
    () => serveLibrary(idleServer(), open, { files }),
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

onLinux("what a library frees is nobody's any more, however often it was returned", async () => {
  const memory = s.handle("Memory");
  const api = s.hostApi("c", {
    malloc: s.fn([s.usize], memory),
    same: s.fn([memory, s.constant(s.i32, 0), s.constant(s.usize, 0n)], memory),
    free: s.fn([s.ends("Memory")], s.nothing),
    ended: s.fn([s.nullable(s.ends("Other|Memory"))], s.nothing),
    size: s.fn([memory], s.usize),
  });
  const symbols = { same: "memset", ended: "free", size: "malloc_usable_size" };
  await withLibrary(api, { files, symbols }, async (c) => {
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

twiceTest("a handle that C was to end is given back where C says no", async (process) => {
  const memory = s.handle("Memory");
  const api = s.hostApi("c", {
    malloc: s.fn([s.usize], memory),
    same: s.fn([memory, s.constant(s.i32, 0), s.constant(s.usize, 0n)], memory),
    size: s.fn([memory], s.usize),
    // Either gives how much memory there is, never 0, and frees nothing.
    refuse: s.fn([s.ends("Memory", { when: 0n })], s.usize),
    accept: s.fn([s.ends("Memory", { unless: 0n })], s.usize),
    always: s.fn([s.ends("Memory")], s.usize),
  });
  const of = "malloc_usable_size";
  const symbols = { same: "memset", size: of, refuse: of, accept: of, always: of };
  let isOpen = false;
  const check = () => {
    if (!isOpen) throw new RangeError("not now");
  };
  const checks = { refuse: check, accept: check, always: check };
  await withLibrary(api, { files, symbols, checks, process }, async (c) => {
    const made = await c.malloc.async(64n);
    assertEquals(await c.same.async(made), made); // so that it was made twice
    for (const end of [c.refuse, c.accept, c.always]) {
      await assertRejects(() => end.async(made), CallError, "not now"); // C was not called
    }
    isOpen = true;
    assertEquals(await c.refuse.async(made), await c.size.async(made));
    assertEquals(await c.same.async(made), made); // no other handle of it
    await c.accept.async(made);
    await assertRejects(() => c.size.async(made), CallError, "has ended or never was");
    const other = await c.malloc.async(64n);
    await c.always.async(other);
    await assertRejects(() => c.size.async(other), CallError, "has ended or never was");
  });
});

onLinux("a source names files, and functions that there are", () => {
  const api = s.hostApi("m", { sqrt: s.fn([s.f64], s.f64) });
  const sources = [
    [{ files: [] }, "files must be an array of names: current value is []"],
    [{ files: "libm.so.6" }, 'files must be an array of names: current value is "libm.so.6"'],
    [{ files: ["libm.so.6"], symbols: { sqtr: "x" } }, "m has no function sqtr: did you mean sqrt"],
    [{ files: ["libm.so.6"], checks: { cbrt: () => {} } }, "m has no function cbrt"],
    [{ files: ["libm.so.6"], checks: { sqrt: 5 } }, "there must be a function: current value is 5"],
  ] as const;
  for (const [source, text] of sources) {
    assertThrows(() => serveLibrary(idleServer(), api, source as never), TypeError, text);
  }
  assertThrows(
    () => serveLibrary(idleServer(), {} as never, sources[0][0]),
    TypeError,
    "hostApi()",
  );
});
