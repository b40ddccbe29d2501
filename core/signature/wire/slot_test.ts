import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { SCALAR_BYTES, type ScalarName } from "../declare/kind.ts";
import { scalarValue } from "../testdata/any_call.ts";
import { ByteSlots, HANDLE_INDEXES, LaneSlots, shown, SLOT_BYTES, SLOT_CODECS } from "./slot.ts";
import { InvariantError } from "../../memory/assert.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";

const types = Object.keys(SCALAR_BYTES) as ScalarName[];

function slotsOf(countSlots: number): ByteSlots {
  return new ByteSlots(new Uint8Array(countSlots * SLOT_BYTES).fill(0xa5));
}

Deno.test("a slot gives back every value of its kind, and touches no other slot", () => {
  for (const type of types) {
    fc.assert(
      fc.property(scalarValue(type), (value) => {
        const slots = slotsOf(3);
        assert(SLOT_CODECS[type].write(slots, 1, value));
        assertEquals(SLOT_CODECS[type].read(slots, 1), value);
        for (const other of [0, 2]) assertEquals(slots.getBigUint64(other), 0xa5a5a5a5a5a5a5a5n);
      }),
      { numRuns: 50 },
    );
  }
});

Deno.test("a slot has a value of its kind whatever the other side wrote", () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (bits) => {
    const slots = slotsOf(1);
    for (const type of [...types, "handle"] as const) {
      slots.setBigUint64(0, bits);
      const value = SLOT_CODECS[type].read(slots, 0);
      assert(SLOT_CODECS[type].write(slots, 0, value), `${type} ${value}`);
      assertEquals(SLOT_CODECS[type].read(slots, 0), value);
    }
  }));
});

const NO_INTEGERS = [0.5, NaN, Infinity, 1n, "1", null, true, {}];
const BIG_SIGNED = [[-(2n ** 63n), 2n ** 63n - 1n], [-(2n ** 63n) - 1n, 2n ** 63n, 1]];
const BIG_UNSIGNED = [[0n, 2n ** 64n - 1n], [-1n, 2n ** 64n, 0]];

function integers(least: number, most: number): unknown[][] {
  return [[least, most], [least - 1, most + 1, ...NO_INTEGERS]];
}

/** What a slot takes, the ends of its range, and what it does not. */
const ENDS: Partial<Record<ScalarName | "handle", readonly (readonly unknown[])[]>> = {
  i8: integers(-128, 127),
  u8: integers(0, 255),
  i16: integers(-32768, 32767),
  u16: integers(0, 65535),
  i32: integers(-(2 ** 31), 2 ** 31 - 1),
  u32: integers(0, 2 ** 32 - 1),
  i64: BIG_SIGNED,
  isize: BIG_SIGNED,
  u64: BIG_UNSIGNED,
  usize: BIG_UNSIGNED,
  bool: [[true, false], [undefined, null, 1, "true"]],
  f64: [[NaN], [1n, "1", undefined, true]],
  f32: [[NaN], [1n, "1", undefined, true]],
  handle: [
    [0, 1, HANDLE_INDEXES, 2 ** 52 - 1],
    [-1, 2 ** 52, 2 ** 53 - 1, 0.5, NaN, Infinity, 1n, "1"],
  ],
};

Deno.test("a slot takes what is at the end of a range, and nothing behind it", () => {
  for (const [type, [taken, refused]] of Object.entries(ENDS)) {
    const { write, read } = SLOT_CODECS[type as ScalarName];
    for (const value of taken!) {
      const slots = slotsOf(1);
      assertEquals([write(slots, 0, value), read(slots, 0)], [true, value], type);
    }
    for (const value of refused!) {
      assertEquals(write(slotsOf(1), 0, value), false, `${type} ${String(value)}`);
    }
  }
});

Deno.test("f32 is rounded, and nothing takes no slot", () => {
  const slots = slotsOf(1);
  assert(SLOT_CODECS.f32.write(slots, 0, 0.1));
  assertEquals(SLOT_CODECS.f32.read(slots, 0), Math.fround(0.1));
  assert(SLOT_CODECS.nothing.write(slots, 0, "anything"));
  const read = [SLOT_CODECS.nothing.read(slots, 0), SLOT_CODECS.f32.read(slots, 0)];
  assertEquals(read, [0, Math.fround(0.1)]);
});

Deno.test("shown() has a text for everything", () => {
  const values = [5, 5n, "text", null, undefined, Symbol("s"), Object.create(null), [1], () => 1];
  const texts = ["5", "5", "text", "null", "undefined", "Symbol(s)"];
  const objects = ["[object Object]", "[object Array]", "[object Function]"];
  assertEquals(values.map(shown), [...texts, ...objects]);
});

Deno.test("LaneSlots are those of one lane at a time, and end with it", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 2 });
  const slots = new LaneSlots();
  client.call(Opcode.noop, {
    fill(packet) {
      for (const lane of [0, 1]) {
        slots.aim(packet, lane);
        slots.setUint32(0, lane + 1);
        slots.setFloat64(1, lane + 0.5);
        slots.setBigUint64(7, BigInt(lane));
        assertThrows(() => slots.setFloat64(8, 1), InvariantError);
        assertThrows(() => slots.getUint32(16), InvariantError);
      }
    },
    use(packet) {
      for (const [lane, values] of [[1, 0.5, 0n], [2, 1.5, 1n]].entries()) {
        slots.aim(packet, lane);
        assertEquals([slots.getUint32(0), slots.getFloat64(1), slots.getBigUint64(7)], values);
      }
    },
  }, { mask: laneMask(0, 1) });
});

Deno.test("ByteSlots are little-endian, wherever the bytes begin", () => {
  const bytes = new Uint8Array(new ArrayBuffer(35), 3, 24);
  const slots = new ByteSlots(bytes);
  slots.setUint32(1, 0x01020304);
  slots.setFloat64(1, -2.5);
  slots.setBigUint64(2, 2n ** 64n - 2n);
  assertEquals([...bytes.subarray(4, 8)], [4, 3, 2, 1]);
  const read = [slots.getUint32(1), slots.getFloat64(1), slots.getBigUint64(2)];
  assertEquals(read, [0x01020304, -2.5, 2n ** 64n - 2n]);
  assertEquals([slots.bytes === bytes, slots.view.getUint8(4)], [true, 4]);
});

Deno.test("ByteSlots end where the bytes do", () => {
  const slots = new ByteSlots(new Uint8Array(new ArrayBuffer(32), 8, 8));
  for (const index of [1, -1]) {
    assertThrows(() => slots.getFloat64(index), RangeError);
    assertThrows(() => slots.setBigUint64(index, 1n), RangeError);
  }
  assertThrows(() => slots.getUint32(2), RangeError);
});
