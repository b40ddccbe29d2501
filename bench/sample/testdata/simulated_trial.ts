import type { Trial } from "../../../scenarios/scenario.ts";
import type { Clock } from "../take_samples.ts";

/** Time that moves only while one of its trials runs, so that tests of timing need no real clock. */
export class SimulatedTime {
  seconds = 0;
  /** What happened, in order: `a wake`, `a run 8`, `a rest`, where `a` is the trial's name. */
  readonly log: string[] = [];

  get clock(): Clock {
    return () => this.seconds;
  }

  /** @param secondsPerCall called for each batch, with the number of batches before it */
  trial(name: string, secondsPerCall: (batchIndex: number) => number): Trial {
    let batchIndex = 0;
    return {
      run: (callCount) => {
        this.log.push(`${name} run ${callCount}`);
        this.seconds += callCount * secondsPerCall(batchIndex++);
      },
      wake: () => void this.log.push(`${name} wake`),
      rest: () => void this.log.push(`${name} rest`),
      [Symbol.asyncDispose]: () => Promise.resolve(void this.log.push(`${name} dispose`)),
    };
  }
}
