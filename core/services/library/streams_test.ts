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

/** A library, and how a stream of it goes from one piece of memory to another; each returns how many bytes came. */
interface StreamLibrary {
  readonly file: string;
  readonly hint: string;
  readonly functions: Functions;
  pack(c: Calls, ends: Ends): Promise<number>;
  unpack(c: Calls, ends: Ends): Promise<number>;
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

/** Goes through zstd's two structs; returns the place in the second. */
async function zstd(c: Calls, ends: Ends, step: (to: unknown, from: unknown) => Promise<unknown>) {
  const [from, to] = [
    await buffer(c, ends.source, ends.sourceBytes),
    await buffer(c, ends.target, ends.targetBytes),
  ];
  assertEquals(await step(to, from), 0n);
  const place = new Uint8Array(8);
  await c.get!(to, 16n, place);
  for (const one of [from, to]) await c.free!(one);
  return Number(new BigUint64Array(place.buffer)[0]);
}

const ZLIB_END = 1;
const BZIP2_END = 4;
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
    async pack(c, ends) {
      const made = await stream(c, 112, ends);
      assertEquals(await c.deflateInit_!(made, 9, "1.2.3", 112), 0);
      assertEquals([await c.deflate!(made, 4), await c.deflateEnd!(made)], [ZLIB_END, 0]);
      return await came(c, made, ends);
    },
    async unpack(c, ends) {
      const made = await stream(c, 112, ends);
      assertEquals(await c.inflateInit_!(made, "1.2.3", 112), 0);
      assertEquals([await c.inflate!(made, 4), await c.inflateEnd!(made)], [ZLIB_END, 0]);
      return await came(c, made, ends);
    },
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
    async pack(c, ends) {
      const made = await stream(c, 80, ends);
      assertEquals(await c.BZ2_bzCompressInit!(made, 9, 0, 0), 0);
      assertEquals([await c.BZ2_bzCompress!(made, 2), await c.BZ2_bzCompressEnd!(made)], [
        BZIP2_END,
        0,
      ]);
      return await came(c, made, ends);
    },
    async unpack(c, ends) {
      const made = await stream(c, 80, ends);
      assertEquals(await c.BZ2_bzDecompressInit!(made, 0, 0), 0);
      assertEquals([await c.BZ2_bzDecompress!(made), await c.BZ2_bzDecompressEnd!(made)], [
        BZIP2_END,
        0,
      ]);
      return await came(c, made, ends);
    },
  },
  {
    file: "libzstd.so.1",
    hint: "libzstd1",
    functions: s.fns(
      {
        memory,
        packer: s.handle("ZSTD_CCtx"),
        unpacker: s.handle("ZSTD_DCtx"),
        endsPacker: s.ends("ZSTD_CCtx"),
        endsUnpacker: s.ends("ZSTD_DCtx"),
      },
      "ZSTD_createCCtx: -> packer",
      "ZSTD_createDCtx: -> unpacker",
      "ZSTD_compressStream2: packer memory memory i32 -> usize",
      "ZSTD_decompressStream: unpacker memory memory -> usize",
      "ZSTD_freeCCtx: endsPacker -> usize",
      "ZSTD_freeDCtx: endsUnpacker -> usize",
    ),
    async pack(c, ends) {
      const packer = await c.ZSTD_createCCtx!();
      const count = await zstd(c, ends, (to, from) => c.ZSTD_compressStream2!(packer, to, from, 2));
      await c.ZSTD_freeCCtx!(packer);
      return count;
    },
    async unpack(c, ends) {
      const unpacker = await c.ZSTD_createDCtx!();
      const count = await zstd(c, ends, (to, from) => c.ZSTD_decompressStream!(unpacker, to, from));
      await c.ZSTD_freeDCtx!(unpacker);
      return count;
    },
  },
];

const DATA = Uint8Array.from({ length: 20_000 }, (_, index) => (index * index) >> 7);

for (const { file, hint, functions, pack, unpack } of LIBRARIES) {
  const files = [file];
  libraryTest(
    `a stream of ${file} goes from one piece of memory to another`,
    { files, hint },
    () => {
      const api = s.hostApi("stream", { ...s.memoryOf("Memory"), ...functions });
      return withLibrary(api, { files }, async (stubs) => {
        const c = callsOf(stubs);
        const [source, target, last] = await Promise.all(
          [1, 2, 3].map(() => c.alloc!(BigInt(DATA.length))),
        );
        await c.put!(source, 0n, DATA);
        const sizes = { sourceBytes: DATA.length, targetBytes: DATA.length };
        const sourceBytes = await pack(c, { source, target, ...sizes });
        assertEquals(sourceBytes > 0 && sourceBytes < DATA.length, true);
        assertEquals(
          await unpack(c, { source: target, target: last, ...sizes, sourceBytes }),
          DATA.length,
        );
        const back = new Uint8Array(DATA.length);
        await c.get!(last, 0n, back);
        assertEquals(back, DATA);
      });
    },
  );
}
