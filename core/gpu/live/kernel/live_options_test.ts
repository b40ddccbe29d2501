import { assertThrows } from "@std/assert";
import { checkWave, type LiveWave } from "./live_options.ts";

const INFO = {
  name: "a device",
  subgroupLaneCount: 4,
  subgroupOperations: ["basic", "ballot", "arithmetic"],
} as unknown as Parameters<typeof checkWave>[0];

Deno.test("checkWave() takes waves of a workgroup everywhere, and subgroups that are large enough", () => {
  checkWave({ ...INFO, subgroupOperations: [] }, { laneCount: 64 });
  checkWave(INFO, { wave: "subgroup", laneCount: 4 });
});

Deno.test("checkWave() names the lanes, the operations or the choice that are wrong", () => {
  const check = (info: typeof INFO, laneCount: number, wave: string) => () =>
    checkWave(info, { wave: wave as LiveWave, laneCount });
  assertThrows(check(INFO, 5, "subgroup"), RangeError, "at most the 4 lanes of one on a device");
  const poor = { ...INFO, subgroupOperations: ["basic"] };
  assertThrows(
    check(poor, 4, "subgroup"),
    DOMException,
    "lacks their operations ballot and arithmetic",
  );
  assertThrows(check(INFO, 4, "warp"), TypeError, "warp");
});
