import { KeptKernels } from "../../run/kept_kernels.ts";
import type { WayKernelOptions } from "../../run/kernel_way.ts";
import { testPrograms } from "../../run/testdata/check_program.ts";
import { PROGRAMS } from "../../run/testdata/programs.ts";
import { WAVES } from "../../run/testdata/waves.ts";
import { requestLiveDevice } from "../device/live_device.ts";
import { liveObstacle } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";
import { LiveWay } from "./live_way.ts";

/** Waves whose lanes agree without barriers. */
class SubgroupWay extends LiveWay {
  override create(options: WayKernelOptions) {
    return super.create({ ...options, wave: "subgroup" } as WayKernelOptions);
  }
}

const device = liveObstacle === undefined ? requestLiveDevice() : undefined;

function runnerOf(Way: typeof LiveWay): KeptKernels | undefined {
  return device && new KeptKernels(
    new Way(device, (source) => {
      // Some drivers take a storage buffer for a uniform one.
      if (/var<uniform>/.test(source)) throw new Error("a uniform buffer");
      return translate(source);
    }),
  );
}

testPrograms(PROGRAMS, "live", { runner: runnerOf(LiveWay), obstacle: liveObstacle });

/** What depends on how lanes agree; the rest of a text is the same. */
const lanesMax = device?.info.subgroupLaneCount ?? 0;
const ofSubgroups = WAVES.filter(({ run }) =>
  typeof run === "object" && (run.laneCount ?? 32) <= lanesMax
);
testPrograms(ofSubgroups, "subgroups", { runner: runnerOf(SubgroupWay), obstacle: liveObstacle });
