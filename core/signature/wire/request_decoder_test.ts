import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { fixedLength, lengthOf } from "../declare/length.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { anyCall, anyChange } from "../testdata/any_call.ts";
import { declared } from "../testdata/served.ts";
import { checkHash, decodeRequest, type HostObjects, SignatureError } from "./request_decoder.ts";
import { encodeRequest } from "./request_encoder.ts";

const { bytes, i32, i64, string, u32 } = kind;
/** Leaves handles and callbacks as the numbers that they are. */
const objects: HostObjects = { resolve: () => {}, limitBytes: 1 << 20 };

Deno.test("decodeRequest() gives back what encodeRequest() got, of any function", () => {
  fc.assert(
    fc.property(anyCall, ({ target, given, seen }) => {
      assertEquals(decodeRequest(target, encodeRequest(target, given), objects), [...seen]);
    }),
    { numRuns: 300 },
  );
});

Deno.test("decodeRequest() takes or refuses whatever a request is changed into", () => {
  fc.assert(
    fc.property(anyCall, anyChange, ({ target, given }, change) => {
      decodeOrRefuse(target, change(encodeRequest(target, given)));
    }),
    { numRuns: 1000 },
  );
});

/** Bytes of arguments never lie beyond the request, and what is asked for is within the limit. */
function decodeOrRefuse(target: ApiFunction, bytes: Uint8Array): void {
  let values: unknown[];
  try {
    values = decodeRequest(target, bytes, objects);
  } catch (error) {
    assert(error instanceof RangeError || error instanceof SignatureError, String(error));
    const { message } = error;
    assert(/^Cannot (serve any\.call as|take a text|read the var)/.test(message), message);
    return;
  }
  assertEquals(values.length, target.signature.parameters.length);
  for (const value of values) {
    if (!(value instanceof Uint8Array)) continue;
    assert(value.byteOffset % 8 === 0 && value.length <= objects.limitBytes);
  }
}

/** A request in which some words are others, and what is wrong with it then. */
interface Forged {
  readonly target: ApiFunction;
  readonly given: readonly unknown[];
  /** Where in the request, and what of 64 bits. */
  readonly words?: readonly (readonly [byte: number, value: bigint])[];
  /** Bytes of it, where it has others. */
  readonly sizeBytes?: number;
  readonly problem: string;
}

const BROKEN = "Cannot serve a.f as the call is broken: argument";
const counted = {
  target: declared([bytes("in", lengthOf(1).times(8)), u32]),
  given: [new Uint8Array(16), 2],
};
const negative = {
  target: declared([bytes("in", lengthOf(1).times(lengthOf(2))), i32, i64]),
  given: [new Uint8Array(8), 2, 4n],
};
const sizes = kind.struct({ flag: kind.u8, at: kind.struct({ size: kind.usize, count: i64 }) });
const product = lengthOf(1, "at.size").times(lengthOf(1, "at.count")).plus(1);
const pointed = {
  target: declared([bytes("out", product), kind.pointer("inout", sizes)]),
  given: [new Uint8Array(7), { flag: 0, at: { size: 2n, count: 3n } }],
};
const text = { target: declared([string]), given: ["abcd"] };
/** Factors behind a pointer that do not make 6. */
const FACTORS: readonly (readonly [size: bigint, count: bigint])[] = [
  ...[[2n, 4n], [2n, 2n], [2n ** 64n - 1n, 3n], [2n ** 32n + 2n, 3n], [2n ** 63n, 2n]] as const,
  ...[[2n, -3n], [2n, -(2n ** 63n)], [0n, 0n]] as const,
];

const FORGED: readonly Forged[] = [
  { ...counted, words: [[16, 3n]], problem: `${BROKEN} 0 has 16 bytes and the others say 24` },
  {
    ...pointed,
    words: [[24, 2n ** 60n + 1n], [32, 8n]],
    problem: `${BROKEN} 0 has 7 bytes and the others say ${2n ** 63n + 9n}`,
  },
  { ...counted, words: [[8, 8n]], problem: `${BROKEN} 0 has 8 bytes and the others say 16` },
  { ...counted, sizeBytes: 39, problem: "cut off" },
  { ...counted, sizeBytes: 48, problem: "48 bytes and not 40" },
  { ...counted, sizeBytes: 16, problem: "16 bytes" },
  { ...negative, words: [[16, 2n ** 32n - 2n], [24, -4n]], problem: "argument 1 must be at" },
  ...FACTORS.map(([size, count]) => {
    const words = [[24, size], [32, count]] as const;
    return { ...pointed, words, problem: "as the call is broken: argument" };
  }),
  // The array itself, said to be longer than it can be.
  ...[8n, 2n ** 31n, 2n ** 32n - 1n].map((length) => {
    const problem = `has ${length} bytes and the others say 7`;
    return { ...pointed, words: [[8, length]] as const, problem };
  }),
  { ...text, words: [[16, 0x6463_0061n]], problem: "holds a NUL" },
  { ...text, words: [[16, 0x6463_ff61n]], problem: "is not UTF-8" },
  { ...text, words: [[16, 0x6463_c061n]], problem: "is not UTF-8" },
];

