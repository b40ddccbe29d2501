import { KeptKernels } from "../run/kept_kernels.ts";
import type { CompileOptions } from "../run/kernel_runtime.ts";
import { testPrograms } from "../run/testdata/check_program.ts";
import { PROGRAMS } from "../run/testdata/programs.ts";
import { WAVES } from "../run/testdata/waves.ts";
import { requestLiveDevice } from "./device/live_device.ts";
import { liveObstacle } from "./device/on_live_device_test.ts";
import { translate } from "./kernel/live_bed_test.ts";
import { LiveRuntime } from "./kernel/live_runtime.ts";

/** Waves whose lanes agree without barriers. */
class SubgroupWay extends LiveRuntime {
  override compile(options: CompileOptions) {
    return super.compile({ ...options, wave: "subgroup" } as CompileOptions);
  }
}

const device = liveObstacle === undefined ? requestLiveDevice() : undefined;

function runnerOf(Way: typeof LiveRuntime): KeptKernels | undefined {
  return device && new KeptKernels(
    new Way(device, (source) => {
      // Some drivers take a storage buffer for a uniform one.
      if (/var<uniform>/.test(source)) throw new Error("a uniform buffer");
      return translate(source);
    }),
  );
}

testPrograms(PROGRAMS, "live", { runner: runnerOf(LiveRuntime), obstacle: liveObstacle });

/** What depends on how lanes agree; the rest of a text is the same. */
const lanesMax = device?.info.subgroupLaneCount ?? 0;
const ofSubgroups = WAVES.filter(({ run }) =>
  typeof run === "object" && (run.laneCount ?? 32) <= lanesMax
);
testPrograms(ofSubgroups, "subgroups", { runner: runnerOf(SubgroupWay), obstacle: liveObstacle });
