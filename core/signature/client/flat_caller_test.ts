import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { laneMask } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import * as kind from "../declare/kind.ts";
import { anyScalar, scalarValue } from "../testdata/any_call.ts";
import { declared } from "../testdata/served.ts";
import { LaneSlots, SLOT_CODECS } from "../wire/slot.ts";
import { FlatCaller } from "./flat_caller.ts";

Deno.test("FlatCaller writes each argument into its slot, and reads what is in the result's", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 2 });
  const scalar = anyScalar.chain(({ type }) => scalarValue(type).map((value) => ({ type, value })));
  fc.assert(
    fc.property(fc.array(scalar, { minLength: 1, maxLength: 7 }), (scalars) => {
      const kinds = scalars.map(({ type }) => kind[type]);
      const caller = FlatCaller.of(declared(kinds, kinds[0]))!;
      client.call(Opcode.noop, {
        fill: (packet) => caller.write(packet, 1, scalars.map(({ value }) => value)),
        use(packet) {
          const slots = new LaneSlots();
          slots.aim(packet, 1);
          const read = scalars.map(({ type }, index) => SLOT_CODECS[type].read(slots, index + 1));
          assertEquals(read, scalars.map(({ value }) => value));
          packet.setUint32(1, 0, -5);
          assertEquals(caller.read(packet, 1), { result: scalars[0]!.value, errno: -5 });
        },
      }, { mask: laneMask(1) });
    }),
    { numRuns: 50 },
  );
});

Deno.test("FlatCaller counts constants when it names a wrong argument", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 1 });
  const caller = FlatCaller.of(
    declared([kind.f64, kind.constant(kind.i32, 1), kind.handle("File")]),
  )!;
  const write = (...given: unknown[]) => () =>
    client.call(Opcode.noop, { fill: (packet) => caller.write(packet, 0, given), use: () => {} });
  write(1, 2)();
  for (const value of [-1, null, undefined, "1", Symbol("s"), Object.create(null), 2 ** 52]) {
    assertThrows(write(1, value), TypeError, "Cannot call a.f as argument 2 must be a handle");
  }
  assertThrows(write("1", 2), TypeError, "argument 0 must be a number: current value is 1");
  write(1, 2)(); // the port was given back
});

Deno.test("FlatCaller.work calls by lane 0 with what is given, where a call fits a packet", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 1 });
  const caller = FlatCaller.of(declared([kind.i32], kind.i32))!;
  caller.given[0] = -7;
  client.call(Opcode.noop, caller.work);
  assertEquals(caller.result, -7);
  assert(caller.errno !== 0); // the hash, as nobody answered
  assertEquals(FlatCaller.of(declared([kind.i32]))!.result, undefined);
  for (const parameters of [[kind.string], Array<kind.Parameter>(8).fill(kind.f64)]) {
    assertEquals(FlatCaller.of(declared(parameters)), undefined);
  }
});
