/** What C keeps, points at, fills and calls back with: in this process, and in one of the library's own. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { basename } from "@std/path";
import { CallError } from "../../call/call_error.ts";
import * as s from "../../signature/mod.ts";
import { LibraryMemory } from "./built_in.ts";
import { serveLibrary } from "./serve_library.ts";
import { idleServer, twiceTest, withLibrary } from "./testdata/with_library.ts";

const text = s.nullable(s.handle("Text"));
const tree = s.nullable(s.handle("Tree"));
const order = s.callback([s.handle("Memory"), s.handle("Memory")], s.i32);

const tm = s.struct({
  ...{ second: s.i32, minute: s.i32, hour: s.i32, day: s.i32, month: s.i32, year: s.i32 },
  ...{ weekDay: s.i32, yearDay: s.i32, isSummer: s.i32, offset: s.i64, zone: s.nullable(s.string) },
});
const address = s.struct({
  u: s.union({ bytes: s.array(s.u8, 16), words: s.array(s.u32, 4) }),
});

const api = s.hostApi("c", {
  mktime: s.fn([s.pointer("inout", tm)], s.i64),
  strftime: s.fn([s.bytes("out", s.lengthOf(1)), s.usize, s.string, s.pointer("in", tm)], s.usize),
  inet_pton: s.fn([s.i32, s.string, s.pointer("out", address)], s.i32),
  inet_ntop: s.fn(
    [s.i32, s.pointer("in", address), s.bytes("out", s.lengthOf(3)), s.u32],
    s.nullable(s.string),
  ),
  ...s.memoryOf("Memory"),
  namesOf: s.readOf("Memory", s.struct({ first: s.usize, second: s.nullable(s.string) })),
  memset: s.fn([s.handle("Memory"), s.i32, s.usize], s.usize),
  gmtime: s.fn([s.pointer("in", s.struct({ time: s.i64 }))], s.handle("Tm")),
  tmOf: s.readOf("Tm", tm),
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

function cTest(name: string, use: (c: Stubs) => Promise<void>): void {
  twiceTest(name, (process) => {
    found.length = 0;
    const symbols = { freeText: "free", program: "program_invocation_short_name" };
    return withLibrary(api, { symbols, process, callbacks }, use);
  });
}

cTest("memory stays where a library finds it, within its bounds", async (c) => {
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
});

cTest("memory has the addresses of other memory, which stays as long", async (c) => {
  const [holder, text, other] = [
    await c.alloc.async(24n),
    await c.alloc.async(8n),
    await c.alloc.async(8n),
  ];
  await c.put.async(text, 0n, new TextEncoder().encode("far away"));
  await c.put.async(other, 0n, new TextEncoder().encode("near"));
  await c.point.async(holder, 8n, text, 4n);
  await c.free.async(text);
  assertEquals((await c.namesOf.async(holder)).second, "away");
  await c.point.async(holder, 8n, other, 0n);
  await c.point.async(holder, 16n, other, 8n); // behind its last byte
  await c.point.async(holder, 0n, holder, 0n);
  assertEquals((await c.namesOf.async(holder)).second, "near");
  const beyond = /has 24|has 8|has ended/;
  for (
    const wrong of [
      () => c.point.async(holder, 17n, other, 0n),
      () => c.point.async(holder, 2n ** 64n - 1n, other, 0n),
      () => c.point.async(holder, 0n, other, 9n),
      () => c.point.async(holder, 0n, text, 0n),
    ]
  ) assertMatch((await assertRejects(wrong, CallError)).message, beyond);
  for (const one of [other, holder]) await c.free.async(one);
  await assertRejects(() => c.namesOf.async(holder), CallError, "has ended");
});

cTest("what pointers and globals of a library point at can be read", async (c) => {
  const tm = await c.gmtime.async({ time: 3_723n + 86_400n });
  const { second, minute, hour, day, zone } = await c.tmOf.async(tm);
  assertEquals([second, minute, hour, day, zone], [3, 2, 1, 2, "GMT"]);
  const program = basename(Deno.execPath());
  assertEquals([await c.optind.async(), await c.program.async()], [1, program]);
  assert(await c.stdin.async() > 0);
});

cTest("a library fills and takes back handles in one struct", async (c) => {
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
});

cTest("structs have arrays", async (c) => {
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
});

cTest("structs have texts and unions", async (c) => {
  const time = await c.tmOf.async(await c.gmtime.async({ time: 0n }));
  const zoneOf = async (zone: string | null) => {
    const bytes = new Uint8Array(40);
    const length = await c.strftime.async(bytes, 40n, "%Y %Z", { ...time, zone });
    return new TextDecoder().decode(bytes.subarray(0, Number(length)));
  };
  assertEquals(await zoneOf("Überall"), "1970 Überall");
  assert(!(await zoneOf(null)).includes("Überall"));
  const made = { ...time, second: 60, zone: "of the caller's" };
  await c.mktime.async(made);
  assertEquals([made.second, made.minute], [0, 1]);
  assert(made.zone !== "of the caller's" && made.zone.length > 0, made.zone);
  const six = { u: {} } as { u: { bytes?: number[]; words?: number[] } };
  assertEquals(await c.inet_pton.async(10, "::1:2", six), 1);
  assertEquals([six.u.words![3], six.u.bytes!.slice(12)], [0x02000100, [0, 1, 0, 2]]);
  six.u.words = [1, 2, 3, 4];
  const room = new Uint8Array(46);
  assertEquals(
    await c.inet_ntop.async(10, six, room, 46),
    "100:0:200:0:300:0:400:0",
  );
  const both = { u: { bytes: Array(16).fill(0), words: [0, 0, 0, 0] } };
  await assertRejects(() => c.inet_ntop.async(10, both, room, 46), TypeError, "2 of them");
});

cTest("callbacks get texts and handles", async (c) => {
  const folder = await Deno.makeTempDir();
  assertEquals(await c.ftw.async(folder, "visit", 4), 0);
  assertEquals(found.splice(0), [[folder, true]]);
  await Deno.remove(folder);
  const root = { root: null as s.Handle<"Tree"> | null };
  const keys = [await c.alloc.async(1n), await c.alloc.async(1n)];
  for (const key of keys) await c.tsearch.async(key, root, "compare");
  assertEquals(found, [["bigint", false]]);
});

onLinux("a struct with a union is passed by a pointer alone", () => {
  const sigqueue = s.hostApi("c", {
    sigqueue: s.fn([s.i32, s.i32, s.struct({ value: s.union({ i: s.i32, p: s.u64 }) })], s.i32),
  });
  const serve = () => serveLibrary(idleServer(), sigqueue, { files: ["libc.so.6"] });
  assertThrows(serve, TypeError, "so pass a pointer to it");
});

onLinux("LibraryMemory knows what it gave, and refuses the rest", () => {
  const memory = new LibraryMemory();
  const [alloc, free] = [memory.callOf("alloc"), memory.callOf("free")];
  const address = alloc([0n]);
  assert(typeof address === "bigint" && address > 0n);
  free([address]);
  assertThrows(() => free([address]), TypeError, "its size is not known");
  // All of a gibibyte again and again, though pieces pointed at pieces: nothing of them is left.
  const point = memory.callOf("point");
  for (let round = 0; round < 3; round++) {
    const [holder, target] = [alloc([16n]), alloc([(1n << 30n) - 16n])];
    for (const byte of [0n, 0n, 8n]) point([holder, byte, target, 0n]);
    free([target]);
    assertThrows(
      () => alloc([1n]),
      RangeError,
      "callers may have 1073741824, and have 1073741824",
    );
    free([holder]);
  }
  const many = Array.from({ length: 1 << 14 }, () => alloc([1n]));
  assertThrows(() => alloc([1n]), RangeError, "16384 pieces: free some");
  for (const one of many) free([one]);
  memory[Symbol.dispose]();
});
