import type { Scenario, Trial } from "../../scenarios/scenario.ts";

/**
 * A scenario without its references, whose calls are slower by a known share: for each call that counts
 * it makes that share of a call more. Who measures it knows what should be found.
 *
 * @param extraShare 0 or more; 0 for the scenario as it is
 */
export function slowedScenario(scenario: Scenario, extraShare: number): Scenario {
  const { references: _references, ...rest } = scenario;
  if (extraShare === 0) return rest;
  return {
    ...rest,
    setup: async (point, partner) => slowed(await scenario.setup(point, partner), extraShare),
  };
}

function slowed(trial: Trial, extraShare: number): Trial {
  let owed = 0; // parts of a call, so that batches of few calls are slower by the same share
  return {
    run(callCount) {
      owed += callCount * extraShare;
      const extra = Math.floor(owed);
      owed -= extra;
      return trial.run(callCount + extra);
    },
    ...(trial.wake && { wake: () => trial.wake!() }),
    ...(trial.rest && { rest: () => trial.rest!() }),
    ...(trial.findings && { findings: () => trial.findings!() }),
    ...(trial.adapter !== undefined && { adapter: trial.adapter }),
    [Symbol.asyncDispose]: () => trial[Symbol.asyncDispose](),
  };
}
