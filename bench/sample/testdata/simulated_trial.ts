import type { Trial } from "../../../scenarios/scenario.ts";
import type { Clock } from "../clock.ts";

/** Time that passes only when a trial of it runs: measuring code tested without a clock. */
export class SimulatedTime {
  seconds = 0;
  /** What happened, in order: `wake`, `run 8`, `rest`, with the trial's name before it. */
  readonly log: string[] = [];

  get clock(): Clock {
    return () => this.seconds;
  }

  /** @param secondsPerCall asked for each batch, with the count of batches before it */
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
