import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { anyCall } from "../testdata/any_call.ts";
import { decodeReply, encodeReply, refuseResult, replyLimitBytes } from "./reply.ts";

const NO_LIMIT = 1000;

function declared(parameters: readonly kind.Parameter[], result: kind.Result): ApiFunction {
  return hostApi("a", { f: fn(parameters, result) }).functions.f as ApiFunction;
}

Deno.test("decodeReply() gives what encodeReply() got, and fills what goes back", () => {
  fc.assert(
    fc.property(anyCall, fc.nat(), (call, errno) => {
      const { target, given, written, result } = call;
      const bytes = encodeReply(target, written, { result, errno });
      assert(bytes.length <= replyLimitBytes(target, given, NO_LIMIT));
      const filled = structuredClone(given) as unknown[];
      assertEquals(decodeReply(target, filled, bytes), { result, errno });
      for (const [index, parameter] of target.signature.parameters.entries()) {
        const inner = parameter.kind === "nullable" ? parameter.of : parameter;
        const goesBack = "direction" in inner && inner.direction !== "in";
        assertEquals(filled[index], goesBack ? written[index] : given[index]);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("decodeReply() takes or refuses whatever a reply is changed into", () => {
  fc.assert(
    fc.property(
      anyCall,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      fc.integer({ min: -17, max: 17 }),
      ({ target, given, written, result }, changes, longer) => {
        const reply = encodeReply(target, written, { result, errno: 0 });
        const changed = new Uint8Array(Math.max(0, reply.length + longer));
        changed.set(reply.subarray(0, changed.length));
        for (const [place, byte] of changes) changed[place % changed.length] = byte;
        const kept = structuredClone(given) as unknown[];
        try {
          decodeReply(target, kept, changed);
        } catch (error) {
          assert(error instanceof RangeError, String(error));
          assert(/^Cannot (finish the call of any|take a text)/.test(error.message), error.message);
          assertEquals(kept, given); // nothing was put anywhere
        }
      },
    ),
    { numRuns: 1000 },
  );
});

Deno.test("decodeReply() puts nothing anywhere when a text behind it is broken", () => {
  const shape = kind.struct({ isOpen: kind.bool, name: kind.string });
  const target = declared([kind.pointer("out", shape)], kind.nothing);
  const given = [{ isOpen: true, name: "" }];
  const written = [{ isOpen: false, name: "\u{feff}a" }];
  const reply = encodeReply(target, written, { result: undefined, errno: 0 });
  reply[reply.lastIndexOf(0xbb)] = 0;
  assertThrows(() => decodeReply(target, given, reply), RangeError);
  assertEquals(given, [{ isOpen: true, name: "" }]);
});

Deno.test("encodeReply() refuses what a function may not return", () => {
  const point = kind.struct({ x: kind.f64, at: kind.struct({ y: kind.u8 }) });
  const cases: readonly (readonly [kind.Result, unknown, string])[] = [
    [kind.i32, 1.5, "must return an integer from -2147483648 to 2147483647: current value is 1.5"],
    [kind.i32, undefined, "current value is undefined"],
    [kind.u64, 1, "a bigint"],
    [kind.f64, Object.create(null), "a number: current value is [object Object]"],
    [kind.string, null, "returned a text that must be a string: current value is null"],
    [kind.string, ["a"], "must be a string: current value is [object Array]"],
    [kind.string, "a\0", "must hold no NUL"],
    [kind.nullable(kind.string), "\udc00", "half of a surrogate pair"],
    [kind.nullable(kind.string), undefined, "must be a string"],
    [point, undefined, "returned no such struct: its field x is no f64: undefined"],
    [point, { x: 1, at: 5 }, "its field at.y is no u8: undefined"],
    [kind.handle("File"), 2 ** 52, "must return a handle"],
  ];
  for (const [result, value, text] of cases) {
    const encode = () => encodeReply(declared([], result), [], { result: value, errno: 0 });
    assertThrows(encode, TypeError, "Cannot answer a.f as its function ");
    assertThrows(encode, TypeError, text);
  }
});

Deno.test("encodeReply() refuses what a function made of its arguments", () => {
  const array = new Uint8Array(8);
  const target = declared(
    [kind.bytes("out"), kind.pointer("out", kind.struct({ x: kind.u8 }))],
    kind.nothing,
  );
  const reply = { result: undefined, errno: 0 };
  const encode = (x: unknown) => () => encodeReply(target, [array, { x }], reply);
  encode(5)();
  assertThrows(encode(256), TypeError, "wrote to a struct, and its field x is no u8: 256");
  array.buffer.transfer();
  assertThrows(encode(5), TypeError, "gave the memory of an argument away");
});

Deno.test("encodeReply() and decodeReply() tell null from nothing", () => {
  const text = declared([kind.nullable(kind.bytes("out"))], kind.nullable(kind.string));
  for (const result of [null, "", "\ufeffx"]) {
    const bytes = encodeReply(text, [null], { result, errno: -3 });
    assertEquals(decodeReply(text, [null], bytes), { result, errno: -3 });
  }
  assertEquals(replyLimitBytes(text, [null], 100), 116);
  assertEquals(replyLimitBytes(declared([], kind.nothing), [], 100), 8);
});

Deno.test("decodeReply() makes the objects that are missing, and no other", () => {
  const inner = kind.struct({ constructor: kind.struct({ name: kind.i32 }) });
  const target = declared([kind.pointer("out", inner)], kind.nothing);
  const written = { constructor: { name: 7 } };
  const bytes = encodeReply(target, [written], { result: undefined, errno: 0 });
  const filled = {};
  decodeReply(target, [filled], bytes);
  assertEquals([filled, Object.name], [written, "Object"]);
});

Deno.test("refuseResult() names the function", () => {
  assertThrows(
    () => refuseResult(declared([], kind.i32), "is odd"),
    TypeError,
    "answer a.f as its function is odd",
  );
});

Deno.test("a function that says it filled more than there is, is refused on both sides", () => {
  const size = kind.struct({ value: kind.u64 });
  const sized = kind.pointer("inout", size);
  const target = declared([kind.bytes("out", lengthOf(1, "value")), sized], kind.i32);
  const answer = (value: bigint, errno = 0) =>
    encodeReply(target, [new Uint8Array(4), { value }], { result: -1, errno });
  const given = [new Uint8Array(4), { value: 4n }];
  for (const value of [0n, 3n, 4n]) {
    decodeReply(target, given, answer(value));
    assertEquals(given[1], { value });
  }
  for (const value of [5n, 2n ** 32n, 2n ** 64n - 1n]) {
    const text = `says that it filled ${Number(value)} bytes of argument 0, which has 4: `;
    assertThrows(() => answer(value), TypeError, `Cannot answer a.f as its function ${text}`);
    const forged = answer(4n);
    new DataView(forged.buffer).setBigUint64(40, value, true);
    const before = structuredClone(given);
    assertThrows(() => decodeReply(target, given, forged), RangeError, text);
    assertEquals(given, before);
    // How much room it needs: its caller gets the failure.
    decodeReply(target, given, answer(value, 34));
    assertEquals(given[1], { value });
  }
  const array = kind.nullable(kind.bytes("inout", lengthOf(1, "value")));
  const optional = declared([array, sized], kind.nothing);
  const reply = encodeReply(optional, [null, { value: 9n }], { result: undefined, errno: 0 });
  decodeReply(optional, [null, given[1]], reply);
  assertEquals(given[1], { value: 9n });
});
