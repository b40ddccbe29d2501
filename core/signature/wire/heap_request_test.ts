import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { anyCall } from "../testdata/any_call.ts";
import { ArrayHeap, placeCall } from "../testdata/array_heap.ts";
import { declared } from "../testdata/served.ts";
import { ByteSlots } from "./slot.ts";
import { heapRequest, heapSlots } from "./heap_request.ts";
import { encodeRequest } from "./request_encoder.ts";

const { bytes, i32, i64, nullable, pointer, string, struct, variadic } = kind;
const limitBytes = 1 << 12;

Deno.test("heapRequest() makes of a kernel's call what any other caller sends", () => {
  fc.assert(fc.property(anyCall, ({ target, given, seen }) => {
    const heap = new ArrayHeap(1 << 13);
    const slots = new ByteSlots(new Uint8Array(8 * heapSlots(target)));
    // Variadic arguments have a tag each, as the host gets them.
    const isVariadic = target.signature.parameters.at(-1)?.kind === "variadic";
    const values = isVariadic ? [...given.slice(0, -1), seen.at(-1)] : given;
    const addresses = placeCall(heap, slots, { target, values });
    if (target.signature.result.kind === "struct") {
      slots.setUint32(2 * heapSlots(target) - 2, heap.malloc(256));
    }
    const request = heapRequest(target, slots, { heap, limitBytes });
    assertEquals(request.bytes, encodeRequest(target, given));
    for (const [index, address] of addresses.entries()) {
      if (address > 0) assertEquals(request.addresses[index], address);
    }
  }));
});

const point = struct({ x: kind.f64, count: i32 });
const size = struct({ flag: kind.u8, value: i64 });
const square = bytes("out", lengthOf(1).times(lengthOf(2)));
const LEAST = "must be at least 0, as a length: current value is";

/** Parameters, the words of their slots, and what is wrong with them in a heap of 256 bytes. */
const REFUSALS: readonly (readonly [kind.Parameter[], number[], string])[] = [
  [[bytes("in")], [0, 8], "8 bytes at address 0"],
  [[bytes("in")], [8, 8], "8 bytes at address 8"],
  [[bytes("in")], [250, 7], "7 bytes at address 250"],
  [[bytes("out")], [250, 7], "7 bytes at address 250"],
  [[bytes("inout")], [0xfffffff0, 0xffffffff], "4294967295 bytes at address 4294967280"],
  [[string], [0, 0], "address 0"],
  [[string], [300, 0], "address 300"],
  [[string], [240, 0], "NaN bytes at address 240"],
  [[nullable(string)], [1, 0], "address 1"],
  [[kind.callback([], kind.nothing)], [0, 0], "address 0"],
  [[point], [244, 0], "16 bytes at address 244"],
  [[pointer("in", point)], [0, 0], "16 bytes at address 0"],
  [[pointer("out", point)], [244, 0], "16 bytes at address 244"],
  [[nullable(pointer("inout", point))], [2, 0], "16 bytes at address 2"],
  [[variadic], [240, 2], "32 bytes at address 240"],
  [[variadic], [16, 128], "there are 127 at most"],
  [[bytes("in", lengthOf(1)), i32], [16, 8, -1, 0], `argument 1 ${LEAST} -1`],
  [[square, kind.u64, i32], [16, 8, 1, 1, 64, 0], `${(2 ** 32 + 1) * 64} bytes`],
  [[square, i64, i32], [16, 8, -1, -1, -1, 0], `argument 1 ${LEAST} -1`],
];

Deno.test("heapRequest() reads nothing that does not lie in the heap", () => {
  for (const [parameters, words, text] of REFUSALS) {
    const heap = new ArrayHeap(256);
    heap.bytes.fill(65, 200); // no NUL up to the end
    const slots = new ByteSlots(new Uint8Array(Uint32Array.from([0, 0, ...words]).buffer));
    const read = () => heapRequest(declared(parameters), slots, { heap, limitBytes });
    assertThrows(read, RangeError, text);
  }
  // Nor does a struct's result go elsewhere: that is refused before the function runs.
  for (const address of [0, 8, 244, 256, 0xffff_fff0]) {
    const slots = new ByteSlots(new Uint8Array(16));
    slots.setUint32(2, address);
    const heap = new ArrayHeap(256);
    const read = () => heapRequest(declared([], point), slots, { heap, limitBytes });
    assertThrows(read, RangeError, `16 bytes at address ${address}`);
  }
});

Deno.test("heapRequest() refuses more than the limit before it copies", () => {
  const target = declared([bytes("in"), string]);
  const heap = new ArrayHeap(256);
  const slots = new ByteSlots(new Uint8Array(24));
  placeCall(heap, slots, { target, values: [new Uint8Array(20), "text"] });
  const read = (limitBytes: number) => heapRequest(target, slots, { heap, limitBytes });
  assertEquals(read(24).bytes.length, 24 + 24 + 8);
  assertThrows(() => read(23), RangeError, "beyond the limit of 23 bytes: they have 24");
});

Deno.test("heapRequest() takes a length from a struct in the heap, and refuses one that is none", () => {
  const target = declared([bytes("out", lengthOf(1, "value")), pointer("inout", size)]);
  const call = (value: bigint) => {
    const heap = new ArrayHeap(256);
    const slots = new ByteSlots(new Uint8Array(24));
    slots.setUint32(2, 128);
    slots.setUint32(4, 64);
    new DataView(heap.bytes.buffer, heap.bytes.byteOffset).setBigInt64(72, value, true);
    return heapRequest(target, slots, { heap, limitBytes });
  };
  for (const value of [0n, 1n, 128n]) {
    assertEquals(new ByteSlots(call(value).bytes).getUint32(2), Number(value));
  }
  for (const value of [129n, 2n ** 32n]) {
    assertThrows(() => call(value), RangeError, `${value} bytes at address 128`);
  }
  assertThrows(() => call(2n ** 63n - 1n), RangeError, `they have ${2n ** 63n - 1n}`);
  assertThrows(() => call(-1n), RangeError, "argument 1.value must be at least 0, as a length");
});
