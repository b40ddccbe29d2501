// For `deno bench`: a scenario of two threads, then one whose Workers need all processors. Each run
// throws when this thread is not on the processors that the scenario should have.
import { allowedCpus } from "../../../scenarios/partner/affinity.ts";
import type { Scenario } from "../../../scenarios/scenario.ts";
import { registerBenches } from "../register_benches.ts";

const allCpuCount = allowedCpus().length;

function checkCpuCount(cpuCount: number): void {
  const current = allowedCpus().length;
  if (current !== cpuCount) throw new Error(`on ${current} processors instead of ${cpuCount}`);
}

function scenarioOn(name: string, options: { isPair: boolean; cpuCount: number }): Scenario {
  const { isPair, cpuCount } = options;
  return {
    name,
    question: "On how many processors does this thread run?",
    axes: {},
    isPair,
    setup() {
      checkCpuCount(cpuCount);
      return Promise.resolve({
        run(callCount) {
          for (let call = 0; call < callCount; call++) checkCpuCount(cpuCount);
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    },
  };
}

await registerBenches(
  scenarioOn("pair", { isPair: true, cpuCount: Math.min(1, allCpuCount) }),
  scenarioOn("crowd", { isPair: false, cpuCount: allCpuCount }),
);
