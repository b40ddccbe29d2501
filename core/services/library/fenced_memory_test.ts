/** What a library reads of its callers, whatever a declaration says of lengths. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { CallError } from "../../call/call_error.ts";
import * as s from "../../signature/mod.ts";
import type { Functions, Parameter } from "../../signature/declaration_types.ts";
import { FencedMemory, FencePool, SentMemory } from "./fenced_memory.ts";
import { type Calls, callsOf, twiceTest, withLibrary } from "./testdata/with_library.ts";

/** Far more than is sent. */
const READ_BYTES = 1 << 18;

/** Calls functions of the C library, as they are declared. */
function withC(
  functions: Functions,
  use: (c: Calls) => Promise<void>,
  process = false,
): Promise<void> {
  return withLibrary(s.hostApi("c", functions), { process }, (stubs) => use(callsOf(stubs)));
}

/** `memcpy(target, source, count)` with a source that is declared so. */
function copyOf(source: Parameter): Functions {
  return { memcpy: s.fn([s.bytes("out", s.lengthOf(2)), source, s.usize], s.nothing) };
}

const text = new TextEncoder().encode("sent");
const number = s.struct({ value: s.i32 });
const WRONG:
  readonly (readonly [name: string, source: Parameter, sent: unknown, copied: Uint8Array])[] = [
    ["a text", s.string, "sent", text],
    ["bytes of a fixed length", s.bytes("in", s.fixedLength(4)), text, text],
    ["bytes that come back", s.bytes("inout", s.fixedLength(4)), text.slice(), text],
    ["bytes to be filled", s.bytes("out", s.fixedLength(4)), new Uint8Array(4), new Uint8Array(4)],
    ["a struct", s.pointer("in", number), { value: 7 }, Uint8Array.of(7, 0, 0, 0)],
    [
      "a struct that comes back",
      s.pointer("inout", number),
      { value: 7 },
      Uint8Array.of(7, 0, 0, 0),
    ],
    ["no bytes at all", s.bytes("in", s.fixedLength(0)), new Uint8Array(0), new Uint8Array(0)],
  ];

twiceTest("a declared call reads what its caller sent, and then zeros", async (process) => {
  for (const [name, source, sent, copied] of WRONG) {
    await withC(copyOf(source), async ({ memcpy }) => {
      const target = new Uint8Array(READ_BYTES);
      await memcpy!(target, sent, BigInt(READ_BYTES));
      assertEquals(target.subarray(0, copied.length), copied, name);
      assert(target.subarray(copied.length).every((byte) => byte === 0), name);
    }, process);
  }
});

onLinux("a text of a struct ends with zeros, and so does memory", async () => {
  const holder = s.pointer("in", s.struct({ base: s.string, length: s.usize }));
  const functions = {
    ...s.memoryOf("Memory"),
    memcpy: s.fn([s.bytes("out", s.lengthOf(2)), s.handle("Memory"), s.usize], s.nothing),
    // struct iovec, of which `writev` writes so many bytes.
    pipe: s.fn([s.pointer("out", s.struct({ files: s.array(s.i32, 2) }))], s.i32),
    writev: s.fn([s.i32, holder, s.i32], s.isize),
    read: s.fn([s.i32, s.bytes("out", s.lengthOf(2)), s.usize], s.isize),
    close: s.fn([s.i32], s.i32),
  };
  await withC(functions, async ({ alloc, put, memcpy, pipe, writev, read, close }) => {
    const memory = await alloc!(4n);
    await put!(memory, 0n, text);
    const target = new Uint8Array(READ_BYTES);
    await memcpy!(target, memory, BigInt(READ_BYTES));
    assertEquals(target.subarray(0, 4), text);
    assert(target.subarray(4).every((byte) => byte === 0), "memory");
    const both = { files: [] as number[] };
    await pipe!(both);
    assertEquals(await writev!(both.files[1], { base: "sent", length: 4096n }, 1), 4096n);
    const got = new Uint8Array(4096);
    await read!(both.files[0], got, 4096n);
    assertEquals(got.subarray(0, 4), text);
    assert(got.subarray(4).every((byte) => byte === 0), "the text of a struct");
    for (const file of both.files) await close!(file);
  });
});

twiceTest("what a library keeps the place of holds nothing of other callers", async (process) => {
  const functions = {
    strtok: s.fn([s.nullable(s.string), s.string], s.nullable(s.string)), // keeps where it goes on
    strlen: s.fn([s.string], s.usize),
  };
  await withC(functions, async ({ strtok, strlen }) => {
    assertEquals(await strtok!("one two", " "), "one");
    for (let count = 0; count < 20; count++) await strlen!("not for you");
    const kept = strtok!(null, " ");
    if (!process) return assertEquals(await kept, null);
    await assertRejects(() => kept, CallError, "Cannot answer c.strtok as SIGSEGV ended");
  }, process);
});

