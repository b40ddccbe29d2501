/** What C keeps, points at, fills and calls back with: in this process, and in one of the library's own. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import * as s from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { LibraryMemory } from "./built_in.ts";
import { serveLibrary } from "./serve_library.ts";

const ignore = Deno.build.os !== "linux";
const text = s.nullable(s.handle("Text"));
const tree = s.nullable(s.handle("Tree"));
const order = s.callback([s.handle("Memory"), s.handle("Memory")], s.i32);

const api = s.hostApi("c", {
  ...s.memoryOf("Memory"),
  memset: s.fn([s.handle("Memory"), s.i32, s.usize], s.usize),
  gmtime: s.fn([s.pointer("in", s.struct({ time: s.i64 }))], s.handle("Tm")),
  tmOf: s.readOf("Tm", s.struct({ second: s.i32, minute: s.i32, hour: s.i32, day: s.i32 })),
  optind: s.globalOf(s.i32),
  program: s.globalOf(s.nullable(s.string)),
  stdin: s.globalOf(s.handle("FILE")),
  fopen: s.fn([s.string, s.string], s.handle("FILE")),
  fclose: s.fn([s.ends("FILE")], s.i32),
  getline: s.fn(
    [
      s.pointer("inout", s.struct({ line: text })),
      s.pointer("inout", s.struct({ size: s.usize })),
      s.handle("FILE"),
    ],
    s.isize,
  ),
  textOf: s.readOf("Text", s.string),
  freeText: s.fn([s.ends("Text")], s.nothing),
  ftw: s.fn(
    [s.string, s.callback([s.string, s.nullable(s.handle("Stat")), s.i32], s.i32), s.i32],
    s.i32,
  ),
  uname: s.fn([
    s.pointer(
      "out",
      s.struct({ system: s.array(s.u8, 65), node: s.array(s.u8, 65), rest: s.array(s.u8, 260) }),
    ),
  ], s.i32),
  pipe: s.fn([s.pointer("out", s.struct({ files: s.array(s.i32, 2) }))], s.i32),
  poll: s.fn([
    s.pointer(
      "inout",
      s.struct({ all: s.array(s.struct({ file: s.i32, events: s.i16, found: s.i16 }), 2) }),
    ),
    s.usize,
    s.i32,
  ], s.i32),
  tsearch: s.fn(
    [s.handle("Memory"), s.pointer("inout", s.struct({ root: tree })), order],
    s.handle("Node"),
  ),
});
type Stubs = s.HostStubs<typeof api extends s.HostApi<infer Fs> ? Fs : never>;

async function made(c: Stubs): Promise<{ readonly files: readonly number[] }> {
  const pipe = { files: [] as number[] };
  assertEquals(await c.pipe.async(pipe), 0);
  return pipe;
}

/** What the callbacks were called with. */
const found: unknown[] = [];
const callbacks = {
  visit: (path: string, stat: unknown) => {
    found.push([path, stat !== null]);
    return 0;
  },
  compare: (left: unknown, right: unknown) => {
    found.push([typeof left, left === right]);
    return 1;
  },
};

async function withC(isProcess: boolean, use: (c: Stubs) => Promise<void>): Promise<void> {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  found.length = 0;
  const apiServer = new s.ApiServer(server, { callbacks });
  await using _library = serveLibrary(apiServer, api, {
    files: ["libc.so.6"],
    symbols: { freeText: "free", program: "program_invocation_short_name" },
    process: isProcess,
  });
  const served = server.runAsync();
  await use(s.connectApi(new Client(channel), api));
  channel.shutDown();
  await served;
}

