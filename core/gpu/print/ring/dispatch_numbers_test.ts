import { assertEquals, assertStrictEquals } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { DISPATCH_COUNT, dispatchNumber } from "./dispatch_numbers.ts";

onDevice("dispatchNumber() binds each number apart, in few buffers", ({ device }) => {
  const all = Array.from({ length: DISPATCH_COUNT }, (_, at) => dispatchNumber(device, at));
  assertEquals(
    new Set(
      all.map(({ buffer, offset }) => `${all.findIndex((one) => one.buffer === buffer)} ${offset}`),
    ).size,
    DISPATCH_COUNT,
  );
  assertEquals(new Set(all.map(({ buffer }) => buffer)).size, 16);
  assertStrictEquals(dispatchNumber(device, 3).buffer, all[5]!.buffer);
});
