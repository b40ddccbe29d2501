import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { maskOf } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { LaneSlots } from "./lane_slots.ts";

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
      slots.aim(packet, 0);
      assertEquals([slots.getUint32(0), slots.getFloat64(1), slots.getBigUint64(7)], [1, 0.5, 0n]);
      slots.aim(packet, 1);
      assertEquals([slots.getUint32(0), slots.getFloat64(1), slots.getBigUint64(7)], [2, 1.5, 1n]);
    },
  }, { mask: maskOf(0, 1) });
});
