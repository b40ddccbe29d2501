import { Partner } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { native } from "./native.ts";
import { compilerProblem } from "./native_library.ts";

const ignore = compilerProblem() !== undefined;

Deno.test({
  name: "native makes checked calls, ours and in C in turn, with the same partner",
  ignore,
  async fn() {
    await using partner = new Partner();
    const point = { portCount: 64, laneCount: 32, packetLayout: "word-major" } as const;
    await using stack = new AsyncDisposableStack();
    const trials: Trial[] = [];
    for (const one of [native, ...native.references!]) {
      trials.push(stack.use(await one.setup(point, partner)));
    }
    for (const trial of [...trials, ...trials]) {
      trial.wake!();
      for (const callCount of [0, 1, 1000]) trial.run(callCount);
      trial.rest!();
    }
  },
});