for (const isProcess of [false, true]) {
  const where = isProcess ? "in a process" : "here";
  Deno.test({
    name: `memory stays where a library finds it, within its bounds, ${where}`,
    ignore,
    fn: () =>
      withC(isProcess, async (c) => {
        const memory = await c.alloc.async(8n);
        await c.put.async(memory, 2n, Uint8Array.of(1, 2, 3));
        await c.memset.async(memory, 9, 3n);
        const bytes = new Uint8Array(6);
        await c.get.async(memory, 1n, bytes);
        assertEquals([...bytes], [9, 9, 2, 3, 0, 0]);
        await assertRejects(() => c.get.async(memory, 3n, bytes), CallError, "as it has 8");
        await assertRejects(() => c.put.async(memory, 2n ** 64n - 1n, bytes), CallError, "has 8");
        await assertRejects(() => c.alloc.async(2n ** 40n), CallError, "callers may have");
        await c.free.async(memory);
        await assertRejects(() => c.get.async(memory, 0n, bytes), CallError, "has ended");
      }),
  });

  Deno.test({
    name: `what pointers and globals of a library point at can be read, ${where}`,
    ignore,
    fn: () =>
      withC(isProcess, async (c) => {
        const tm = await c.gmtime.async({ time: 3_723n + 86_400n });
        assertEquals(await c.tmOf.async(tm), { second: 3, minute: 2, hour: 1, day: 2 });
        assertEquals([await c.optind.async(), await c.program.async()], [1, "deno"]);
        assert(await c.stdin.async() > 0);
      }),
  });

  Deno.test({
    name: `a library fills and takes back handles in one struct, ${where}`,
    ignore,
    fn: () =>
      withC(isProcess, async (c) => {
        const file = await c.fopen.async("/proc/self/limits", "r");
        const [line, size] = [{ line: null as s.Handle<"Text"> | null }, { size: 0n }];
        assert(await c.getline.async(line, size, file) > 5n);
        const first = line.line!;
        assert((await c.textOf.async(first)).startsWith("Limit"));
        await c.getline.async(line, size, file); // into the same memory
        assertEquals(line.line, first);
        assert((await c.textOf.async(first)).startsWith("Max"));
        await c.freeText.async(first);
        await assertRejects(() => c.textOf.async(first), CallError, "has ended");
        await c.fclose.async(file);
      }),
  });

  Deno.test({
    name: `structs have arrays, ${where}`,
    ignore,
    fn: () =>
      withC(isProcess, async (c) => {
        const names = { system: [], node: [], rest: [] };
        assertEquals(await c.uname.async(names), 0);
        const { system } = names as { readonly system: readonly number[] };
        assertEquals(String.fromCharCode(...system.slice(0, 5)), "Linux");
        const { files } = await made(c);
        const all = [
          { file: files[0]!, events: 1, found: 7 },
          { file: files[1]!, events: 4, found: 7 },
        ];
        assertEquals(await c.poll.async({ all }, 2n, 0), 1);
        assertEquals(all.map(({ found }) => found), [0, 4]); // room to write, and nothing to read
        const wrong = { all: all.slice(1) };
        await assertRejects(() => c.poll.async(wrong, 2n, 0), TypeError, "all.1.file is no i32");
      }),
  });

  Deno.test({
    name: `callbacks get texts and handles, ${where}`,
    ignore,
    fn: () =>
      withC(isProcess, async (c) => {
        const folder = await Deno.makeTempDir();
        assertEquals(await c.ftw.async(folder, "visit", 4), 0);
        assertEquals(found.splice(0), [[folder, true]]);
        await Deno.remove(folder);
        const root = { root: null as s.Handle<"Tree"> | null };
        const keys = [await c.alloc.async(1n), await c.alloc.async(1n)];
        for (const key of keys) await c.tsearch.async(key, root, "compare");
        assertEquals(found, [["bigint", false]]);
      }),
  });
}

Deno.test({
  name: "LibraryMemory knows what it gave, and refuses the rest",
  ignore,
  fn() {
    const memory = new LibraryMemory();
    const [alloc, free] = [memory.callOf("alloc"), memory.callOf("free")];
    const address = alloc([0n]);
    assert(typeof address === "bigint" && address > 0n);
    free([address]);
    assertThrows(() => free([address]), TypeError, "its size is not known");
  },
});
