// Two hundred points that cost nothing, for a test of what runs them.
import type { Scenario } from "../../../scenarios/scenario.ts";

const axes = { index: Array.from({ length: 200 }, (_, index) => index) };

export const manyPoints: Scenario<typeof axes> = {
  name: "many_points",
  question: "Is each point measured once?",
  axes,
  setup: () => Promise.resolve({ run() {}, [Symbol.asyncDispose]: () => Promise.resolve() }),
};