Deno.test("decodeRequest() refuses lengths that the other arguments do not say, and texts that are none", () => {
  for (const { target, given, words = [], sizeBytes, problem } of FORGED) {
    const request = encodeRequest(target, given);
    assertEquals(decodeRequest(target, request, objects), given);
    const forged = new Uint8Array(sizeBytes ?? request.length);
    forged.set(request.subarray(0, forged.length));
    const view = new DataView(forged.buffer);
    for (const [byte, value] of words) view.setBigUint64(byte, BigInt.asUintN(64, value), true);
    assertThrows(() => decodeRequest(target, forged, objects), RangeError, problem);
  }
});

Deno.test("decodeRequest() refuses what has no hash, or another", () => {
  const { target, given } = counted;
  const request = encodeRequest(target, given);
  const another = request.slice();
  another[0]! ^= 1;
  const text = new SignatureError(target).message;
  for (const bytes of [another, request.subarray(0, 0), request.subarray(0, 7)]) {
    assertThrows(() => decodeRequest(target, bytes, objects), SignatureError, text);
  }
  checkHash(target, target.hash);
  const here = "here it is a.f(in bytes[#1 * 8], u32) -> void";
  const error = assertThrows(() => checkHash(target, 1), SignatureError, here);
  assertEquals(error.name, "SignatureError");
});

Deno.test("decodeRequest() counts what goes there and back against one limit", () => {
  const target = declared([bytes("out"), bytes("inout"), string, kind.variadic]);
  const limited = { ...objects, limitBytes: 32 };
  const request = (back: number, there: number, text: string, ...more: number[]) =>
    encodeRequest(target, [new Uint8Array(back), new Uint8Array(there), text, more]);
  assertEquals(decodeRequest(target, request(10, 2, "abcd", 1), limited).length, 4);
  const endless = request(0, 0, "");
  new DataView(endless.buffer).setUint32(8, 0xffffffff, true);
  const refused = [
    [request(33, 0, ""), "argument 0 goes beyond the limit of 32 bytes"],
    [request(30, 3, ""), "argument 1 goes beyond"],
    [request(10, 20, "abc"), "argument 2 goes beyond"],
    [request(10, 2, "abcde", 1), "argument 3 goes beyond"],
    [endless, "goes beyond the limit"],
  ] as const;
  for (const [bytes, text] of refused) {
    assertThrows(() => decodeRequest(target, bytes, limited), RangeError, text);
  }
});

Deno.test("decodeRequest() resolves handles last, when all else is well", () => {
  const target = declared([kind.ends("File"), string, kind.nullable(kind.handle("File"))]);
  const resolved: unknown[][] = [];
  const resolve: HostObjects["resolve"] = (_parameters, values) => void resolved.push([...values]);
  const request = encodeRequest(target, [5, "ab", null]);
  decodeRequest(target, request, { ...objects, resolve });
  request[request.length - 8] = 0;
  assertThrows(() => decodeRequest(target, request, { ...objects, resolve }), RangeError, "NUL");
  assertEquals(resolved, [[5, "ab", null]]);
});

Deno.test("decodeRequest() gives arrays as they lie for wider elements, and constants of its own", () => {
  const target = declared([bytes("in", fixedLength(3)), kind.constant(i32, -7), bytes("in")]);
  const doubles = new Float64Array([1.5, -2.5]);
  const given = [new Uint8Array(3), 99, new Uint8Array(doubles.buffer)];
  const [, constant, array] = decodeRequest(target, encodeRequest(target, given), objects);
  assertEquals(constant, -7);
  const { buffer, byteOffset } = array as Uint8Array;
  assertEquals(new Float64Array(buffer, byteOffset, 2), doubles);
});
