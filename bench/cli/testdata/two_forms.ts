// A scenario of which the URL says how much it does: `?steps=200`, 100 when absent.
import type { Scenario } from "../../../scenarios/scenario.ts";

const STEPS = Number(new URL(import.meta.url).searchParams.get("steps") ?? 100);
/** What the steps make, so that they cannot be left out. */
export let state = 1;

export const twoForms: Scenario = {
  name: "two_forms",
  question: "How long do some steps of a generator take?",
  axes: {},
  setup: () =>
    Promise.resolve({
      run(callCount: number) {
        for (let step = 0; step < callCount * STEPS; step++) {
          state ^= state << 13;
          state ^= state >>> 17;
          state ^= state << 5;
        }
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};
