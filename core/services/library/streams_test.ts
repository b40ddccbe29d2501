/** Libraries whose streams are structs with addresses in them, which the caller's memory gets by `point`. */
import { assertEquals } from "@std/assert";
import * as s from "../../signature/mod.ts";
import type { Functions } from "../../signature/declaration_types.ts";
import { type Calls, callsOf, libraryTest, withLibrary } from "./testdata/with_library.ts";

/** Two pieces of memory: what is read, and where to. */
interface Ends {
  readonly source: unknown;
  readonly sourceBytes: number;
  readonly target: unknown;
  readonly targetBytes: number;
}

/** A call: its name, and what follows the stream. */
type Step = readonly [name: string, ...values: readonly unknown[]];
/** How a stream begins, what goes through it at once and says so, and how it ends. */
type Way = readonly [begin: Step, go: Step, done: unknown, end: string];

/** A library, and how a stream of it goes from one piece of memory to another and back. */
interface StreamLibrary {
  readonly file: string;
  readonly hint: string;
  readonly functions: Functions;
  readonly pack: Way;
  readonly unpack: Way;
  /** Goes one way; returns how many bytes came. */
  go(c: Calls, way: Way, ends: Ends): Promise<number>;
}

const memory = s.handle("Memory");

/** A struct as zlib and bzip2 have it, with `next_in` and `next_out` at 0 and 24, and how much there is behind each. */
async function stream(c: Calls, bytes: number, ends: Ends): Promise<unknown> {
  const made = await c.alloc!(BigInt(bytes));
  await c.point!(made, 0n, ends.source, 0n);
  await c.put!(made, 8n, word(ends.sourceBytes));
  await c.point!(made, 24n, ends.target, 0n);
  await c.put!(made, 32n, word(ends.targetBytes));
  return made;
}

function word(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

/** How much came: what `avail_out` has lost. */
async function came(c: Calls, made: unknown, { targetBytes }: Ends): Promise<number> {
  const left = new Uint8Array(4);
  await c.get!(made, 32n, left);
  await c.free!(made);
  return targetBytes - new Uint32Array(left.buffer)[0]!;
}

/** A struct of an address, a size and a place, as zstd has two. */
async function buffer(c: Calls, of: unknown, bytes: number): Promise<unknown> {
  const made = await c.alloc!(24n);
  await c.point!(made, 0n, of, 0n);
  await c.put!(made, 8n, new Uint8Array(BigUint64Array.of(BigInt(bytes), 0n).buffer));
  return made;
}

/** Of zlib and bzip2: the stream is a struct of so many bytes. */
function byStruct(bytes: number): StreamLibrary["go"] {
  return async (c, [[begin, ...first], [go, ...more], done, end], ends) => {
    const made = await stream(c, bytes, ends);
    assertEquals(await c[begin]!(made, ...first), 0);
    assertEquals([await c[go]!(made, ...more), await c[end]!(made)], [done, 0]);
    return await came(c, made, ends);
  };
}

/** Of zstd: two structs beside the stream, of which the second has the place. */
async function byBuffers(c: Calls, way: Way, ends: Ends): Promise<number> {
  const [[begin], [go, ...more], done, end] = way;
  const made = await c[begin]!();
  const from = await buffer(c, ends.source, ends.sourceBytes);
  const to = await buffer(c, ends.target, ends.targetBytes);
  assertEquals(await c[go]!(made, to, from, ...more), done);
  const place = new Uint8Array(8);
  await c.get!(to, 16n, place);
  for (const one of [from, to]) await c.free!(one);
  await c[end]!(made);
  return Number(new BigUint64Array(place.buffer)[0]);
}

const LIBRARIES: readonly StreamLibrary[] = [
  {
    file: "libz.so.1",
    hint: "zlib1g",
    functions: s.fns(
      { memory },
      "deflateInit_: memory i32 string i32 -> i32",
      "inflateInit_: memory string i32 -> i32",
      "deflate inflate: memory i32 -> i32",
      "deflateEnd inflateEnd: memory -> i32",
    ),
    pack: [["deflateInit_", 9, "1.2.3", 112], ["deflate", 4], 1, "deflateEnd"],
    unpack: [["inflateInit_", "1.2.3", 112], ["inflate", 4], 1, "inflateEnd"],
    go: byStruct(112),
  },
  {
    file: "libbz2.so.1.0",
    hint: "libbz2-1.0",
    functions: s.fns(
      { memory },
      "BZ2_bzCompressInit: memory i32 i32 i32 -> i32",
      "BZ2_bzDecompressInit: memory i32 i32 -> i32",
      "BZ2_bzCompress: memory i32 -> i32",
      "BZ2_bzDecompress BZ2_bzCompressEnd BZ2_bzDecompressEnd: memory -> i32",
    ),
    pack: [["BZ2_bzCompressInit", 9, 0, 0], ["BZ2_bzCompress", 2], 4, "BZ2_bzCompressEnd"],
    unpack: [["BZ2_bzDecompressInit", 0, 0], ["BZ2_bzDecompress"], 4, "BZ2_bzDecompressEnd"],
    go: byStruct(80),
  },
  {
    file: "libzstd.so.1",
    hint: "libzstd1",
    functions: s.fns(
      {
        ...{ memory, packer: s.handle("ZSTD_CCtx"), unpacker: s.handle("ZSTD_DCtx") },
        ...{ endsPacker: s.ends("ZSTD_CCtx"), endsUnpacker: s.ends("ZSTD_DCtx") },
      },
      "ZSTD_createCCtx: -> packer",
      "ZSTD_createDCtx: -> unpacker",
      "ZSTD_compressStream2: packer memory memory i32 -> usize",
      "ZSTD_decompressStream: unpacker memory memory -> usize",
      "ZSTD_freeCCtx: endsPacker -> usize",
      "ZSTD_freeDCtx: endsUnpacker -> usize",
    ),
    pack: [["ZSTD_createCCtx"], ["ZSTD_compressStream2", 2], 0n, "ZSTD_freeCCtx"],
    unpack: [["ZSTD_createDCtx"], ["ZSTD_decompressStream"], 0n, "ZSTD_freeDCtx"],
    go: byBuffers,
  },
];

const DATA = Uint8Array.from({ length: 20_000 }, (_, index) => (index * index) >> 7);

for (const { file, hint, functions, pack, unpack, go } of LIBRARIES) {
  const files = [file];
  const name = `a stream of ${file} goes from one piece of memory to another`;
  libraryTest(name, { files, hint }, () => {
    const api = s.hostApi("stream", { ...s.memoryOf("Memory"), ...functions });
    return withLibrary(api, { files }, async (stubs) => {
      const c = callsOf(stubs);
      const [source, target, last] = await Promise.all(
        [1, 2, 3].map(() => c.alloc!(BigInt(DATA.length))),
      );
      await c.put!(source, 0n, DATA);
      const sizes = { sourceBytes: DATA.length, targetBytes: DATA.length };
      const sourceBytes = await go(c, pack, { source, target, ...sizes });
      assertEquals(sourceBytes > 0 && sourceBytes < DATA.length, true);
      const back = { source: target, target: last, ...sizes, sourceBytes };
      assertEquals(await go(c, unpack, back), DATA.length);
      const bytes = new Uint8Array(DATA.length);
      await c.get!(last, 0n, bytes);
      assertEquals(bytes, DATA);
    });
  });
}