twiceTest("no handle points into what a call sent, whatever gives it", async (process) => {
  const place = s.handle("Place");
  const end = s.pointer("inout", s.struct({ at: s.nullable(place) }));
  const text = s.pointer("out", s.struct({ at: s.nullable(s.string) }));
  const functions = {
    ...s.memoryOf("Memory"),
    strchr: s.fn([s.string, s.i32], s.nullable(place)),
    inMemory: s.fn([s.handle("Memory"), s.i32], s.nullable(place)),
    later: s.fn([s.string, s.i32], s.nullable(place), { blocking: true }),
    strtol: s.fn([s.string, end, s.i32], s.i64),
    readTail: s.fn([s.string, text, s.i32], s.i64),
  };
  const symbols = { inMemory: "strchr", later: "strchr", readTail: "strtol" };
  const use = async ({ strchr, later, strtol, readTail, alloc, put, inMemory }: Calls) => {
    const refused = [
      () => strchr!("abc", 99),
      () => strchr!("abc", 0), // its last byte
      () => later!("abc", 98),
      () => strtol!("12 rest", { at: null }, 10),
    ];
    for (const call of refused) {
      await assertRejects(call, CallError, "points into what the call sent, which ends with it");
    }
    assertEquals(await strchr!("abc", 100), null);
    const tail = { at: null };
    assertEquals([await readTail!("12 rest", tail, 10), tail.at as unknown], [12n, " rest"]);
    const memory = await alloc!(4n);
    await put!(memory, 0n, Uint8Array.of(97, 98));
    assert(Number(await inMemory!(memory, 98)) > 0);
  };
  await withLibrary(
    s.hostApi("c", functions),
    { process, symbols },
    (stubs) => use(callsOf(stubs)),
  );
});

onLinux("who waits in a thread of its own reads no more either", async () => {
  const functions = {
    memcpy: s.fn([s.bytes("out", s.lengthOf(2)), s.string, s.usize], s.nothing, { blocking: true }),
  };
  await withC(functions, async ({ memcpy }) => {
    const all = ["one", "two", "three"].map(async (sent) => {
      const target = new Uint8Array(READ_BYTES);
      await memcpy!(target, sent, BigInt(READ_BYTES));
      assertEquals(new TextDecoder().decode(target.subarray(0, sent.length)), sent);
      assert(target.subarray(sent.length).every((byte) => byte === 0), sent);
    });
    await Promise.all(all);
  });
});

onLinux("a library that writes beyond what it was given ends its process", async () => {
  const functions = {
    ...s.memoryOf("Memory"),
    memset: s.fn([s.handle("Memory"), s.i32, s.usize], s.nothing),
  };
  await withC(functions, async ({ alloc, memset }) => {
    const memory = await alloc!(8n);
    await memset!(memory, 1, 8n);
    await assertRejects(() => memset!(memory, 1, 100_000n), CallError, "SIGSEGV");
    await memset!(await alloc!(8n), 1, 8n); // of the next process
  }, true);
});

onLinux("FencedMemory ends where it says, and FencePool gives each call its own", () => {
  using memory = new FencedMemory(5000);
  assertEquals(memory.bytes.length % 4096, 0);
  memory.bytes.fill(1);
  const last = memory.last(5);
  assertEquals([last.byteOffset + 16, [...last]], [memory.bytes.length, [1, 1, 1, 1, 1]]);
  assertEquals([...memory.bytes.subarray(-11)], Array(11).fill(0));
  using pool = new FencePool();
  const large = new Uint8Array(1 << 17).fill(3);
  const places = (sent: SentMemory) =>
    [text, large, text].map((bytes) =>
      Deno.UnsafePointer.value(Deno.UnsafePointer.of(sent.place(bytes)))
    );
  const first = new SentMemory(pool);
  const second = new SentMemory(pool);
  const [one, other] = [places(first), places(second)];
  assertEquals(new Set([...one, ...other]).size, 6);
  assertEquals(one.every((place) => place % 16n === 0n), true);
  first[Symbol.dispose]();
  const again = new SentMemory(pool);
  assertEquals(new Set([...one, ...places(again)]).size, 3); // the memory of a call that is over is the next one's
  for (const sent of [second, again]) sent[Symbol.dispose]();
  // Of memory that is hidden first, the next call has another.
  using hiding = new FencePool({ hiddenBytesMax: 3 << 14 });
  const shortPlaces = Array.from({ length: 8 }, () => {
    using sent = new SentMemory(hiding);
    return Deno.UnsafePointer.value(Deno.UnsafePointer.of(sent.place(text)));
  });
  assertEquals(new Set(shortPlaces).size, 4);
  assertEquals(shortPlaces.slice(4), shortPlaces.slice(0, 4));
});
