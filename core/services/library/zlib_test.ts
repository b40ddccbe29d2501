/** Lengths behind pointers, as zlib has them: the room for the result, and then how long it is. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import * as s from "../../signature/mod.ts";
import type { ApiFunction } from "../../signature/declaration_types.ts";
import { findFunctionAsync } from "../../signature/client/function_client.ts";
import { encodeRequest } from "../../signature/wire/request_encoder.ts";
import { libraryTest, withLibrary } from "./testdata/with_library.ts";

const files = ["libz.so.1", "libz.dylib"];

const size = s.pointer("inout", s.struct({ value: s.u64 }));
const room = s.bytes("out", s.lengthOf(1, "value"));
const zlib = s.hostApi("zlib", {
  compress: s.fn([room, size, s.bytes("in", s.lengthOf(3)), s.u64], s.i32),
  uncompress2: s.fn([room, size, s.bytes("in", s.lengthOf(3, "value")), size], s.i32),
});

const OK = 0;
const BUFFER_ERROR = -5;

const name = "zlib writes no more than there is room for";
libraryTest(
  name,
  { files, hint: "zlib1g" },
  () =>
    withLibrary(zlib, { files, laneCount: 64 }, async ({ compress, uncompress2 }, client) => {
      const source = Uint8Array.from({ length: 1000 }, (_, index) => index % 7);

      const packed = new Uint8Array(200);
      const packedSize = { value: 200n };
      assertEquals(await compress.async(packed, packedSize, source, 1000n), OK);
      assertEquals(packedSize.value > 0n && packedSize.value < 200n, true);
      const [unpacked, unpackedSize, used] = [new Uint8Array(1100), { value: 1100n }, {
        value: 200n,
      }];
      assertEquals(await uncompress2.async(unpacked, unpackedSize, packed, used), OK);
      assertEquals([unpackedSize, used], [{ value: 1000n }, packedSize]);
      assertEquals(unpacked.subarray(0, 1000), source);
      const tooSmall = { value: 16n };
      assertEquals(await compress.async(new Uint8Array(16), tooSmall, source, 1000n), BUFFER_ERROR);

      // A caller who lies, by this library and by a packet of its own.
      const lie = { value: 100_000n };
      const call = () => compress.async(new Uint8Array(16), lie, source, 1000n);
      await assertRejects(call, RangeError, "argument 0 has 16 bytes: the others say 100000");
      const target = zlib.functions.compress as ApiFunction;
      const honest = encodeRequest(target, [new Uint8Array(16), { value: 16n }, source, 1000n]);
      const opcode = await findFunctionAsync(client, target, {});
      for (
        const [byte, value] of [[16, 100_000n], [16, 2n ** 64n - 1n], [8, 100_000n], [32, 99_999n]]
      ) {
        const forged = honest.slice();
        new DataView(forged.buffer).setBigUint64(Number(byte), BigInt(value!), true);
        await assertRejects(
          () => client.callMessageAsync(opcode + 1, forged, { limitBytes: 4096 }),
          CallError,
          "Cannot serve zlib.compress as the call is broken: argument",
        );
      }
      assertThrows(
        () => s.fn([room, s.pointer("out", s.struct({ value: s.u64 }))], s.i32),
        TypeError,
      );
    }),
);
