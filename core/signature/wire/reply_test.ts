import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { anyCall, anyChange } from "../testdata/any_call.ts";
import { declared } from "../testdata/served.ts";
import { decodeReply, encodeReply, refuseResult, replyLimitBytes } from "./reply.ts";

const { bytes, i32, nothing, nullable, pointer, string, struct, u64, u8 } = kind;
const NO_LIMIT = 1000;
const nothingBack = { result: undefined, errno: 0 };

Deno.test("decodeReply() gives what encodeReply() got, and fills what goes back", () => {
  fc.assert(
    fc.property(anyCall, fc.nat(), (call, errno) => {
      const { target, given, written, result } = call;
      const bytes = encodeReply(target, written, { result, errno });
      assert(bytes.length <= replyLimitBytes(target, given, NO_LIMIT));
      const filled = structuredClone(given) as unknown[];
      assertEquals(decodeReply(target, filled, bytes), { result, errno });
      for (const [index, parameter] of target.signature.parameters.entries()) {
        const inner = kind.innerKind(parameter);
        const goesBack = "direction" in inner && inner.direction !== "in";
        assertEquals(filled[index], goesBack ? written[index] : given[index]);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("decodeReply() takes or refuses whatever a reply is changed into", () => {
  fc.assert(
    fc.property(anyCall, anyChange, ({ target, given, written, result }, change) => {
      const changed = change(encodeReply(target, written, { result, errno: 0 }));
      const kept = structuredClone(given) as unknown[];
      try {
        decodeReply(target, kept, changed);
      } catch (error) {
        assert(error instanceof RangeError, String(error));
        assert(/^Cannot (finish the call of any|take a text)/.test(error.message), error.message);
        assertEquals(kept, given); // nothing was put anywhere
      }
    }),
    { numRuns: 1000 },
  );
});

Deno.test("decodeReply() puts nothing anywhere when a text behind it is broken", () => {
  const shape = struct({ isOpen: kind.bool, name: string });
  const target = declared([pointer("out", shape)]);
  const given = [{ isOpen: true, name: "" }];
  const reply = encodeReply(target, [{ isOpen: false, name: "\u{feff}a" }], nothingBack);
  reply[reply.lastIndexOf(0xbb)] = 0;
  assertThrows(() => decodeReply(target, given, reply), RangeError);
  assertEquals(given, [{ isOpen: true, name: "" }]);
});

Deno.test("encodeReply() refuses what a function may not return", () => {
  const point = struct({ x: kind.f64, at: struct({ y: u8 }) });
  const cases: readonly (readonly [kind.Result, unknown, string])[] = [
    [i32, 1.5, "must return an integer from -2147483648 to 2147483647: current value is 1.5"],
    [i32, undefined, "current value is undefined"],
    [u64, 1, "a bigint"],
    [kind.f64, Object.create(null), "a number: current value is [object Object]"],
    [string, null, "returned a text that must be a string: current value is null"],
    [string, ["a"], "must be a string: current value is [object Array]"],
    [string, "a\0", "must hold no NUL"],
    [nullable(string), "\udc00", "half of a surrogate pair"],
    [nullable(string), undefined, "must be a string"],
    [point, undefined, "returned no such struct: its field x is no f64: undefined"],
    [point, { x: 1, at: 5 }, "its field at.y is no u8: undefined"],
    [kind.handle("File"), 2 ** 52, "must return a handle"],
  ];
  for (const [result, value, text] of cases) {
    const encode = () => encodeReply(declared([], result), [], { result: value, errno: 0 });
    assertThrows(encode, TypeError, "Cannot answer a.f as its function ");
    assertThrows(encode, TypeError, text);
  }
  const refuse = () => refuseResult(declared([], i32), "is odd");
  assertThrows(refuse, TypeError, "answer a.f as its function is odd");
});

Deno.test("encodeReply() refuses what a function made of its arguments", () => {
  const array = new Uint8Array(8);
  const target = declared([bytes("out"), pointer("out", struct({ x: u8 }))]);
  const encode = (x: unknown) => () => encodeReply(target, [array, { x }], nothingBack);
  encode(5)();
  assertThrows(encode(256), TypeError, "wrote to a struct, and its field x is no u8: 256");
  array.buffer.transfer();
  assertThrows(encode(5), TypeError, "gave the memory of an argument away");
});

Deno.test("encodeReply() and decodeReply() tell null from nothing", () => {
  const text = declared([nullable(bytes("out"))], nullable(string));
  for (const result of [null, "", "\ufeffx"]) {
    const bytes = encodeReply(text, [null], { result, errno: -3 });
    assertEquals(decodeReply(text, [null], bytes), { result, errno: -3 });
  }
  assertEquals(replyLimitBytes(text, [null], 100), 116);
  assertEquals(replyLimitBytes(declared([], nothing), [], 100), 8);
});

Deno.test("decodeReply() makes the objects that are missing, and no other", () => {
  const inner = struct({ constructor: struct({ name: i32 }) });
  const target = declared([pointer("out", inner)]);
  const written = { constructor: { name: 7 } };
  const filled = {};
  decodeReply(target, [filled], encodeReply(target, [written], nothingBack));
  assertEquals([filled, Object.name], [written, "Object"]);
});

Deno.test("a function that says it filled more than there is, is refused on both sides", () => {
  const sized = pointer("inout", struct({ value: u64 }));
  const target = declared([bytes("out", lengthOf(1, "value")), sized], i32);
  const answer = (value: bigint, errno = 0) =>
    encodeReply(target, [new Uint8Array(4), { value }], { result: -1, errno });
  const given = [new Uint8Array(4), { value: 4n }];
  for (const value of [0n, 3n, 4n]) {
    decodeReply(target, given, answer(value));
    assertEquals(given[1], { value });
  }
  for (const value of [5n, 2n ** 32n, 2n ** 64n - 1n]) {
    const text = `says that it filled ${value} bytes of argument 0, which has 4: `;
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
  const optional = declared([nullable(bytes("inout", lengthOf(1, "value"))), sized]);
  const reply = encodeReply(optional, [null, { value: 9n }], nothingBack);
  decodeReply(optional, [null, given[1]], reply);
  assertEquals(given[1], { value: 9n });
});
