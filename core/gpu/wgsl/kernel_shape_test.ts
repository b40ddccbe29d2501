import { assertEquals, assertThrows } from "@std/assert";
import { channelLayout, type ChannelShape } from "../../toggle/layout.ts";
import {
  completeShape,
  LOCK_NAMES,
  lockConstants,
  shapeConstants,
  spareCountOf,
} from "./kernel_shape.ts";

Deno.test("completeShape() puts many waves of one lane into a workgroup, else one", () => {
  assertEquals(completeShape({}, 1).wavesPerGroup, 64);
  assertEquals(completeShape({}, 2).wavesPerGroup, 1);
  assertEquals(completeShape({ wavesPerGroup: 3 }, 1).wavesPerGroup, 3);
  assertEquals(completeShape({ waveCount: 5 }, 1).wavesPerGroup, 5);
  assertEquals(completeShape({ waveCount: 0 }, 1).wavesPerGroup, 1);
});

Deno.test("completeShape() refuses choices out of bounds", () => {
  const complete = (shape: object) => () => completeShape(shape, 1);
  assertThrows(complete({ wavesPerGroup: 0 }), RangeError, "wavesPerGroup");
  assertThrows(complete({ streamBytes: 1.5 }), RangeError, "streamBytes");
  assertThrows(complete({ searchAttempts: -1 }), RangeError, "searchAttempts");
  assertThrows(complete({ turnsMax: 1e9 }), RangeError, "turnsMax");
  assertThrows(complete({ wavesAcross: 0 }), RangeError, "wavesAcross");
  assertThrows(complete({ lock: "mutex" }), TypeError, "mutex");
});

Deno.test("spareCountOf() has room for a stream on each port, within 8 MiB", () => {
  const of = (streamBytes: number, shape: ChannelShape) =>
    spareCountOf(streamBytes, channelLayout(shape));
  const shape = { portCount: 10, laneCount: 2 };
  assertEquals([56, 57, 120, 121].map((bytes) => of(bytes, shape)), [0, 10, 10, 20]);
  assertEquals(of(0, shape), 0);
  assertEquals(of(1016, { portCount: 4096, laneCount: 64 }), 2048);
  assertEquals(of(65_536, { portCount: 1, laneCount: 64, laneBytes: 65_536 }), 1);
  assertEquals(of(65_536, { portCount: 9, laneCount: 64, laneBytes: 32_768 }), 4);
});

Deno.test("shapeConstants() tries no port twice", () => {
  const layout = channelLayout({ portCount: 4, laneCount: 1 });
  assertEquals(shapeConstants(completeShape({}, 1), layout).SEARCH_ATTEMPTS, 4);
});

Deno.test("lockConstants() tell the locks apart", () => {
  for (const lock of LOCK_NAMES) {
    const { LOCK_KIND, LOCK_FETCH_OR, LOCK_CAS, LOCK_FETCH_ADD } = lockConstants(lock);
    assertEquals(
      [LOCK_FETCH_OR, LOCK_CAS, LOCK_FETCH_ADD].indexOf(LOCK_KIND!),
      LOCK_NAMES.indexOf(lock),
    );
  }
});
