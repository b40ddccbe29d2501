import { checkChoice } from "../../../text/nearest.ts";
import type { LiveDeviceInfo } from "../device/physical_device.ts";

/** What a wave is on the device. */
export type LiveWave = "workgroup" | "subgroup";
const LIVE_WAVES: readonly LiveWave[] = ["workgroup", "subgroup"];

/** Operations of subgroups by which lanes agree, as Vulkan names them. */
const SUBGROUP_OPERATIONS = ["basic", "ballot", "arithmetic"];

/**
 * Checks that a device can run such waves.
 *
 * @throws {TypeError} when there is no such choice of `wave`
 * @throws {RangeError} when a subgroup has fewer lanes
 * @throws {DOMException} `NotSupportedError` when the device lacks operations of subgroups
 */
export function checkWave(
  { name, subgroupLaneCount, subgroupOperations }: LiveDeviceInfo,
  { wave = "workgroup", laneCount }: {
    readonly wave?: LiveWave;
    readonly laneCount: number;
  },
): void {
  checkChoice("make a live kernel", { wave }, LIVE_WAVES);
  if (wave === "workgroup") return;
  const absent = SUBGROUP_OPERATIONS.filter((one) => !subgroupOperations.includes(one));
  if (absent.length > 0) {
    throw new DOMException(
      `Cannot make a live kernel whose waves are subgroups as ${name} lacks their operations ${
        absent.join(" and ")
      }: leave out wave: "subgroup"`,
      "NotSupportedError",
    );
  }
  if (laneCount <= subgroupLaneCount) return;
  throw new RangeError(
    `Cannot make a live kernel whose waves are subgroups as laneCount must be at most the ${subgroupLaneCount} lanes of one on ${name}: current value is ${laneCount}`,
  );
}
